// A training job as a scenario describes it: one gang of nodes that steps, checkpoints and restarts
// together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "models/base/limits.h"
#include "models/collectives/stall.h"
#include "models/workloads/gang_config.h"
#include "models/workloads/step_config.h"

namespace faultline {

// How long the network's transport waits for a link that carries nothing; see
// models/collectives/stall.h. The defaults are 4.096 us x 2^20 x 7 = 30.06 s.
struct TransportConfig {
  std::int64_t ib_timeout = 20;
  std::int64_t ib_retry_cnt = 7;

  Duration retry_budget() const {
    return faultline::retry_budget(
        {.timeout = static_cast<int>(ib_timeout), .retries = static_cast<int>(ib_retry_cnt)});
  }

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("ib_timeout", &TransportConfig::ib_timeout,
          {.help = "NCCL_IB_TIMEOUT: a message is sent again after 4.096 us x 2^this (NCCL: 20, in "
                   "older releases 18 or 14).",
           .at_least = 1,
           .at_most = 31});
    visit("ib_retry_cnt", &TransportConfig::ib_retry_cnt,
          {.help = "NCCL_IB_RETRY_CNT: how often it is sent again before the queue pair fails "
                   "(NCCL: 7, which is the most that InfiniBand knows).",
           .at_least = 0,
           .at_most = 7});
  }
};

struct CheckpointConfig {
  Duration every = 10_min;
  Duration blocks = 5_s;
  Duration write;
  Duration load = 2_min;
  std::int64_t verified_every = 1;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("every", &CheckpointConfig::every,
          {.help = "Work between two checkpoints, at full speed; `infinite`: there are none.",
           .more_than_zero = true});
    visit(
        "blocks", &CheckpointConfig::blocks,
        {.help =
             "Time for which a checkpoint stops the steps (a synchronous checkpoint: all of it)."});
    visit(
        "write", &CheckpointConfig::write,
        {.help = "Asynchronous part: time after `blocks` until the checkpoint is durable. A fault "
                 "before that falls back to the one before."});
    visit("load", &CheckpointConfig::load, {.help = "Time to load a checkpoint at a restart."});
    visit("verified_every", &CheckpointConfig::verified_every,
          {.help =
               "Every how many checkpoints one is known to be free of corruption and kept for it.",
           .more_than_zero = true});
  }

  void check(FieldProblems& problems) const {
    if (write > every) problems.add("write", "is longer than `every`: checkpoints would pile up");
  }
};

struct RestartConfig {
  Duration tear_down = 15_s;
  Duration scheduling = 10_s;
  Duration image = 20_s;
  Duration nccl_init = 5_s;
  Duration nccl_init_per_1000_ranks = 2760_ms;
  bool on_sick_node = true;
  Duration backoff = 10_s;
  Duration backoff_max = 5_min;
  Duration backoff_reset = 10_min;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("tear_down", &RestartConfig::tear_down,
          {.help = "Time from the interruption until every process has ended."});
    visit("scheduling", &RestartConfig::scheduling,
          {.help = "Time to place the gang once every node is there."});
    visit("image", &RestartConfig::image,
          {.help = "Time to pull the image, start the containers and the training script."});
    visit("nccl_init", &RestartConfig::nccl_init,
          {.help = "Time to set the process groups up, the part that does not grow."});
    visit("nccl_init_per_1000_ranks", &RestartConfig::nccl_init_per_1000_ranks,
          {.help = "Time to set the process groups up, for every 1,000 ranks (GPUs)."});
    visit(
        "on_sick_node", &RestartConfig::on_sick_node,
        {.help = "true: containers restart on the node where they failed, again and again, with a "
                 "back-off (the default of Kubernetes). false: the job waits until its nodes are "
                 "fit."});
    visit("backoff", &RestartConfig::backoff,
          {.help = "Back-off before the first container restart; doubles with each failure."});
    visit("backoff_max", &RestartConfig::backoff_max, {.help = "Largest back-off."});
    visit("backoff_reset", &RestartConfig::backoff_reset,
          {.help = "A job that has run for so long starts again with the first back-off."});
  }

  void check(FieldProblems& problems) const {
    if (backoff > backoff_max) problems.add("backoff", "is longer than `backoff_max`");
  }
};

// What the control plane sees of a job's pods.
struct PodsConfig {
  Duration grace = 30_s;
  std::optional<std::int64_t> max_unavailable;
  bool do_not_disrupt = false;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("grace", &PodsConfig::grace,
          {.help = "terminationGracePeriodSeconds: how long a pod that is deleted may go on. A "
                   "forced drain "
                   "shortens it."});
    visit(
        "max_unavailable", &PodsConfig::max_unavailable,
        {.help =
             "A PodDisruptionBudget: so many pods may be away before a graceful drain has to wait. "
             "Absent: there is no budget. A forced drain does not ask.",
         .at_least = 0});
    visit("do_not_disrupt", &PodsConfig::do_not_disrupt,
          {.help = "karpenter.sh/do-not-disrupt: a graceful drain waits for the pods to end by "
                   "themselves."});
  }
};

