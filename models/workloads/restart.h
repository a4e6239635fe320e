// How long a restart takes, and when the one that succeeds begins.
//
// Phases after the interruption: tear-down; then, from the *begin* of a restart: scheduling, image
// and start, process-group set-up (grows with the ranks), checkpoint load.
//
//   length = scheduling + image + (nccl_init + nccl_init_per_1000_ranks x ranks / 1000) + load
//
// Crash loop. With `on_sick_node`, containers restart where they failed: attempt k begins a
// back-off after the failure before it (10 s, doubled each time, at most 5 min), and on a node that
// is still sick it fails when the training script touches the GPU, i.e. after scheduling + image.
// The attempt that succeeds is the first that gets there at or after the time when the last node is
// fit again. Failed attempts cost no events: they are counted by arithmetic.
//
// Without `on_sick_node`, or when the last node that held the job was replaced (its pods are new,
// and the gang is created anew), the restart begins at once.
//
// Worked example: stopped at 0, tear-down 15 s, scheduling + image 30 s, node fit at 100 s.
// Attempts begin at 25 s (fails at 55), 75 s (gets to the GPU at 105 s >= 100 s: succeeds). One
// failed attempt.
//
// Source: Kubernetes pod lifecycle, container restart back-off.
// Thread rule: pure functions of an immutable config.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/base/time.h"
#include "models/workloads/training_config.h"

namespace faultline {

struct RestartStart {
  SimTime at;
  std::uint32_t failed_attempts = 0;
};

class RestartRules {
 public:
  RestartRules(const TrainingConfig& config, std::uint64_t ranks)
      : config_(config.restart),
        until_gpu_(config_.scheduling + config_.image),
        length_(until_gpu_ + config_.nccl_init +
                Duration::nanoseconds(config_.nccl_init_per_1000_ranks.ns() *
                                      static_cast<std::int64_t>(ranks) / 1000) +
                config.checkpoint.load) {}

  Duration tear_down() const { return config_.tear_down; }
  // From the begin of a restart to where it fails on a sick node.
  Duration until_gpu() const { return until_gpu_; }
  // From the begin of a restart to the first step.
  Duration length() const { return length_; }

  Duration backoff(std::uint32_t failures) const {
    Duration backoff = config_.backoff;
    for (; failures > 0 && backoff < config_.backoff_max; --failures) backoff = backoff * 2;
    return std::min(backoff, config_.backoff_max);
  }

  // In place: the processes have ended at `idle`, `failures` restarts in a row had failed before,
  // every node is fit from `fit` on.
  RestartStart in_place(SimTime idle, SimTime fit, std::uint32_t failures) const {
    if (!config_.on_sick_node) return {.at = std::max(idle, fit)};
    RestartStart start{.at = idle + backoff(failures)};
    while (start.at + until_gpu_ < fit) {
      ++start.failed_attempts;
      const Duration pause = backoff(failures + start.failed_attempts);
      start.at = start.at + until_gpu_ + pause;
      if (pause == config_.backoff_max && until_gpu_ + pause > Duration::zero()) {
        // From here on attempts are equally far apart: jump.
        const Duration apart = until_gpu_ + pause;
        const Duration missing = fit - (start.at + until_gpu_);
        if (missing > Duration::zero()) {
          const std::int64_t jumps = (missing.ns() + apart.ns() - 1) / apart.ns();
          start.failed_attempts += static_cast<std::uint32_t>(jumps);
          start.at = start.at + apart * jumps;
        }
        break;
      }
      if (until_gpu_ + pause == Duration::zero()) {  // no time passes between attempts
        start.at = fit;
        break;
      }
    }
    return start;
  }

 private:
  const RestartConfig& config_;
  Duration until_gpu_;
  Duration length_;
};

}  // namespace faultline
