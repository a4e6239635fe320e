// The metrics of a run: their names, in a fixed order, and where each stands.
//
// Names and units are those of the design, after Prometheus:
// `interruptions_total{class="gpu-hbm"}`.
//
//   ettr_ratio                    productive time / time, per job, weighted by GPUs
//   goodput_ratio                 GPU-seconds of kept work / GPU-seconds owned, spares included
//   lost_ratio{cause}             share of the jobs' GPU-time per account; sums to 1 with `productive`
//   interruptions_total           faults that stopped a job or met it down (planned ones and drains apart)
//   interruptions_total{class}    the same, per class
//   interruptions_while_down_total  of these, the ones that met the job down already
//   planned_interruptions_total, repair_interruptions_total   maintenance; drains of running jobs by repairs
//   faults_total{class}           strikes, alarms included
//   stall_seconds{kind}           hang, straggler, agent_noise
//   mttr_seconds{phase}           mean per replaced node with a real fault: detect, tolerate, gate, drain,
//                                 provision; restart and redo: mean per restart and per interruption
//   replacements_total, needless_replacements_total, repairs_in_place_total
//   gate_blocked_total            refusals; gate_blocked_seconds: node-seconds from the first refusal on
//   unhealthy_peak_ratio          most nodes with a bad condition at once / nodes of the fleet
//   spares_used_max               most warm spares in use at once
//   stockout_ratio                share of the time that jobs wait for a node that does not exist: the accounts
//                                 `provision` and `no_capacity`; where the policy mends nodes in place, there is
//                                 nobody to wait for but who mends them, and it is 0
//   failed_restarts_total         restarts that met a sick node
//   faulty_nodes_replaced_total, job_restarts_total, job_stops_total   what the means of mttr_seconds are over
//
// and, at the end, those of shop_metrics.h, where the scenario has what they count.
//
// Thread rule: immutable.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/engine/accounts.h"
#include "sim/engine/plan.h"

namespace faultline {

struct MetricName {
  std::string name;   // ettr_ratio
  std::string label;  // class, cause, phase, kind; empty: none
  std::string value;  // gpu-hbm
  // The metric (its text) that counts what this one is a mean over, so that a mean over replications can
  // give each thing the same weight; empty: every replication weighs the same.
  std::string weight = {};

  std::string text() const {
    return label.empty() ? name : name + "{" + label + "=\"" + value + "\"}";
  }
};

// The index of every metric that has no label, and of the first of every family.
struct MetricIndex {
  enum Plain : std::size_t {
    kEttr,
    kGoodput,
    kInterruptions,
    kWhileDown,
    kPlanned,
    kByRepair,
    kReplacements,
    kNeedless,
    kInPlace,
    kGateBlocked,
    kGateSeconds,
    kUnhealthyPeak,
    kSparesMax,
    kStockout,
    kFailedRestarts,
    kNodesReplaced,
    kRestarts,
    kStops,
    kPlainCount
  };
  static constexpr std::size_t kLost = kPlainCount;         // + account
  static constexpr std::size_t kStall = kLost + kAccounts;  // + hang, straggler, agent_noise
  static constexpr std::size_t kMttr = kStall + 3;          // + detect ... redo
  static constexpr std::size_t kClasses = kMttr + 7;        // + class: interruptions, then faults
};

std::vector<MetricName> metric_names(const SimulationPlan& plan);

}  // namespace faultline