struct TrainingConfig {
  static constexpr std::string_view kTag = "training";
  std::string name;
  std::string pool;
  std::int64_t nodes = 0;
  std::optional<Duration> work;
  std::optional<GangConfig> gang;
  std::optional<Duration> step;
  std::optional<ParallelismConfig> parallelism;
  std::optional<ModelConfig> model;
  std::int64_t meetings_per_step = 1;
  std::int64_t spare_cores = 0;
  CheckpointConfig checkpoint;
  RestartConfig restart;
  Distribution crash_surfaces;
  Duration nccl_timeout = 10_min;
  Duration nccl_heartbeat_timeout = 8_min;
  Duration nccl_dump = 15_s;
  std::optional<Duration> progress_timeout;
  TransportConfig transport;
  Duration unreachable_toleration = 5_min;
  PodsConfig pods;
  bool may_move = true;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &TrainingConfig::name, {.help = "Name of the job.", .required = true});
    visit("pool", &TrainingConfig::pool,
          {.help = "The pool that it runs in; empty: the first one."});
    visit("nodes", &TrainingConfig::nodes,
          {.help = "Nodes of the gang; all are needed.",
           .required = true,
           .more_than_zero = true,
           .at_most = kMostNodes});
    visit("work", &TrainingConfig::work,
          {.help = "Work after which the job is done, as time at full speed without checkpoints. A "
                   "run ends when every job is done, at the horizon at the latest. Absent: it has "
                   "no end.",
           .more_than_zero = true});
    visit("gang", &TrainingConfig::gang,
          {.help = "Standbys inside the job, the selection of hosts, and nodes taken from other "
                   "work. The job then has the pool to itself. Absent: lost nodes are replaced by "
                   "`capacity.warm_spares`, or waited for in their own slot."});
    visit(
        "step", &TrainingConfig::step,
        {.help = "Time of one training step; checkpoints fall on step boundaries. Absent: 6 s, or "
                 "what follows from `parallelism`, `model` and the fabric.",
         .more_than_zero = true});
    visit("parallelism", &TrainingConfig::parallelism,
          {.help = "How the model is spread over the GPUs. With it and `model`, the step time "
                   "follows from `fleet.fabric`, and so does what a degraded part costs."});
    visit("model", &TrainingConfig::model,
          {.help = "Shape of the model and what its GPUs reach; goes with `parallelism`."});
    visit("meetings_per_step", &TrainingConfig::meetings_per_step,
          {.help = "Times in a step at which every rank waits for all others; matters with "
                   "`detectors.monitoring` only.",
           .more_than_zero = true});
    visit("spare_cores", &TrainingConfig::spare_cores,
          {.help = "Cores of a node that serve no rank, on which an agent disturbs nobody; matters "
                   "with `detectors.monitoring` only.",
           .at_least = 0});
    visit("checkpoint", &TrainingConfig::checkpoint, {.help = "Checkpoints."});
    visit("restart", &TrainingConfig::restart, {.help = "What a restart takes."});
    visit("crash_surfaces", &TrainingConfig::crash_surfaces,
          {.help =
               "Time from a crash on one rank until the error has stopped every rank. No progress "
               "is made meanwhile."});
    visit("nccl_timeout", &TrainingConfig::nccl_timeout,
          {.help =
               "Watchdog of the collectives: time from the enqueue to the abort (PyTorch: 10 min).",
           .more_than_zero = true});
    visit("nccl_heartbeat_timeout", &TrainingConfig::nccl_heartbeat_timeout,
          {.help = "Heartbeat monitor that ends a process whose watchdog thread is stuck (PyTorch: "
                   "8 min).",
           .more_than_zero = true});
    visit("nccl_dump", &TrainingConfig::nccl_dump,
          {.help = "Time that the flight recorder's dump takes before the abort (PyTorch: 15 s)."});
    visit(
        "progress_timeout", &TrainingConfig::progress_timeout,
        {.help = "A monitor of the job's own ends it when it has made no step for so long, without "
                 "a dump: it cuts a hang (and a flap) shorter than the watchdog does. Counted from "
                 "the instant at which the collective hangs. Absent: there is none.",
         .more_than_zero = true});
    visit("transport", &TrainingConfig::transport,
          {.help = "How long the network's transport bears a link that flaps."});
    visit(
        "unreachable_toleration", &TrainingConfig::unreachable_toleration,
        {.help =
             "tolerationSeconds of its pods for the taint node.kubernetes.io/unreachable, which a "
             "node has while it is Ready=Unknown: after that they are marked for deletion, and the "
             "job stops when the kubelet is back (Kubernetes: 5m, by DefaultTolerationSeconds); "
             "`infinite`: they stay."});
    visit("pods", &TrainingConfig::pods, {.help = "What the control plane sees of its pods."});
    visit("may_move", &TrainingConfig::may_move,
          {.help = "true: a lost node's share moves to a warm spare. false: the job waits for the "
                   "replacement in the same slot."});
  }

  // Given, or found by the plan of the simulation.
  Duration step_length() const { return step.value_or(6_s); }

  void check(FieldProblems& problems) const {
    if (gang && gang->preempts.empty() && gang->preemption > Duration::zero()) {
      problems.add("gang.preemption", "takes time, but `gang.preempts` names no pool");
    }
    if (parallelism && !model) problems.add("parallelism", "needs `model` beside it");
    if (model && !parallelism) problems.add("model", "needs `parallelism` beside it");
    if (parallelism && step) {
      problems.add("step",
                   "follows from `parallelism`: leave it out, or write `step: null` over "
                   "an inherited one");
    }
    if (!parallelism && step_length() > checkpoint.every) {
      problems.add("step", "is longer than `checkpoint.every`");
    }
    if (progress_timeout && *progress_timeout <= std::max(step_length(), checkpoint.blocks)) {
      problems.add("progress_timeout",
                   "is not longer than a step and `checkpoint.blocks`: it would end a job that is "
                   "well");
    }
    if (step_length().ns() < meetings_per_step) {
      problems.add("meetings_per_step", "leaves less than 1ns of work between two meetings");
    }
  }
};

using WorkloadConfig = std::variant<TrainingConfig>;

}  // namespace faultline
