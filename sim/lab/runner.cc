#include "sim/lab/runner.h"

#include <algorithm>
#include <utility>

#include "sim/lab/parallel_replications.h"

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

std::vector<Runner::Missing> Runner::not_there(const std::vector<Need>& needs) const {
  std::map<std::string, std::uint32_t>
      asked;  // replications of a point that come earlier in the list
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
  const std::vector<Missing> todo = not_there(needs);
  std::vector<ReplicationTask> tasks;
  tasks.reserve(todo.size());
  for (const auto& [point, replication] : todo) tasks.push_back({&point->plan(), replication});
  std::vector<std::vector<double>> values(todo.size());
  std::uint64_t done = 0;
  run_in_parallel(tasks, {.seed = options_.seed,
                          .threads = options_.threads,
                          .stop = options_.stop,
                          .finished =
                              [&](std::size_t task, const std::vector<double>& row) {
                                values[task] = row;
                                ++done;
                                if (options_.progress) options_.progress(done, todo.size());
                              },
                          .failed = nullptr,
                          .retired = nullptr});
  simulated_ += done;
  std::map<std::string, Rows> fresh;
  for (std::size_t task = 0; task < todo.size(); ++task) {
    if (values[task].empty()) continue;
    Rows& rows = fresh[todo[task].point->hash()];
    rows.finished.push_back(todo[task].replication);
    rows.values.push_back(std::move(values[task]));
  }
  for (auto& [hash, rows] : fresh) add_rows(rows_[hash], std::move(rows));
  return done == todo.size();
}

int Runner::threads() const { return threads_used(options_.threads); }

const Rows& Runner::rows(const Point& point) const {
  static const Rows kNothing;
  const auto found = rows_.find(point.hash());
  return found == rows_.end() ? kNothing : found->second;
}

}  // namespace faultline
