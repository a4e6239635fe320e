// The numbers of one run, by their names: a pure function of the journal.
//
// `MetricNames` lists the metrics of a plan, in a fixed order; `RunMetrics` folds the happenings of
// one replication into that many values. A metric that the run says nothing about (the mean of no
// repairs) is NaN and does not enter a mean.
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
//   stockout_ratio                share of the time that jobs wait for a node that does not exist
//   failed_restarts_total         restarts that met a sick node
//   faulty_nodes_replaced_total, job_restarts_total, job_stops_total   what the means of mttr_seconds are over
//
// and, at the end, those of shop_metrics.h, where the scenario has what they count.
//
// Thread rule: names are immutable; one `RunMetrics` per simulation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/histogram.h"
#include "sim/engine/ledger.h"
#include "sim/engine/plan.h"
#include "sim/engine/shop_metrics.h"
#include "sim/engine/stalls.h"

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

// Durations pooled over all replications.
struct PooledDurations {
  struct Detection {
    FaultClassId fault_class;
    ReasonId reason;
    Histogram since_fault;
  };
  explicit PooledDurations(const SimulationPlan& plan);
  void add(const PooledDurations& other);

  std::vector<Detection> detections;          // per class and signal, in the order of the catalogue
  std::vector<std::uint32_t> first_of_class;  // where a class's detections begin
  std::vector<Histogram> fault_to_ready_by_channel;  // by the channel that saw it first
  std::vector<Histogram> fault_to_ready_by_class;
  std::vector<Histogram> phases;  // of a repair: detect ... provision
  StallRecords stalls;
};

class RunMetrics final : public HappeningSink {
 public:
  RunMetrics(const SimulationPlan& plan, PooledDurations& pooled);

  void begin();
  void on(const Happening& happening) override;
  // The same, for a teller that knows what it is: it builds no Happening.
  template <class What>
  void take(const What& what, SimTime now) {
    ledger_.take(what, now);
    count(what, now);
  }
  HappeningKinds reads() const override {
    return HappeningKinds::all().without<SignalRaised, NodeRemoved, NodeRequested>();
  }
  // After RunEnded: one value per metric name.
  const std::vector<double>& values() const { return values_; }
  const Ledger& ledger() const { return ledger_; }

 private:
  static constexpr std::size_t kPhases = 5;
  // A repair under way, from the fault to the replacement.
  struct Repair {
    SimTime struck = SimTime::never();
    SimTime seen = SimTime::never();
    SimTime blocked = SimTime::never();
    SimTime decided = SimTime::never();
    SimTime drained = SimTime::never();
    FaultClassId fault_class;
    ReasonId reason;
    std::uint8_t bad_conditions = 0;
    bool counts = false;  // a node to replace, with a real fault
  };

  Repair& write(NodeSlot slot) { return repairs_.touch(slot.index()); }
  void leave(Repair& repair);
  void ready(Repair& repair, SimTime now);
  void gate_ends(const Repair& repair, SimTime now);
  void became_bad(Repair& repair);
  void became_good(Repair& repair);
  void finish(SimTime now);

  void count(const FaultStruck& struck, SimTime now);
  void count(const ConditionChanged& changed, SimTime now);
  void count(const EventPosted& posted, SimTime) {
    see(posted.fault_class, posted.reason, posted.since_fault);
  }
  void count(const RepairDecided& decided, SimTime now);
  void count(const RepairBlocked& blocked, SimTime now);
  void count(const NodeDrained& drained, SimTime now);
  void count(const NodeRegistered& registered, SimTime);
  void count(const NodeRepaired& repaired, SimTime) { leave(write(repaired.node.slot)); }
  void count(const NodeJoined& joined, SimTime now) { ready(write(joined.node.slot), now); }
  void count(const JobInterrupted& interrupted, SimTime now);
  void count(const PlaceTaken& taken, SimTime);
  void count(const JobRestarting& restarting, SimTime now);
  void count(const JobResumed& resumed, SimTime now);
  void count(const RunEnded&, SimTime now);
  void count(const JobStalled& stalled, SimTime now) { stalls_.take(stalled, now); }
  void count(const JobUnstalled& unstalled, SimTime now) { stalls_.take(unstalled, now); }
  void count(const JobProgressed& progressed, SimTime) { stalls_.take(progressed); }
  void count(const JobHeld& held, SimTime) { stalls_.take(held); }
  void count(const RepairStageEnded& ended, SimTime) { shop_.take(ended); }
  void count(const HostsSelected& selected, SimTime) { shop_.take(selected); }
  void count(const NodePreempted& preempted, SimTime) { shop_.take(preempted); }
  void count(const JobCompleted& completed, SimTime now) { shop_.take(completed, now); }
  // These say nothing that is counted here.
  void count(const JobSubmitted&, SimTime) {}
  void count(const FaultCleared&, SimTime) {}
  void count(const SignalRaised&, SimTime) {}
  void count(const NodeRemoved&, SimTime) {}
  void count(const NodeRequested&, SimTime) {}
  void count(const CapacityMissing&, SimTime) {}
  void count(const CapacityFound&, SimTime) {}
  void count(const JobReleased&, SimTime) {}

  void see(FaultClassId fault_class, ReasonId reason, Duration since_fault);

  const SimulationPlan& plan_;
  PooledDurations& pooled_;
  Ledger ledger_;
  ShopMetrics shop_;
  StallTracker stalls_;
  std::vector<double> values_;
  TouchedTable<Repair> repairs_;
  std::vector<SimTime> restart_began_;  // per job
  std::int64_t unhealthy_ = 0;
  std::int64_t unhealthy_peak_ = 0;
  std::int64_t spares_used_ = 0;
  std::array<double, kPhases> phase_seconds_{};
  double restart_seconds_ = 0;
  double redo_seconds_ = 0;
  std::uint64_t repairs_done_ = 0;
  std::uint64_t restarts_ = 0;
  std::uint64_t stops_ = 0;
};

}  // namespace faultline
