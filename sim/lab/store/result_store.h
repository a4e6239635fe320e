// Results on disk: an SQLite file (WAL) that every experiment can write to and continue from.
//
// Replications are committed in batches; a kill at any instant loses at most those that were not committed,
// and never leaves a half-written one. The schema is documented in sim/lab/MODEL.md; scenarios are stored
// with their full text, so a store explains itself.
//
// One process holds the file at a time, from `open` on: a second one waits up to `patience`, then says who
// holds it. The lock is the kernel's, so it ends with the process, however that ends.
// Rows are used again only if scenario text, seed and the engine's version (sim/lab/store/version.h) are the same.
//
// Errors: sentences (a full disk, a file that is no database, a newer schema); nothing is thrown.
// Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sim/lab/point.h"
#include "sim/lab/runner.h"

namespace faultline {

class ResultStore {
 public:
  // What was asked for, so that `merge` can print its report.
  struct Experiment {
    std::vector<std::string> words;  // of the command line, without where to and how much of it
    std::uint64_t seed = 1;

    bool operator==(const Experiment&) const = default;
  };
  // A value of a stored replication, as `for_each_value` hands it out; the texts live during the call.
  struct Value {
    std::string_view scenario;  // its name
    std::string_view settings;  // what was changed in it
    std::string_view hash;
    std::string_view version;
    std::uint64_t seed = 0;
    std::uint32_t replication = 0;
    std::string_view metric;
    double value = 0;  // NaN: the replication says nothing about it
  };

  // Makes the file if it does not exist.
  static tl::expected<ResultStore, std::string> open(
      const std::string& path, std::chrono::milliseconds patience = std::chrono::seconds(10));
  // For who only reads: an error if there is no file, or an empty one.
  static tl::expected<ResultStore, std::string> open_existing(const std::string& path);
  ResultStore(ResultStore&&) noexcept;
  ResultStore& operator=(ResultStore&&) noexcept;
  ~ResultStore();

  const std::string& path() const;

  // `share`: which one of it this file is about to hold.
  tl::expected<void, std::string> remember(const Experiment& experiment, Shard share);
  // In the order in which they were remembered first.
  tl::expected<std::vector<Experiment>, std::string> experiments() const;
  // All that were remembered of an experiment, by count and number.
  tl::expected<std::vector<Shard>, std::string> shares(const Experiment& experiment) const;

  // Of the engines that wrote something (sim/lab/store/version.h).
  tl::expected<std::vector<std::string>, std::string> versions() const;

  // The stored replications from `first` on, below `limit`, of a point. With `pooled`, only those that were
  // stored with their durations, which are added to it.
  tl::expected<Rows, std::string> rows(const Point& point, std::uint64_t seed, std::uint32_t limit,
                                       std::uint32_t first = 0,
                                       PooledDurations* pooled = nullptr) const;
  // In one transaction. Replications that are there already are left alone. `durations`: of each row
  // (sim/lab/durations_text.h), or none.
  tl::expected<void, std::string> add(const Point& point, std::uint64_t seed, const Rows& rows,
                                      const std::vector<std::string>& durations = {});
  // A replication that ended in an internal error, with its text; it is run again next time.
  tl::expected<void, std::string> add_failure(const Point& point, std::uint64_t seed,
                                              std::uint32_t replication, const std::string& what);
  // Everything of another store; the same row twice is one row, two different ones are an error.
  tl::expected<void, std::string> merge(const std::string& other_path);
  // Every value, ordered by scenario (as they came), version, seed, replication and metric.
  tl::expected<void, std::string> for_each_value(
      const std::function<void(const Value& value)>& use) const;

 private:
  class Database;
  explicit ResultStore(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

}  // namespace faultline
