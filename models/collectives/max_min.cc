#include "models/collectives/max_min.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "models/base/check.h"

namespace faultline {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Flows that end within this share of the present time of each other end together.
constexpr double kTogether = 1e-12;

// The flows on links that are numbered from 0.
class Network {
 public:
  Network(std::span<const FluidFlow> flows, const std::function<double(LinkIndex)>& bandwidth) {
    std::unordered_map<LinkIndex, std::uint32_t> numbers;
    for (const FluidFlow& flow : flows) {
      FAULTLINE_CHECK(!flow.links.empty(), "a flow over no link");
      std::vector<std::uint32_t>& own = links_of_.emplace_back();
      for (const LinkIndex link : flow.links) {
        const auto [entry, added] = numbers.emplace(link, bandwidths_.size());
        if (added) {
          bandwidths_.push_back(bandwidth(link));
          flows_on_.emplace_back();
        }
        own.push_back(entry->second);
        flows_on_[entry->second].push_back(static_cast<std::uint32_t>(links_of_.size() - 1));
      }
    }
    left_.resize(bandwidths_.size());
    growing_.resize(bandwidths_.size());
  }

  // A flow that meets no other one has a rate of its own.
  bool alone(std::size_t flow) const {
    return std::all_of(links_of_[flow].begin(), links_of_[flow].end(),
                       [&](std::uint32_t link) { return flows_on_[link].size() == 1; });
  }

  // Sets the rates of the active flows. `rates` keeps its size.
  void fill(const std::vector<std::uint32_t>& active, std::vector<double>& rates) {
    for (const std::uint32_t flow : active) {
      rates[flow] = kInfinite;
      for (const std::uint32_t link : links_of_[flow]) {
        left_[link] = bandwidths_[link];
        growing_[link] = 0;
      }
    }
    for (const std::uint32_t flow : active) {
      for (const std::uint32_t link : links_of_[flow]) ++growing_[link];
    }
    // (share, link): an entry is stale when the link's share has risen since
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> fullest;
    const auto share = [&](std::uint32_t link) { return left_[link] / growing_[link]; };
    for (const std::uint32_t flow : active) {
      for (const std::uint32_t link : links_of_[flow]) fullest.emplace(share(link), link);
    }
    while (!fullest.empty()) {
      const auto [rate, link] = fullest.top();
      fullest.pop();
      if (growing_[link] == 0) continue;
      if (share(link) > rate) {
        fullest.emplace(share(link), link);
        continue;
      }
      for (const std::uint32_t flow : flows_on_[link]) {
        if (rates[flow] != kInfinite) continue;
        rates[flow] = rate;
        for (const std::uint32_t other : links_of_[flow]) {
          left_[other] = std::max(0.0, left_[other] - rate);
          --growing_[other];
        }
      }
    }
  }

 private:
  std::vector<std::vector<std::uint32_t>> links_of_;
  std::vector<std::vector<std::uint32_t>> flows_on_;
  std::vector<double> bandwidths_;
  std::vector<double> left_;
  std::vector<std::uint32_t> growing_;
};

}  // namespace

std::vector<double> max_min_rates(std::span<const FluidFlow> flows,
                                  const std::function<double(LinkIndex)>& bandwidth) {
  std::vector<std::uint32_t> all(flows.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i);
  std::vector<double> rates(flows.size(), 0);
  Network(flows, bandwidth).fill(all, rates);
  return rates;
}

std::vector<double> finish_times(std::span<const FluidFlow> flows,
                                 const std::function<double(LinkIndex)>& bandwidth) {
  Network network(flows, bandwidth);
  std::vector<double> ends(flows.size(), 0);
  std::vector<double> left(flows.size(), 0);
  std::vector<double> rates(flows.size(), 0);
  std::vector<std::uint32_t> waiting;
  std::vector<std::uint32_t> active;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    left[i] = flows[i].bytes;
    if (network.alone(i)) {
      double slowest = kInfinite;
      for (const LinkIndex link : flows[i].links) slowest = std::min(slowest, bandwidth(link));
      ends[i] = flows[i].start + flows[i].bytes / slowest;
    } else {
      waiting.push_back(static_cast<std::uint32_t>(i));
    }
  }
  // The next to start stands last.
  std::stable_sort(waiting.begin(), waiting.end(), [&](std::uint32_t a, std::uint32_t b) {
    return flows[a].start > flows[b].start;
  });
  double now = 0;
  while (!waiting.empty() || !active.empty()) {
    double next = waiting.empty() ? kInfinite : flows[waiting.back()].start;
    for (const std::uint32_t flow : active) next = std::min(next, now + left[flow] / rates[flow]);
    const double step = next - now;
    const double tolerance = kTogether * next;
    now = next;
    std::erase_if(active, [&](std::uint32_t flow) {
      left[flow] -= rates[flow] * step;
      if (left[flow] > rates[flow] * tolerance) return false;
      ends[flow] = now;
      rates[flow] = 0;
      return true;
    });
    while (!waiting.empty() && flows[waiting.back()].start <= now) {
      active.push_back(waiting.back());
      waiting.pop_back();
    }
    network.fill(active, rates);
  }
  return ends;
}

}  // namespace faultline
