#include "sim/lab/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/check.h"
#include "sim/lab/parallel_replications.h"
#include "sim/lab/store/result_store.h"
#include "sim/lab/store/store_writer.h"

namespace faultline {
namespace {

// Both ascending, without a number in common.
void add_rows(Rows& rows, Rows more) {
  Rows all;
  std::size_t i = 0;
  std::size_t j = 0;
  const auto take = [&](Rows& from, std::size_t& at) {
    all.finished.push_back(from.finished[at]);
    all.values.push_back(std::move(from.values[at]));
    ++at;
  };
  while (i < rows.finished.size() || j < more.finished.size()) {
    const bool first = j == more.finished.size() ||
                       (i < rows.finished.size() && rows.finished[i] < more.finished[j]);
    first ? take(rows, i) : take(more, j);
  }
  rows = std::move(all);
}

}  // namespace

void Runner::load(const std::vector<Need>& needs) {
  if (options_.store == nullptr) return;
  for (const Need& need : needs) {
    std::uint32_t& loaded = loaded_[need.point->hash()];
    if (problem_ || need.replications <= loaded) continue;
    PooledDurations* const pooled = options_.durations ? &pool(*need.point) : nullptr;
    auto rows = options_.store->rows(*need.point, options_.seed, need.replications, loaded, pooled);
    if (!rows) {
      problem_ = rows.error();
    } else if (!rows->finished.empty()) {
      add_rows(rows_[need.point->hash()], std::move(*rows));
    }
    loaded = need.replications;
  }
}

std::vector<Runner::Missing> Runner::missing(const std::vector<Need>& needs) {
  load(needs);
  std::map<std::string, std::uint32_t> asked;  // of a point, by what comes earlier in the list
  std::vector<Missing> missing;
  for (const Need& need : needs) {
    const std::vector<std::uint32_t>& finished = rows(*need.point).finished;
    std::uint32_t& from = asked[need.point->hash()];
    auto there = std::lower_bound(finished.begin(), finished.end(), from);
    for (std::uint32_t r = from; r < need.replications; ++r) {
      if (there != finished.end() && *there == r) {
        ++there;
      } else if (options_.shard.owns(r)) {
        missing.push_back({need.point, r});
      }
    }
    from = std::max(from, need.replications);
  }
  return missing;
}

bool Runner::run(const std::vector<Need>& needs) {
  const std::vector<Missing> todo = missing(needs);
  if (problem_) return false;
  std::vector<ReplicationTask> tasks;
  tasks.reserve(todo.size());
  for (const auto& [point, replication] : todo) tasks.push_back({&point->plan(), replication});
  std::vector<std::vector<double>> values(todo.size());
  std::uint64_t done = 0;
  StoreWriter writer(options_.store, options_.seed);
  std::size_t first_failed = todo.size();
  try {
    run_in_parallel(
        tasks,
        {.seed = options_.seed,
         .threads = options_.threads,
         .durations = options_.durations && options_.store != nullptr,
         .stop =
             [&] { return writer.broken() || (options_.stop != nullptr && options_.stop->load()); },
         .finished =
             [&](std::size_t task, const std::vector<double>& row, const std::string& durations) {
               values[task] = row;
               writer.add(*todo[task].point, todo[task].replication, row, durations);
               ++done;
               if (options_.progress) options_.progress(done, todo.size());
             },
         .failed =
             [&](std::size_t task, const std::string& what) {
               writer.add_failure(*todo[task].point, todo[task].replication, what);
               first_failed = std::min(first_failed, task);
             },
         .retired =
             [&](const ReplicationWorker& worker) {
               events_ += worker.events();
               if (!options_.durations) return;
               const auto point = std::find_if(todo.begin(), todo.end(), [&](const Missing& one) {
                 return &one.point->plan() == &worker.plan();
               });
               worker.pool_into(pool(*point->point));
             }});
  } catch (const InternalError& error) {
    if (first_failed == todo.size()) throw;
    const Point& point = *todo[first_failed].point;
    throw InternalError(fmt::format("{}\nscenario {} {}, seed {}", error.what(),
                                    point.scenario().name, point.settings(), options_.seed));
  }
  if (const auto written = writer.finish(); !written) problem_ = written.error();
  simulated_ += done;
  std::map<std::string, Rows> fresh;
  for (std::size_t task = 0; task < todo.size(); ++task) {
    if (values[task].empty()) continue;
    Rows& rows = fresh[todo[task].point->hash()];
    rows.finished.push_back(todo[task].replication);
    rows.values.push_back(std::move(values[task]));
  }
  for (auto& [hash, rows] : fresh) add_rows(rows_[hash], std::move(rows));
  return done == todo.size() && !problem_;
}

std::uint64_t Runner::stored() const {
  std::uint64_t there = 0;
  for (const auto& [hash, rows] : rows_) there += rows.finished.size();
  return there - simulated_;
}

PooledDurations& Runner::pool(const Point& point) {
  return durations_.try_emplace(point.hash(), point.plan()).first->second;
}

int Runner::threads() const { return threads_used(options_.threads); }

const Rows& Runner::rows(const Point& point) const {
  static const Rows kNothing;
  const auto found = rows_.find(point.hash());
  return found == rows_.end() ? kNothing : found->second;
}

}  // namespace faultline
