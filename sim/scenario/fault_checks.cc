#include "sim/scenario/fault_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/detectors/contract.h"
#include "models/faults/active_faults.h"
#include "sim/scenario/fault_count.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_signals(const FaultClassConfig& fault_class, const DetectorsConfig& detectors,
                   FieldProblems& problems) {
  Names reasons;
  for (const ReasonConfig& reason : detectors.reasons) reasons.push_back(reason.name);
  const std::string path = fmt::format("faults.classes[{}].signals", fault_class.name);
  if (fault_class.signals.size() > kMaxCatalogueSignals) {
    problems.add(path, fmt::format("has {} entries; at most {} are possible",
                                   fault_class.signals.size(), kMaxCatalogueSignals));
  }
  for (std::size_t s = 0; s < fault_class.signals.size(); ++s) {
    const SignalConfig& signal = fault_class.signals[s];
    const std::string at = fmt::format("{}[{}]", path, s);
    if (!signal.reason.empty() && !contains(reasons, signal.reason)) {
      problems.add(at + ".reason", no_such("reason", signal.reason, reasons));
    }
    if (signal.heartbeat_lost && !contains(reasons, kHeartbeatReason)) {
      problems.add(at + ".heartbeat_lost",
                   fmt::format("needs a reason `{}` in `detectors.reasons`", kHeartbeatReason));
    }
  }
}

// "`train/rack-0`, `train/block-0` or `zone a`": the first domain of each level above the node.
std::string example_domains(const DomainTree& domains) {
  Names names;
  for (const DomainLevel level :
       {DomainLevel::kRack, DomainLevel::kBlock, DomainLevel::kZone, DomainLevel::kRegion}) {
    if (domains.count(level) > 0) names.push_back(fmt::format("`{}`", domains.name({level, 0})));
  }
  return names.empty() ? fmt::format("`{}`", domains.name({DomainLevel::kNode, 0}))
                       : join_names(names);
}

void check_node(const std::string& node, const std::string& path,
                const FaultClassConfig& fault_class, const Fleet& fleet, FieldProblems& problems) {
  const std::optional<NodeSlot> slot = fleet.find(node);
  if (!slot) {
    problems.add(path, fmt::format("there is no node `{}`; nodes are named POOL-NUMBER, such as "
                                   "`{}`",
                                   node, fleet.name({NodeSlot(0), 0})));
    return;
  }
  if (fleet.name({*slot, 0}) != node) {
    problems.add(path, fmt::format("is struck whatever machine stands there then, so it names "
                                   "none: write `{}`",
                                   fleet.name({*slot, 0})));
  }
  const std::optional<DomainLevel> level = level_of(fault_class.unit());
  if (level && *level < DomainLevel::kNode && !fleet.domains().of(*slot, *level)) {
    problems.add(path, fmt::format("stands in no {}, which is what the rate counts",
                                   to_string(fault_class.unit())));
  }
}

void check_strikes(const FaultClassConfig& fault_class, const Scenario& scenario,
                   const Fleet& fleet, FieldProblems& problems) {
  Names jobs;
  for (const WorkloadConfig& workload : scenario.workloads) {
    jobs.push_back(std::get<TrainingConfig>(workload).name);
  }
  for (std::size_t s = 0; s < fault_class.strikes.size(); ++s) {
    const ScriptedStrikeConfig& strike = fault_class.strikes[s];
    const std::string at = fmt::format("faults.classes[{}].strikes[{}]", fault_class.name, s);
    if (!strike.node.empty()) check_node(strike.node, at + ".node", fault_class, fleet, problems);
    if (!strike.domain.empty() && !fleet.domains().find(strike.domain)) {
      problems.add(at + ".domain",
                   fmt::format("there is no failure domain `{}`; domains are named such as {}",
                               strike.domain, example_domains(fleet.domains())));
    }
    if (!strike.job.empty() && !contains(jobs, strike.job)) {
      problems.add(at + ".job", no_such("workload", strike.job, jobs));
    }
  }
}

// What a rate counts must be there: in a pool, and with `clock: running` in one with a job.
void check_exposure(const FaultClassConfig& fault_class, const Scenario& scenario,
                    const Fleet& fleet, FieldProblems& problems) {
  const std::optional<DomainLevel> level = level_of(fault_class.unit());
  if (!level || *level >= DomainLevel::kNode) return;
  const bool running = fault_class.clock == FaultClock::kRunning;
  const auto has_job = [&](const std::string& pool) {
    const auto runs_in = [&](const WorkloadConfig& workload) {
      const std::string& name = std::get<TrainingConfig>(workload).pool;
      return (name.empty() ? fleet.pools().front().name : name) == pool;
    };
    return std::any_of(scenario.workloads.begin(), scenario.workloads.end(), runs_in);
  };
  const auto counts = [&](const Fleet::Pool& pool) {
    return (!running || has_job(pool.name)) &&
           fleet.domains().of(NodeSlot(pool.first_slot), *level).has_value();
  };
  if (std::any_of(fleet.pools().begin(), fleet.pools().end(), counts)) return;
  const std::string_view unit = to_string(fault_class.unit());
  problems.add(fmt::format("faults.classes[{}].rate", fault_class.name),
               fmt::format("is counted per {}, but no pool{} has {}s", unit,
                           running ? " with a job" : "", unit));
}

}  // namespace

void check_fault_class(const FaultClassConfig& fault_class, const Scenario& scenario,
                       const Fleet& fleet, FieldProblems& problems) {
  check_signals(fault_class, scenario.detectors, problems);
  check_fault_count(fault_class, scenario, fleet, problems);
  if (fleet.slots() == 0) return;
  check_strikes(fault_class, scenario, fleet, problems);
  check_exposure(fault_class, scenario, fleet, problems);
}

}  // namespace faultline
