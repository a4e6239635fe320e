#include "sim/lab/replications.h"

#include <utility>

#include "sim/lab/metric_values.h"
#include "sim/lab/parallel_replications.h"

namespace faultline {
namespace {

void append(ReplicationTable& table, ReplicationTable more) {
  table.requested += more.requested;
  table.finished.insert(table.finished.end(), more.finished.begin(), more.finished.end());
  for (std::vector<double>& row : more.values) table.values.push_back(std::move(row));
  table.pooled.add(more.pooled);
  table.events += more.events;
}

}  // namespace

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
  run_in_parallel(tasks, {.seed = options.seed,
                          .threads = options.threads,
                          .stop = [&] { return options.stop != nullptr && options.stop->load(); },
                          .finished =
                              [&](std::size_t r, const std::vector<double>& values) {
                                rows[r] = values;
                                if (options.progress) options.progress(++done);
                              },
                          .failed = nullptr,
                          .retired =
                              [&](const ReplicationWorker& worker) {
                                table.pooled.add(worker.pooled());
                                table.events += worker.events();
                              }});

  for (std::uint32_t r = 0; r < options.replications; ++r) {
    if (rows[r].empty()) continue;
    table.finished.push_back(options.first + r);
    table.values.push_back(std::move(rows[r]));
  }
  return table;
}

ReplicationTable run_until_precise(
    const SimulationPlan& plan, ReplicationOptions options, const StoppingRule& rule,
    std::size_t metric,
    const std::function<void(std::uint32_t done, std::uint32_t total)>& progress) {
  std::uint32_t next = first_look(rule);
  options.progress = [&](std::uint32_t done) { progress(options.first + done, next); };
  options.first = 0;
  options.replications = next;
  ReplicationTable table = run_replications(plan, options);
  while (true) {
    const MeanEstimate estimate = mean_estimate(metric_values(table.names, table.values, metric));
    const StoppingLook now = look(rule, next, estimate);
    const bool interrupted = table.finished.size() < table.requested;
    if (interrupted || now.next == next) {
      table.stopping = {.replications = static_cast<std::uint32_t>(table.finished.size()),
                        .half_width = estimate.interval(rule.confidence).half_width(),
                        .target = rule.precision.target(estimate.mean),
                        .reached = now.reached && !interrupted,
                        .capped = now.capped && !interrupted};
      return table;
    }
    options.first = next;
    options.replications = now.next - next;
    next = now.next;
    append(table, run_replications(plan, options));
  }
}

}  // namespace faultline
