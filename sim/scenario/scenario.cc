#include "sim/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/base/limits.h"
#include "models/fleet/fleet.h"
#include "models/observed/condition.h"
#include "policies/registry.h"
#include "sim/scenario/fault_checks.h"
#include "sim/scenario/field_path.h"
#include "sim/scenario/step_checks.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <class T>
Names names_of(const std::vector<T>& list) {
  Names names;
  for (const T& item : list) names.push_back(item.name);
  return names;
}

// The condition types that some reason can set, and Ready.
Names condition_names(const DetectorsConfig& detectors) {
  Names names{"Ready"};
  const auto add = [&](const std::string& name) {
    if (!contains(names, name)) names.push_back(name);
  };
  for (const ReasonConfig& reason : detectors.reasons) add(reason.condition);
  add(detectors.xids.condition);
  return names;
}

// A host that is gone fails one status check.
void check_status_check(const DetectorsConfig& detectors, FieldProblems& problems) {
  const auto by_status_check = [&](const std::string& name) {
    return std::any_of(
        detectors.channels.begin(), detectors.channels.end(), [&](const ChannelConfig& channel) {
          return channel.name == name && std::holds_alternative<StatusCheckChannel>(channel.by);
        });
  };
  if (by_status_check(detectors.xids.channel)) {
    problems.add("detectors.xids.channel",
                 fmt::format("is `{}`, a status check, which looks from outside and sees no Xid",
                             detectors.xids.channel));
  }
  const ReasonConfig* first = nullptr;
  for (const ReasonConfig& reason : detectors.reasons) {
    if (!by_status_check(reason.channel)) continue;
    if (first != nullptr) {
      problems.add(fmt::format("detectors.reasons[{}].channel", reason.name),
                   fmt::format("is a status check, as that of `{}` is: one reason is possible",
                               first->name));
    }
    first = &reason;
  }
}

void check_detectors(const DetectorsConfig& detectors, FieldProblems& problems) {
  const Names channels = names_of(detectors.channels);
  Names monitors;
  for (const ChannelConfig& channel : detectors.channels) monitors.push_back(channel.monitor);
  for (const ReasonConfig& reason : detectors.reasons) {
    if (contains(channels, reason.channel)) continue;
    problems.add(fmt::format("detectors.reasons[{}].channel", reason.name),
                 no_such("channel", reason.channel, channels));
  }
  for (const ReasonConfig& reason : detectors.reasons) {
    const auto channel =
        std::find_if(detectors.channels.begin(), detectors.channels.end(),
                     [&](const ChannelConfig& c) { return c.name == reason.channel; });
    if (channel == detectors.channels.end()) continue;
    const auto* progress = std::get_if<ProgressChannel>(&channel->by);
    if (progress == nullptr || progress->names_machine || reason.severity == Severity::kWarning) {
      continue;
    }
    problems.add(fmt::format("detectors.reasons[{}].severity", reason.name),
                 fmt::format("is fatal, but channel `{}` names no machine whose condition could "
                             "change: make it a warning, or set `names_machine: true`",
                             reason.channel));
  }
  check_status_check(detectors, problems);
  if (!contains(channels, detectors.xids.channel)) {
    problems.add("detectors.xids.channel", no_such("channel", detectors.xids.channel, channels));
  }
  for (std::size_t m = 0; m < detectors.disabled_monitors.size(); ++m) {
    const std::string& monitor = detectors.disabled_monitors[m];
    if (contains(monitors, monitor)) continue;
    problems.add(fmt::format("detectors.disabled_monitors[{}]", m),
                 no_such("monitor", monitor, monitors));
  }
  const std::size_t conditions = condition_names(detectors).size();
  if (conditions > observed::kMaxConditions) {
    problems.add("detectors.reasons",
                 fmt::format("name {} condition types; at most {} are possible", conditions,
                             observed::kMaxConditions));
  }
}

void check_control_plane(const Scenario& scenario, const Names& conditions,
                         FieldProblems& problems) {
  const ControlPlaneFacts facts = facts_of(scenario.policy, scenario.controllers);
  for (const ControlPlaneFacts::NamedCondition& named : facts.conditions) {
    if (named.may_be_missing || contains(conditions, named.name)) continue;
    const std::string problem = no_such("condition type", named.name, conditions);
    if (named.is_key) {
      problems.add_key(named.path, problem);
    } else {
      problems.add(named.path, problem);
    }
  }
}

void check_workloads(const Scenario& scenario, FieldProblems& problems) {
  const Names pools = names_of(scenario.fleet.pools);
  if (pools.empty()) return;  // said already
  if (scenario.workloads.empty()) problems.add("workloads", "has no job");
  std::map<std::string, std::int64_t> taken;
  for (const WorkloadConfig& workload : scenario.workloads) {
    const auto& job = std::get<TrainingConfig>(workload);
    const std::string path = fmt::format("workloads[{}]", job.name);
    const std::string& pool = job.pool.empty() ? pools.front() : job.pool;
    const auto found = std::find(pools.begin(), pools.end(), pool);
    if (found == pools.end()) {
      problems.add(path + ".pool", no_such("pool", pool, pools));
      continue;
    }
    const std::int64_t has =
        scenario.fleet.pools[static_cast<std::size_t>(found - pools.begin())].nodes;
    std::int64_t& used = taken[pool];
    if (job.nodes > has - used) {
      problems.add(
          path + ".nodes",
          used == 0 ? fmt::format("asks for {} nodes, but pool `{}` has {}", job.nodes, pool, has)
                    : fmt::format("asks for {} nodes, but pool `{}` has {}, {} of them "
                                  "taken by the jobs before",
                                  job.nodes, pool, has, used));
    }
    used += job.nodes;
  }
}

