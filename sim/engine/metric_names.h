// The metrics of a run: their names, in a fixed order, and where each stands.
//
// metric_help.cc tells what each is. First those without a label, then the families, member by member,
// and at the end those of shop_metrics.h, where the scenario has what they count.
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
    kEvictions,
    kReplacements,
    kNeedless,
    kInPlace,
    kGateBlocked,
    kGateSeconds,
    kUnhealthyPeak,
    kSparesMax,
    kStockout,
    kRegistrationTimeouts,
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
