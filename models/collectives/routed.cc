#include "models/collectives/routed.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace faultline {
namespace {

using RoutedFlow = RoutedPhase::RoutedFlow;

// Bytes that each link carries in a step, and whether two groups meet on one.
struct Load {
  double bytes = 0;
  std::uint32_t group = 0;
};

double round_latency(const FabricView& view, const RoutedPhase& routed) {
  const Fabric& f = view.fabric();
  const Phase& phase = *routed.phase;
  double worst = 0;
  for (std::size_t start = 0; start < phase.flows.size(); start += phase.group) {
    double sum = 0;
    double least_hop = std::numeric_limits<double>::infinity();
    for (std::size_t i = start; i < start + phase.group; ++i) {
      const double alpha = routed.flows[i].alpha;
      sum += alpha;
      if (f.node_of(phase.flows[i].from) != f.node_of(phase.flows[i].to)) {
        least_hop = std::min(least_hop, alpha);
      }
    }
    worst = std::max(worst, static_cast<double>(phase.rounds) * (sum - least_hop));
  }
  return worst;
}

double tree_latency(const RoutedPhase& routed) {
  const Phase& phase = *routed.phase;
  double worst = 0;
  for (std::size_t start = 0; start < phase.flows.size(); start += phase.group) {
    std::unordered_map<GpuIndex, double> reached;
    for (std::size_t i = start; i < start + phase.group; ++i) {
      const double after = reached[phase.flows[i].from] + routed.flows[i].alpha;
      double& there = reached[phase.flows[i].to];
      there = std::max(there, after);
      worst = std::max(worst, there);
    }
  }
  return worst;
}

double chain_latency(const FabricView& view, const RoutedPhase& routed) {
  if (routed.phase->kind == Phase::Kind::kRing) return 0;
  switch (routed.phase->chain) {
    case Phase::Chain::kRound: return round_latency(view, routed);
    case Phase::Chain::kTree: return tree_latency(routed);
    case Phase::Chain::kOne: break;
  }
  double worst = 0;
  for (const RoutedFlow& flow : routed.flows) worst = std::max(worst, flow.alpha);
  return worst;
}

}  // namespace

std::optional<RoutedPhase> route_phase(const FabricView& view, const Phase& phase,
                                       const StepLatency& software) {
  const Fabric& f = view.fabric();
  RoutedPhase routed{.phase = &phase};
  routed.flows.reserve(phase.flows.size());
  std::vector<Load> loads(2 * std::size_t{f.cables()});
  for (std::size_t i = 0; i < phase.flows.size(); ++i) {
    const Flow& flow = phase.flows[i];
    const auto route = view.route(flow.from, flow.to);
    if (!route) return std::nullopt;
    const bool inside = f.node_of(flow.from) == f.node_of(flow.to);
    routed.flows.push_back(
        {.route = *route, .alpha = (inside ? software.nvlink : software.net) + route->latency});
    const auto group = static_cast<std::uint32_t>(i / phase.group);
    for (const LinkIndex link : route->links()) {
      Load& load = loads[link];
      if (load.bytes > 0 && load.group != group) routed.shared = true;
      load.bytes += flow.bytes;
      load.group = group;
    }
  }
  for (std::size_t i = 0; i < routed.flows.size(); ++i) {
    RoutedFlow& flow = routed.flows[i];
    flow.bandwidth = std::numeric_limits<double>::infinity();
    for (const LinkIndex link : flow.route.links()) {
      const double share = view.bandwidth(link) * phase.flows[i].bytes / loads[link].bytes;
      if (share < flow.bandwidth) {
        flow.bandwidth = share;
        flow.slowest = cable_of(link);
      }
    }
  }
  routed.chain_latency = chain_latency(view, routed);
  return routed;
}

PhaseTime even_share_time(const RoutedPhase& routed) {
  const Phase& phase = *routed.phase;
  PhaseTime time;
  double worst = -1;
  for (std::size_t i = 0; i < phase.flows.size(); ++i) {
    const RoutedFlow& flow = routed.flows[i];
    const double moving = phase.flows[i].bytes / flow.bandwidth;
    const double each = phase.kind == Phase::Kind::kRing ? flow.alpha + moving : moving;
    if (each <= worst) continue;
    worst = each;
    time.bottleneck = flow.slowest;
    time.latency_part = flow.alpha;
  }
  if (phase.kind == Phase::Kind::kRing) {
    const auto steps = static_cast<double>(phase.steps);
    time.seconds = steps * worst;
    time.latency_part *= steps;
  } else {
    time.seconds = routed.chain_latency + worst;
    time.latency_part = routed.chain_latency;
  }
  return time;
}

std::vector<std::uint32_t> distinct_groups(const RoutedPhase& routed) {
  const Phase& phase = *routed.phase;
  const auto groups = static_cast<std::uint32_t>(phase.flows.size() / phase.group);
  std::vector<std::uint32_t> chosen;
  std::set<std::vector<double>> seen;
  for (std::uint32_t g = 0; g < groups; ++g) {
    if (!routed.shared) {
      std::vector<double> signature;
      for (std::size_t i = std::size_t{g} * phase.group; i < std::size_t{g + 1} * phase.group;
           ++i) {
        signature.insert(signature.end(),
                         {routed.flows[i].alpha, routed.flows[i].bandwidth, phase.flows[i].bytes});
      }
      if (!seen.insert(std::move(signature)).second) continue;
    }
    chosen.push_back(g);
  }
  return chosen;
}

}  // namespace faultline
