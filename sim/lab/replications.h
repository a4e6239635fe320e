// Many replications of one scenario, in parallel.
//
// Replication r is a pure function of (scenario, seed, r): the table is the same, bit for bit, for
// every number of threads and every order of work.
//
// Stopping early (Ctrl-C) keeps what is finished: rows that were not run are absent from
// `finished`.
//
// Thread rule: `run_replications` uses its own threads; call it from one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/engine/metrics.h"
#include "sim/engine/plan.h"
#include "sim/lab/stats/sequential_stopping.h"
#include "sim/lab/stats/statistics.h"

namespace faultline {

struct ReplicationOptions {
  std::uint64_t seed = 1;
  std::uint32_t first = 0;  // the number of the first replication
  std::uint32_t replications = 100;
  int threads = 0;                                   // 0: one per core
  std::function<void(std::uint32_t done)> progress;  // called from any thread, one at a time
  const std::atomic<bool>* stop = nullptr;           // set to finish early
};

struct ReplicationTable {
  std::uint64_t seed = 0;
  std::uint32_t requested = 0;
  std::vector<MetricName> names;
  std::vector<std::uint32_t> finished;      // replication numbers, ascending
  std::vector<std::vector<double>> values;  // values[i]: the metrics of replication finished[i]
  PooledDurations pooled;
  std::uint64_t events = 0;                 // processed in all replications
  std::optional<StoppingOutcome> stopping;  // how it ended, where a rule said how many are enough

  // Over the replications, in the order of `names`.
  std::vector<Summary> summaries() const;
};

ReplicationTable run_replications(const SimulationPlan& plan, const ReplicationOptions& options);

}  // namespace faultline
