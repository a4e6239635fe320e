// What the reports of a run are made from: the plan, and the statistics of its replications, by name.
//
// Thread rule: immutable; the plan and the table must outlive it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/engine/accounts.h"
#include "sim/engine/metrics.h"
#include "sim/engine/plan.h"
#include "sim/lab/replications.h"

namespace faultline {

// In any replication; false where nothing is known.
inline bool happened(const Summary& summary) { return summary.mean > 0; }

class RunResults {
 public:
  RunResults(const SimulationPlan& run_plan, const ReplicationTable& run_table)
      : plan(run_plan), table(run_table), summaries(run_table.summaries()) {}

  const Scenario& scenario() const { return plan.scenario(); }
  double horizon_seconds() const { return scenario().horizon.seconds(); }
  // Mean length of a run: the horizon, or less where the work comes to its end.
  double run_seconds() const;
  // A metric that not every scenario has; null if this one has not.
  const Summary* find(std::string_view metric) const;
  std::size_t replications() const { return table.finished.size(); }

  const Summary& of(MetricIndex::Plain metric) const { return summaries[metric]; }
  const Summary& lost(Account account) const {
    return summaries[MetricIndex::kLost + static_cast<std::size_t>(account)];
  }
  // By the order of `stall_seconds{kind}` and `mttr_seconds{phase}`.
  const Summary& stall(std::size_t kind) const { return summaries[MetricIndex::kStall + kind]; }
  const Summary& mttr(std::size_t phase) const { return summaries[MetricIndex::kMttr + phase]; }
  const Summary& interruptions(FaultClassId fault_class) const {
    return summaries[MetricIndex::kClasses + fault_class.index()];
  }
  const Summary& faults(FaultClassId fault_class) const {
    return summaries[MetricIndex::kClasses + plan.classes().size() + fault_class.index()];
  }

  // Parts of the fleet (spares included) that the class can strike.
  std::uint64_t parts(FaultClassId fault_class) const;
  // Faults that the catalogue promises: parts x rate x horizon. Nothing where that is not the answer: the
  // exposure of `clock: running` depends on the run, lemons are mended, and ageing parts are no
  // constant rate.
  std::optional<double> expected_faults(FaultClassId fault_class) const;
  // In the mean of a replication; a fault of a whole domain strikes all of its nodes.
  double nodes_struck(FaultClassId fault_class) const;
  // Of the nodes that the class struck, the share on which this signal was published.
  double published_share(const PooledDurations::Detection& detection) const;

  const SimulationPlan& plan;
  const ReplicationTable& table;
  const std::vector<Summary> summaries;
};

}  // namespace faultline
