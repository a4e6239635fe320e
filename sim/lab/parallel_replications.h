// The parallel loop under every experiment: replications of one or more plans on all cores.
//
// Each thread keeps one `ReplicationWorker` and makes another one when it comes to a task of another
// plan; list the tasks plan by plan, so that few are made.
//
// What is simulated is a pure function of (plan, seed, replication); only the order in which tasks are
// finished depends on the threads.
//
// Errors: a failed check of our own (InternalError) in a replication is thrown again, with the
// replication's number, when the loop has ended. Without `failed` it ends the loop early.
//
// Thread rule: call it from one thread. The callbacks come from any thread, one at a time (`stop` apart).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/metrics.h"
#include "sim/engine/plan.h"
#include "sim/engine/simulation.h"
#include "sim/lab/durations_text.h"

namespace faultline {

// What one thread keeps from replication to replication.
class ReplicationWorker {
 public:
  explicit ReplicationWorker(const SimulationPlan& plan)
      : plan_(plan), simulation_(plan), pooled_(plan), metrics_(plan, pooled_) {}

  // The values of the metrics; valid until the next run.
  const std::vector<double>& run(std::uint64_t seed, std::uint32_t replication) {
    metrics_.begin();
    events_ += simulation_.run(RandomSource(seed, replication), metrics_);
    return metrics_.values();
  }

  const SimulationPlan& plan() const { return plan_; }
  // What the runs since the last call added to the pooled durations (durations_text.h).
  std::string take_durations() {
    std::string text = durations_to_text(pooled_);
    if (!taken_) taken_.emplace(plan_);
    move_durations(pooled_, *taken_);
    return text;
  }
  // Adds the durations of all its runs.
  void pool_into(PooledDurations& into) const {
    into.add(pooled_);
    if (taken_) into.add(*taken_);
  }
  std::uint64_t events() const { return events_; }

 private:
  const SimulationPlan& plan_;
  Simulation simulation_;
  PooledDurations pooled_;
  std::optional<PooledDurations> taken_;
  RunMetrics metrics_;
  std::uint64_t events_ = 0;
};

struct ReplicationTask {
  const SimulationPlan* plan = nullptr;
  std::uint32_t replication = 0;
};

struct ParallelOptions {
  std::uint64_t seed = 1;
  int threads = 0;             // 0: one per core
  bool durations = false;      // of each replication, as text
  std::function<bool()> stop;  // true: finish early; from all threads at once
  std::function<void(std::size_t task, const std::vector<double>& values,
                     const std::string& durations)>
      finished;
  // A replication ended in an internal error; the others go on.
  std::function<void(std::size_t task, const std::string& what)> failed;
  // A worker is done for good.
  std::function<void(const ReplicationWorker& worker)> retired;
};

// How many threads a number of the user's means: 0 is one per core.
int threads_used(int threads);

void run_in_parallel(const std::vector<ReplicationTask>& tasks, const ParallelOptions& options);

}  // namespace faultline
