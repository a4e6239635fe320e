// Runs what an experiment needs, once.
//
// An experiment asks for the first n replications of some points; the runner takes from the result store
// what is there, runs the rest on all cores, writes each finished replication to the store, and hands
// out the rows. An experiment is therefore resumable without knowing it: killed at any instant, the same
// command finds what was finished and runs only what is missing. Replication r of every point is driven
// by the same randomness (common random numbers), so rows with the same number are paired.
//
// Rows are a pure function of (scenario, seed, replication): the same for every number of threads, every
// order of work, with and without a store, and for every way of sharding.
//
// Errors: a result store that cannot be read or written ends `run` early, and `problem` says why. A
// replication that fails a check of ours is noted in the store with its text, the others are finished,
// and then InternalError is thrown.
//
// Thread rule: call it from one thread; it uses its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/lab/point.h"
#include "sim/lab/shard.h"

namespace faultline {

class ResultStore;

// The finished replications of one point.
struct Rows {
  std::vector<std::uint32_t> finished;      // replication numbers, ascending
  std::vector<std::vector<double>> values;  // values[i][m]: metric m of replication finished[i]
};

struct RunnerOptions {
  std::uint64_t seed = 1;
  int threads = 0;  // 0: one per core
  Shard shard;      // runs only these; rows of others come from the store, if they are there
  ResultStore* store = nullptr;
  // Pool the durations, too. What is in the store without them is simulated again.
  bool durations = false;
  // Replications done and to do in this call; from any thread, one at a time.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  const std::atomic<bool>* stop = nullptr;  // set to finish early
};

class Runner {
 public:
  struct Need {
    const Point* point;
    std::uint32_t replications;  // 0 .. n-1
  };

  explicit Runner(RunnerOptions options) : options_(std::move(options)) {}

  // Brings every need to its number of replications. False if it was stopped before, or had a problem.
  bool run(const std::vector<Need>& needs);
  // With the result store, if there was one: the results are not complete, and not safe.
  const std::optional<std::string>& problem() const { return problem_; }
  // What is there of a point; empty if nothing was asked.
  const Rows& rows(const Point& point) const;
  // Over these rows, if they were asked for.
  const PooledDurations& durations(const Point& point) { return pool(point); }
  // No replication of any point is there.
  bool empty() const { return rows_.empty(); }
  // Replications that were simulated, not taken from the store, in all calls.
  std::uint64_t simulated() const { return simulated_; }
  std::uint64_t events() const { return events_; }  // of these
  // Replications that were taken from the store.
  std::uint64_t stored() const;
  struct Missing {
    const Point* point;
    std::uint32_t replication;
  };
  // What `run` would simulate, point by point, in the order of the needs.
  std::vector<Missing> missing(const std::vector<Need>& needs);
  // On how many threads.
  int threads() const;
  const RunnerOptions& options() const { return options_; }

 private:
  PooledDurations& pool(const Point& point);
  // Takes from the store what the needs ask for.
  void load(const std::vector<Need>& needs);

  RunnerOptions options_;
  std::map<std::string, Rows> rows_;  // by the hash of the point
  std::map<std::string, PooledDurations> durations_;
  std::map<std::string, std::uint32_t> loaded_;  // so many from the store
  std::optional<std::string> problem_;
  std::uint64_t simulated_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace faultline