// Between two stalls of a node there must be a piece of work and a burst for the closed forms of
// independent nodes to hold (models/detectors/agent_noise.h).
void check_monitoring(const Scenario& scenario, FieldProblems& problems) {
  if (!scenario.detectors.monitoring) return;
  const MonitoringConfig& agent = *scenario.detectors.monitoring;
  if (agent.across_nodes == AcrossNodes::kAligned) return;
  for (const WorkloadConfig& workload : scenario.workloads) {
    const auto& job = std::get<TrainingConfig>(workload);
    const Duration work = Duration::nanoseconds(job.step_length().ns() / job.meetings_per_step);
    if (work + agent.burst * agent.tasks <= agent.period) continue;
    problems.add(
        fmt::format("workloads[{}].meetings_per_step", job.name),
        fmt::format("leaves {} of work between two meetings; with the agent's {} of bursts "
                    "that is more than `detectors.monitoring.period`, {}",
                    to_string(work), to_string(agent.burst * agent.tasks),
                    to_string(agent.period)));
  }
}

// A job with a gang has its pool to itself, and so have its standbys; other work is in another pool.
void check_gangs(const Scenario& scenario, FieldProblems& problems) {
  const Names pools = names_of(scenario.fleet.pools);
  if (pools.empty()) return;  // said already
  const auto pool_of = [&](const TrainingConfig& job) {
    return job.pool.empty() ? pools.front() : job.pool;
  };
  for (const WorkloadConfig& workload : scenario.workloads) {
    const auto& job = std::get<TrainingConfig>(workload);
    if (!job.gang || !contains(pools, pool_of(job))) continue;
    const std::string path = fmt::format("workloads[{}].gang", job.name);
    for (const WorkloadConfig& other_workload : scenario.workloads) {
      const auto& other = std::get<TrainingConfig>(other_workload);
      if (other.name == job.name) continue;
      if (pool_of(other) == pool_of(job)) {
        problems.add(path, fmt::format("needs a pool of its own, but `{}` runs in pool `{}` too",
                                       other.name, pool_of(job)));
      }
      if (!job.gang->preempts.empty() && pool_of(other) == job.gang->preempts) {
        problems.add(path + ".preempts", fmt::format("is the pool of `{}`: only work that is not "
                                                     "simulated can lose its nodes",
                                                     other.name));
      }
      if (other.gang && !job.gang->preempts.empty() && other.gang->preempts == job.gang->preempts &&
          job.name < other.name) {
        problems.add(path + ".preempts",
                     fmt::format("is the pool from which `{}` takes nodes too", other.name));
      }
    }
    const auto find = [&](const std::string& name) -> const PoolConfig& {
      return *std::find_if(scenario.fleet.pools.begin(), scenario.fleet.pools.end(),
                           [&](const PoolConfig& pool) { return pool.name == name; });
    };
    const PoolConfig& own = find(pool_of(job));
    const std::int64_t has = own.nodes + scenario.capacity.warm_spares;
    if (job.gang->standbys > has - job.nodes && job.nodes <= own.nodes) {
      problems.add(path + ".standbys",
                   fmt::format("are {}, but pool `{}` has {} nodes beyond the job's {}",
                               job.gang->standbys, own.name, has - job.nodes, job.nodes));
    }
    if (job.gang->preempts.empty()) continue;
    if (!contains(pools, job.gang->preempts)) {
      problems.add(path + ".preempts", no_such("pool", job.gang->preempts, pools));
    } else if (job.gang->preempts == own.name) {
      problems.add(path + ".preempts", "is the job's own pool");
    } else if (find(job.gang->preempts).gpus_per_node != own.gpus_per_node) {
      problems.add(path + ".preempts", fmt::format("has {} GPUs per node, but pool `{}` has {}",
                                                   find(job.gang->preempts).gpus_per_node, own.name,
                                                   own.gpus_per_node));
    }
  }
}

}  // namespace

void Scenario::check(FieldProblems& problems) const {
  check_detectors(detectors, problems);
  check_control_plane(*this, condition_names(detectors), problems);
  check_workloads(*this, problems);
  check_gangs(*this, problems);
  check_steps(*this, problems);
  check_monitoring(*this, problems);
  if (horizon.is_infinite()) {
    problems.add("horizon", "is infinite, but a run has to end: give a time that is long enough");
    return;
  }
  std::int64_t nodes = 0;
  for (const PoolConfig& pool : fleet.pools) nodes += pool.nodes + capacity.warm_spares;
  if (nodes > kMostNodes) {
    problems.add("fleet.pools",
                 fmt::format("have more than {} nodes, warm spares included", kMostNodes));
    return;
  }
  const Fleet machines(fleet, capacity.warm_spares);
  for (const FaultClassConfig& fault_class : faults.classes) {
    check_fault_class(fault_class, *this, machines, problems);
  }
}

}  // namespace faultline
