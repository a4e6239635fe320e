#include "sim/lab/replications.h"

#include <utility>

#include "sim/lab/metric_values.h"
#include "sim/lab/parallel_replications.h"

namespace faultline {
std::vector<Summary> ReplicationTable::summaries() const {
  return faultline::summaries(names, values);
}

ReplicationTable run_replications(const SimulationPlan& plan, const ReplicationOptions& options) {
  ReplicationTable table{.seed = options.seed,
                         .requested = options.replications,
                         .names = metric_names(plan),
                         .pooled = PooledDurations(plan)};
  std::vector<ReplicationTask> tasks;
  tasks.reserve(options.replications);
  for (std::uint32_t r = 0; r < options.replications; ++r) {
    tasks.push_back({&plan, options.first + r});
  }
  std::vector<std::vector<double>> rows(options.replications);
  std::uint32_t done = 0;
  run_in_parallel(tasks,
                  {.seed = options.seed,
                   .threads = options.threads,
                   .stop = [&] { return options.stop != nullptr && options.stop->load(); },
                   .finished =
                       [&](std::size_t r, const std::vector<double>& values, const std::string&) {
                         rows[r] = values;
                         if (options.progress) options.progress(++done);
                       },
                   .failed = nullptr,
                   .retired =
                       [&](const ReplicationWorker& worker) {
                         worker.pool_into(table.pooled);
                         table.events += worker.events();
                       }});

  for (std::uint32_t r = 0; r < options.replications; ++r) {
    if (rows[r].empty()) continue;
    table.finished.push_back(options.first + r);
    table.values.push_back(std::move(rows[r]));
  }
  return table;
}

}  // namespace faultline
