#include "sim/scenario/step_checks.h"

#include <fmt/format.h>

namespace faultline {
namespace {

constexpr double kLongestStep = 86400;  // seconds

const PoolConfig* pool_of(const Scenario& scenario, const TrainingConfig& job) {
  for (const PoolConfig& pool : scenario.fleet.pools) {
    if (job.pool.empty() || pool.name == job.pool) return &pool;
  }
  return nullptr;
}

void check_step(const TrainingConfig& job, const PoolConfig& pool, FieldProblems& problems) {
  const std::string path = fmt::format("workloads[{}].", job.name);
  const ParallelismConfig& p = *job.parallelism;
  const double ranks = static_cast<double>(p.tp) * static_cast<double>(p.cp) *
                       static_cast<double>(p.pp) * static_cast<double>(p.dp);
  const double gpus = static_cast<double>(job.nodes) * static_cast<double>(pool.gpus_per_node);
  if (ranks != gpus) {
    problems.add(path + "parallelism",
                 fmt::format("comes to tp {} x cp {} x pp {} x dp {} = {:.0f} ranks, but {} nodes "
                             "of {} GPUs are {:.0f}",
                             p.tp, p.cp, p.pp, p.dp, ranks, job.nodes, pool.gpus_per_node, gpus));
    return;
  }
  const TrainingStep step = training_step(*job.model, p);
  if (step.sequences % p.dp != 0) {
    problems.add(path + "model.sequences_per_step",
                 fmt::format("is {}, which dp {} does not divide", step.sequences, p.dp));
  }
  const double compute = 6 * step.model.parameters * static_cast<double>(step.sequences) *
                         static_cast<double>(step.model.sequence) /
                         (gpus * step.peak_flops * step.kernel_efficiency);
  if (!(compute < kLongestStep)) {
    problems.add(path + "model", fmt::format("needs {:.3g} days of computing for one step",
                                             compute / kLongestStep));
  }
}

}  // namespace

void check_steps(const Scenario& scenario, FieldProblems& problems) {
  bool all_follow = true;
  for (const WorkloadConfig& workload : scenario.workloads) {
    const auto& job = std::get<TrainingConfig>(workload);
    const bool follows = job.parallelism && job.model;
    all_follow = all_follow && follows;
    const PoolConfig* const pool = pool_of(scenario, job);
    if (!follows || pool == nullptr) continue;  // said already
    if (!scenario.fleet.fabric) {
      problems.add(fmt::format("workloads[{}].parallelism", job.name),
                   "needs `fleet.fabric`: the step time follows from the network");
    }
    check_step(job, *pool, problems);
  }
  for (const FaultClassConfig& fault_class : scenario.faults.classes) {
    if (!fault_class.degrades) continue;
    const std::string path = fmt::format("faults.classes[{}].degrades", fault_class.name);
    if (!scenario.fleet.fabric) {
      problems.add(path, "needs `fleet.fabric`: without a network nothing of it can be degraded");
    } else if (!all_follow) {
      problems.add(path,
                   "needs `parallelism` and `model` in every job: what the fault costs follows "
                   "from the steps");
    }
    if (fault_class.degrades->part == DegradedPart::kCore && scenario.fleet.fabric &&
        scenario.fleet.fabric->topology != FabricTopology::kThreeLayer) {
      problems.add(path + ".part", "is a core switch, which only a `three-layer` fabric has");
    }
  }
}

}  // namespace faultline
