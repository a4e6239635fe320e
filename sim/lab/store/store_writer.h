// Writes finished replications to a result store, in batches, on a thread of its own: a thread that simulates
// never waits for the disk.
//
// A batch is written when it has 64 replications or is half a second old, in one transaction per point.
//
// Errors: after the first one nothing more is written; `broken` says so while the work goes on, `finish` with
// which sentence.
//
// Thread rule: `add`, `add_failure` and `broken` from any thread. The store belongs to the writer until `finish`.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <tl/expected.hpp>
#include <vector>

#include "sim/lab/point.h"

namespace faultline {

class ResultStore;

class StoreWriter {
 public:
  // No store: everything is dropped.
  StoreWriter(ResultStore* store, std::uint64_t seed);
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;
  ~StoreWriter();

  // `durations`: empty, or as ResultStore::add wants them.
  void add(const Point& point, std::uint32_t replication, const std::vector<double>& values,
           const std::string& durations);
  void add_failure(const Point& point, std::uint32_t replication, const std::string& what);
  bool broken() const { return broken_; }

  // Writes what is left, and ends the thread.
  tl::expected<void, std::string> finish();

 private:
  struct Finished {
    const Point* point = nullptr;
    std::uint32_t replication = 0;
    std::vector<double> values;  // empty: it failed
    std::string durations;
    std::string failure;
  };
  void add(Finished finished);
  void work();
  void write(std::vector<Finished> batch);

  ResultStore* const store_;
  const std::uint64_t seed_;
  std::mutex mutex_;  // pending_ and over_
  std::condition_variable wake_;
  std::vector<Finished> pending_;
  bool over_ = false;
  std::atomic<bool> broken_ = false;
  std::string problem_;  // of the writing thread, until it has ended
  std::thread thread_;
};

}  // namespace faultline
