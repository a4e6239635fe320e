#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/idle_rules.h"

namespace faultline::idle {
namespace {

// Calls `look(job, standard, add)` for each job, which may `add(FIELD, TURNED, WHY)`.
template <class Look>
void each_job(const Scenario& scenario, FieldProblems& idle, Look look) {
  const TrainingConfig standard;
  for (const WorkloadConfig& workload : scenario.workloads) {
    const auto& job = std::get<TrainingConfig>(workload);
    look(job, standard, [&](const char* field, bool turned, const char* why) {
      if (!turned) return;
      idle.add_key(fmt::format("workloads[{}].{}", job.name, field),
                   fmt::format("has no effect: {}", why));
    });
  }
}

bool has_effect(const Scenario& scenario, FaultEffect effect) {
  return std::any_of(scenario.faults.classes.begin(), scenario.faults.classes.end(),
                     [&](const FaultClassConfig& c) { return c.effect == effect; });
}

bool has_hang(const Scenario& scenario, HangEnd end) {
  return std::any_of(scenario.faults.classes.begin(), scenario.faults.classes.end(),
                     [&](const FaultClassConfig& c) {
                       return c.effect == FaultEffect::kHang && c.hang_end() == end;
                     });
}

}  // namespace

void cores_that_no_agent_takes(const Scenario& scenario, FieldProblems& idle) {
  if (scenario.detectors.monitoring) return;
  each_job(scenario, idle,
           [](const TrainingConfig& job, const TrainingConfig& standard, const auto& add) {
             const char* const why = "it matters with `detectors.monitoring` only";
             add("meetings_per_step", job.meetings_per_step != standard.meetings_per_step, why);
             add("spare_cores", job.spare_cores != standard.spare_cores, why);
           });
}

void settings_of_absent_checkpoints(const Scenario& scenario, FieldProblems& idle) {
  each_job(scenario, idle,
           [](const TrainingConfig& job, const TrainingConfig& standard, const auto& add) {
             if (!job.checkpoint.every.is_infinite()) return;
             const char* const why = "`checkpoint.every` is infinite, so none is ever saved";
             add("checkpoint.blocks", job.checkpoint.blocks != standard.checkpoint.blocks, why);
             add("checkpoint.write", job.checkpoint.write != standard.checkpoint.write, why);
             add("checkpoint.verified_every",
                 job.checkpoint.verified_every != standard.checkpoint.verified_every, why);
           });
}

void verification_without_corruption(const Scenario& scenario, FieldProblems& idle) {
  if (has_effect(scenario, FaultEffect::kSilent)) return;
  each_job(scenario, idle,
           [](const TrainingConfig& job, const TrainingConfig& standard, const auto& add) {
             if (job.checkpoint.every.is_infinite()) return;  // said already
             add("checkpoint.verified_every",
                 job.checkpoint.verified_every != standard.checkpoint.verified_every,
                 "no fault class has `effect: silent`, so every checkpoint is sound");
           });
}

void timeouts_without_hangs(const Scenario& scenario, FieldProblems& idle) {
  // (a flap that outlasts the watchdog is ended by it)
  const bool flaps = has_effect(scenario, FaultEffect::kFlap);
  const bool watchdog = flaps || has_hang(scenario, HangEnd::kWatchdog);
  const bool heartbeat = has_hang(scenario, HangEnd::kHeartbeat);
  each_job(scenario, idle,
           [&](const TrainingConfig& job, const TrainingConfig& standard, const auto& add) {
             add("nccl_timeout", !watchdog && job.nccl_timeout != standard.nccl_timeout,
                 "no fault class hangs until the watchdog ends it (`effect: hang` or `flap`)");
             add("nccl_heartbeat_timeout",
                 !heartbeat && job.nccl_heartbeat_timeout != standard.nccl_heartbeat_timeout,
                 "no fault class has `hang_ends_by: heartbeat`");
             const char* const why = "no fault class hangs (`effect: hang` or `flap`)";
             const bool hangs = watchdog || heartbeat;
             add("nccl_dump", !hangs && job.nccl_dump != standard.nccl_dump, why);
             add("progress_timeout", !hangs && job.progress_timeout.has_value(), why);
           });
}

void transport_without_flaps(const Scenario& scenario, FieldProblems& idle) {
  if (has_effect(scenario, FaultEffect::kFlap)) return;
  each_job(
      scenario, idle,
      [](const TrainingConfig& job, const TrainingConfig& standard, const auto& add) {
        const char* const why = "no fault class has `effect: flap`, so no message is sent again";
        add("transport.ib_timeout", job.transport.ib_timeout != standard.transport.ib_timeout, why);
        add("transport.ib_retry_cnt", job.transport.ib_retry_cnt != standard.transport.ib_retry_cnt,
            why);
      });
}

void backoff_without_retries(const Scenario& scenario, FieldProblems& idle) {
  each_job(scenario, idle,
           [](const TrainingConfig& job, const TrainingConfig& standard, const auto& add) {
             if (job.restart.on_sick_node) return;
             const char* const why =
                 "`restart.on_sick_node` is false, so the first restart waits until it can succeed";
             add("restart.backoff", job.restart.backoff != standard.restart.backoff, why);
             add("restart.backoff_max", job.restart.backoff_max != standard.restart.backoff_max,
                 why);
             add("restart.backoff_reset",
                 job.restart.backoff_reset != standard.restart.backoff_reset, why);
           });
}

void standbys_that_are_none(const Scenario& scenario, FieldProblems& idle) {
  each_job(scenario, idle,
           [](const TrainingConfig& job, const TrainingConfig& standard, const auto& add) {
             if (!job.gang) return;
             add("gang.refill_standbys", job.gang->refill_standbys && job.gang->standbys == 0,
                 "`gang.standbys` is 0");
             add("may_move", job.may_move != standard.may_move,
                 "a job with a `gang` takes its nodes from the gang's own line");
           });
}

void overlap_of_absent_traffic(const Scenario& scenario, FieldProblems& idle) {
  each_job(scenario, idle, [](const TrainingConfig& job, const TrainingConfig&, const auto& add) {
    if (!job.parallelism || !job.model) return;
    add("parallelism.virtual_stages",
        job.parallelism->pp == 1 &&
            job.parallelism->virtual_stages != ParallelismConfig{}.virtual_stages,
        "`parallelism.pp` is 1, so there is no pipeline with a bubble");
    add("model.tp_overlap",
        job.parallelism->tp == 1 && job.model->tp_overlap != ModelConfig{}.tp_overlap,
        "`parallelism.tp` is 1, so there is no tensor parallel traffic");
    add("model.dp_overlap",
        job.parallelism->dp == 1 && job.model->dp_overlap != ModelConfig{}.dp_overlap,
        "`parallelism.dp` is 1, so there is no data parallel traffic");
  });
}

}  // namespace faultline::idle
