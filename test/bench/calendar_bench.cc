// Which event queue: see README.md. The workload is the hold model (pop the earliest, expect it
// again after an exponential time) with `pending` events in a calendar of `slots`.

#include <benchmark/benchmark.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <queue>
#include <vector>

#include "models/base/random.h"
#include "sim/control/calendar.h"

namespace faultline {
namespace {

// Increments made beforehand, so that the queue is what is measured.
const std::vector<Duration>& increments() {
  static const std::vector<Duration> made = [] {
    std::vector<Duration> list;
    const RandomSource random(1, 0);
    for (std::uint32_t i = 0; i < 4096; ++i) {
      list.push_back(Duration::from_seconds(-std::log(random.uniform(StreamId("bench"), 0, i))));
    }
    return list;
  }();
  return made;
}

// The slot of the n-th pending event: spread over the calendar.
std::uint32_t spread(std::uint32_t n, std::uint32_t pending, std::uint32_t slots) {
  return static_cast<std::uint32_t>(std::uint64_t{n} * slots / pending);
}

void faultline_calendar(benchmark::State& state) {
  const auto pending = static_cast<std::uint32_t>(state.range(0));
  const auto slots = static_cast<std::uint32_t>(state.range(1));
  Calendar calendar;
  calendar.grow(slots);
  std::size_t i = 0;
  const auto next = [&] { return increments()[i++ % increments().size()]; };
  for (std::uint32_t n = 0; n < pending; ++n) {
    calendar.schedule(spread(n, pending, slots), SimTime::at(next()), 0);
  }
  for (auto _ : state) {
    const Calendar::Due due = calendar.pop();
    calendar.schedule(due.slot, due.at + next(), 0);
    benchmark::DoNotOptimize(due);
  }
}

// A tournament over every slot: leaves hold times, inner nodes the index of the winner.
class WinnerTree {
 public:
  explicit WinnerTree(std::uint32_t slots)
      : leaves_(std::bit_ceil(slots)), keys_(2 * std::size_t{leaves_}, INT64_MAX) {}
  void set(std::uint32_t slot, std::int64_t time) {
    std::size_t node = leaves_ + slot;
    keys_[node] = time;
    while ((node /= 2) > 0) keys_[node] = std::min(keys_[2 * node], keys_[2 * node + 1]);
  }
  std::uint32_t earliest() const {
    std::size_t node = 1;
    while (node < leaves_) {
      node = keys_[2 * node] == keys_[node] ? 2 * node : 2 * node + 1;
    }
    return static_cast<std::uint32_t>(node - leaves_);
  }
  std::int64_t at(std::uint32_t slot) const { return keys_[leaves_ + slot]; }

 private:
  std::uint32_t leaves_;
  std::vector<std::int64_t> keys_;
};

void winner_tree(benchmark::State& state) {
  const auto pending = static_cast<std::uint32_t>(state.range(0));
  const auto slots = static_cast<std::uint32_t>(state.range(1));
  WinnerTree tree(slots);
  std::size_t i = 0;
  const auto next = [&] { return increments()[i++ % increments().size()].ns(); };
  for (std::uint32_t n = 0; n < pending; ++n) tree.set(spread(n, pending, slots), next());
  for (auto _ : state) {
    const std::uint32_t slot = tree.earliest();
    tree.set(slot, tree.at(slot) + next());
    benchmark::DoNotOptimize(slot);
  }
}

// No cancellation at all: what it would cost without tombstones.
void priority_queue(benchmark::State& state) {
  using Entry = std::pair<std::int64_t, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto pending = static_cast<std::uint32_t>(state.range(0));
  std::size_t i = 0;
  const auto next = [&] { return increments()[i++ % increments().size()].ns(); };
  for (std::uint32_t n = 0; n < pending; ++n) queue.emplace(next(), n);
  for (auto _ : state) {
    const Entry entry = queue.top();
    queue.pop();
    queue.emplace(entry.first + next(), entry.second);
    benchmark::DoNotOptimize(entry);
  }
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"pending", "slots"});
  for (const std::int64_t slots : {40'000, 250'000}) {
    for (const std::int64_t pending : {4, 64, 512, 40'000}) bench->Args({pending, slots});
  }
}
BENCHMARK(faultline_calendar)->Name("Calendar/faultline")->Apply(sizes);
BENCHMARK(winner_tree)->Name("Calendar/winner_tree")->Apply(sizes);
BENCHMARK(priority_queue)->Name("Calendar/priority_queue")->Apply(sizes);

}  // namespace
}  // namespace faultline
