#include "sim/lab/replications.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <mutex>

#include "sim/engine/simulation.h"

namespace faultline {
namespace {

// What one thread keeps from replication to replication.
struct Worker {
  explicit Worker(const SimulationPlan& plan)
      : simulation(plan), pooled(plan), metrics(plan, pooled) {}
  Simulation simulation;
  PooledDurations pooled;
  RunMetrics metrics;
  std::uint64_t events = 0;
};

}  // namespace

std::vector<Summary> ReplicationTable::summaries() const {
  std::vector<Summary> summaries;
  summaries.reserve(names.size());
  std::vector<double> column(values.size());
  for (std::size_t m = 0; m < names.size(); ++m) {
    for (std::size_t row = 0; row < values.size(); ++row) column[row] = values[row][m];
    summaries.push_back(summarise(column));
  }
  return summaries;
}

ReplicationTable run_replications(const SimulationPlan& plan, const ReplicationOptions& options) {
  tbb::enumerable_thread_specific<Worker> workers([&] { return Worker(plan); });
  std::vector<std::vector<double>> rows(options.replications);
  std::mutex progress;
  std::uint32_t done = 0;

  tbb::task_arena arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, options.replications, 1),
                      [&](const tbb::blocked_range<std::uint32_t>& range) {
                        Worker& worker = workers.local();
                        for (std::uint32_t r = range.begin(); r != range.end(); ++r) {
                          if (options.stop != nullptr && options.stop->load()) return;
                          worker.metrics.begin();
                          worker.events +=
                              worker.simulation.run(RandomSource(options.seed, r), worker.metrics);
                          rows[r] = worker.metrics.values();
                          if (options.progress) {
                            const std::lock_guard lock(progress);
                            options.progress(++done);
                          }
                        }
                      });
  });

  ReplicationTable table{.seed = options.seed,
                         .requested = options.replications,
                         .names = metric_names(plan),
                         .pooled = PooledDurations(plan)};
  for (std::uint32_t r = 0; r < options.replications; ++r) {
    if (rows[r].empty()) continue;
    table.finished.push_back(r);
    table.values.push_back(std::move(rows[r]));
  }
  for (const Worker& worker : workers) {
    table.pooled.add(worker.pooled);
    table.events += worker.events;
  }
  return table;
}

}  // namespace faultline
