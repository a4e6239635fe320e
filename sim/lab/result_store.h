// Results on disk: an SQLite file (WAL) that every experiment can write to and continue from.
//
// A replication is committed in a transaction of some; a kill at any instant loses at most those that
// were not committed, and never leaves a half-written one. The schema is documented in
// sim/lab/MODEL.md; scenarios are stored with their full text, so a store explains itself.
//
// One process writes at a time: a second one waits up to `patience`, then says who holds the file.
// Rows are used again only if scenario text, seed and the version of the program are the same.
//
// Errors: sentences (a full disk, a file that is no database, a newer schema); nothing is thrown.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/lab/point.h"
#include "sim/lab/runner.h"

namespace faultline {

class ResultStore {
 public:
  // What was asked for, so that `merge` can print its report: the words of the command line.
  struct Experiment {
    std::vector<std::string> arguments;
    std::uint64_t seed = 1;
  };

  static tl::expected<ResultStore, std::string> open(const std::string& path);
  ResultStore(ResultStore&&) noexcept;
  ResultStore& operator=(ResultStore&&) noexcept;
  ~ResultStore();

  tl::expected<void, std::string> remember(const Experiment& experiment);
  tl::expected<std::vector<Experiment>, std::string> experiments() const;

  // The stored replications below `limit` of a point.
  tl::expected<Rows, std::string> rows(const Point& point, std::uint64_t seed,
                                       std::uint32_t limit) const;
  tl::expected<void, std::string> add(const Point& point, std::uint64_t seed, const Rows& rows);
  // A replication that ended in an internal error, with its text.
  tl::expected<void, std::string> add_failure(const Point& point, std::uint64_t seed,
                                              std::uint32_t replication, const std::string& what);
  // Everything of another store; the same row twice is one row, two different ones are an error.
  tl::expected<void, std::string> merge(const std::string& other_path);

 private:
  struct Database;
  explicit ResultStore(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

}  // namespace faultline
