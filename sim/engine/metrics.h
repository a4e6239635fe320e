// The numbers of one run, by the names of metric_names.h: a pure function of the journal.
//
// `RunMetrics` folds the happenings of one replication into one value per name. A metric that the run says
// nothing about (the mean of no repairs) is NaN and does not enter a mean.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/ledger.h"
#include "sim/engine/metric_names.h"
#include "sim/engine/plan.h"
#include "sim/engine/pooled_durations.h"
#include "sim/engine/shop_metrics.h"
#include "sim/engine/stalls.h"

namespace faultline {

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
  // After RunEnded: one value per metric name.
  const std::vector<double>& values() const { return values_; }
  const Ledger& ledger() const { return ledger_; }

 private:
  static constexpr std::size_t kPhases = 5;
  // A repair under way, from the fault to the replacement.
  struct Repair {
    SimTime struck = SimTime::never();  // never: not known, or not yet
    SimTime seen = SimTime::never();
    SimTime blocked = SimTime::never();
    SimTime refused = SimTime::never();  // the last refusal that was told,
    Duration looks_every;                // and how far apart those after it are
    SimTime decided = SimTime::never();
    SimTime drained = SimTime::never();
    FaultClassId fault_class;
    // The first fault that is there, other than a mere alarm: it is what the node will be replaced for, whatever
    // alarms there are before, around or after it.
    FaultId fault;
    ReasonId reason;
    std::uint8_t bad_conditions = 0;
    bool replacing = false;
    bool needless = false;
    bool booted = false;  // what was to take its place was replaced, too
  };

  Repair& write(NodeSlot slot) { return repairs_.touch(slot.index()); }
  void leave(Repair& repair);
  void ready(Repair& repair, SimTime now);
  void gate_ends(const Repair& repair, SimTime now);
  static double further_looks(const Repair& repair, SimTime now);
  void became_bad(Repair& repair);
  void became_good(Repair& repair);
  void finish(SimTime now);

  void count(const FaultStruck& struck, SimTime now);
  void count(const FaultCleared& cleared, SimTime);
  void count(const ConditionChanged& changed, SimTime now);
  void count(const FaultBehind& behind, SimTime now);
  void count(const RepairDecided& decided, SimTime now);
  void count(const RepairWasNeedless& needless, SimTime);
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
  void count(const SignalRaised&, SimTime) {}
  void count(const EventPosted&, SimTime) {}
  void count(const NodeRemoved&, SimTime) {}
  void count(const NodeRequested&, SimTime) {}
  void count(const RegistrationTimedOut&, SimTime) {
    values_[MetricIndex::kRegistrationTimeouts] += 1;
  }
  void count(const CapacityMissing&, SimTime) {}
  void count(const CapacityFound&, SimTime) {}
  void count(const JobReleased&, SimTime) {}

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
