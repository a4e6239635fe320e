#include "models/collectives/max_min.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
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

// Jobs over time. A flow that meets no other one ends at a time that is known when it starts; the
// others share, and their rates change with every start and end among them.
class FluidRun {
 public:
  FluidRun(std::span<const FluidJob> jobs, const std::function<double(LinkIndex)>& bandwidth)
      : jobs_(jobs.size()) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      for (const std::vector<FluidFlow>& phase : jobs[j].phases) {
        jobs_[j].phases.push_back({flows_.size(), flows_.size() + phase.size()});
        flows_.insert(flows_.end(), phase.begin(), phase.end());
        job_of_.resize(flows_.size(), static_cast<std::uint32_t>(j));
      }
    }
    network_.emplace(flows_, bandwidth);
    rates_.resize(flows_.size(), 0);
    for (const FluidFlow& flow : flows_) {
      left_.push_back(flow.bytes);
      double slowest = kInfinite;
      for (const LinkIndex link : flow.links) slowest = std::min(slowest, bandwidth(link));
      slowest_.push_back(slowest);
    }
  }

  std::vector<double> ends() {
    for (std::uint32_t j = 0; j < jobs_.size(); ++j) next_phase(j);
    while (!starting_.empty() || !lone_.empty() || !sharing_.empty()) advance();
    std::vector<double> ends;
    for (const Job& job : jobs_) ends.push_back(job.end);
    return ends;
  }

 private:
  struct Job {
    std::vector<std::pair<std::size_t, std::size_t>> phases;  // first flow, after the last
    std::size_t begun = 0;                                    // phases
    std::size_t running = 0;                                  // flows of the present phase
    double end = 0;
  };
  using Event = std::pair<double, std::uint32_t>;  // time, flow
  using Queue = std::priority_queue<Event, std::vector<Event>, std::greater<>>;

  void next_phase(std::uint32_t j) {
    Job& job = jobs_[j];
    job.end = now_;
    while (job.running == 0 && job.begun < job.phases.size()) {
      const auto [first, after] = job.phases[job.begun++];
      job.running = after - first;
      for (std::size_t i = first; i < after; ++i) {
        const auto flow = static_cast<std::uint32_t>(i);
        const double start = now_ + flows_[i].start;
        if (network_->alone(i)) {
          lone_.emplace(start + flows_[i].bytes / slowest_[i], flow);
        } else {
          starting_.emplace(start, flow);
        }
      }
    }
  }

  void done(std::uint32_t flow) {
    const std::uint32_t j = job_of_[flow];
    if (--jobs_[j].running == 0) next_phase(j);
  }

  void advance() {
    double next = kInfinite;
    if (!starting_.empty()) next = starting_.top().first;
    if (!lone_.empty()) next = std::min(next, lone_.top().first);
    for (const std::uint32_t flow : sharing_)
      next = std::min(next, now_ + left_[flow] / rates_[flow]);
    const double step = next - now_;
    const double tolerance = kTogether * next;
    now_ = next;
    std::vector<std::uint32_t> ended;
    bool changed = false;
    std::erase_if(sharing_, [&](std::uint32_t flow) {
      left_[flow] -= rates_[flow] * step;
      if (left_[flow] > rates_[flow] * tolerance) return false;
      rates_[flow] = 0;
      ended.push_back(flow);
      return true;
    });
    changed = !ended.empty();
    for (; !lone_.empty() && lone_.top().first <= now_; lone_.pop()) {
      ended.push_back(lone_.top().second);
    }
    for (const std::uint32_t flow : ended) done(flow);
    for (; !starting_.empty() && starting_.top().first <= now_; starting_.pop()) {
      sharing_.push_back(starting_.top().second);
      changed = true;
    }
    if (changed) network_->fill(sharing_, rates_);
  }

  std::vector<Job> jobs_;
  std::vector<FluidFlow> flows_;
  std::vector<std::uint32_t> job_of_;
  std::optional<Network> network_;
  std::vector<double> rates_;
  std::vector<double> left_;
  std::vector<double> slowest_;
  double now_ = 0;
  Queue starting_;  // of flows that share
  Queue lone_;      // ends of flows that do not
  std::vector<std::uint32_t> sharing_;
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

std::vector<double> job_ends(std::span<const FluidJob> jobs,
                             const std::function<double(LinkIndex)>& bandwidth) {
  return FluidRun(jobs, bandwidth).ends();
}

std::vector<double> finish_times(std::span<const FluidFlow> flows,
                                 const std::function<double(LinkIndex)>& bandwidth) {
  std::vector<FluidJob> jobs;
  jobs.reserve(flows.size());
  for (const FluidFlow& flow : flows) jobs.push_back({.phases = {{flow}}});
  return job_ends(jobs, bandwidth);
}

}  // namespace faultline
