#include "models/collectives/step_pace.h"

#include <algorithm>
#include <map>

#include "models/base/check.h"

namespace faultline {

StepParts worse_of(const StepParts& a, const StepParts& b) {
  StepParts worse;
  for (std::size_t p = 0; p < kStepParts; ++p) {
    worse.seconds[p] = std::max(a.seconds[p], b.seconds[p]);
  }
  return worse;
}

StepPace::StepPace(const TrainingStep& step, const Fabric& fabric, std::uint32_t first_node)
    : fabric_(fabric), plan_(step, fabric, first_node) {
  routed_.reserve(plan_.collectives().size());
  healthy_ = plan_.parts([&](const StepPlan::Collective& collective) {
    routed_.push_back(route(collective));
    return static_cast<double>(collective.phase.steps) * routed_.back().worst;
  });
}

StepPace::Routed StepPace::route(const StepPlan::Collective& collective) const {
  const FabricState none;
  auto phase = route_phase(FabricView(fabric_, none), collective.phase, plan_.software());
  FAULTLINE_CHECK(phase.has_value(), "a healthy fabric without a path");
  Routed routed{.phase = std::move(*phase),
                .load = std::vector<double>(2 * std::size_t{fabric_.cables()}),
                .first = std::vector<std::uint32_t>(2 * std::size_t{fabric_.cables()} + 1),
                .flows = {}};
  const auto each_link = [&](auto take) {
    for (std::uint32_t f = 0; f < routed.phase.flows.size(); ++f) {
      for (const LinkIndex link : routed.phase.flows[f].route.links()) take(f, link);
    }
  };
  each_link([&](std::uint32_t f, LinkIndex link) {
    routed.load[link] += collective.phase.flows[f].bytes;
    ++routed.first[link + 1];
  });
  for (std::size_t link = 1; link < routed.first.size(); ++link) {
    routed.first[link] += routed.first[link - 1];
  }
  routed.flows.resize(routed.first.back());
  std::vector<std::uint32_t> next = routed.first;
  each_link([&](std::uint32_t f, LinkIndex link) { routed.flows[next[link]++] = f; });
  routed.worst =
      even_share_time(routed.phase).seconds / static_cast<double>(collective.phase.steps);
  return routed;
}

std::optional<StepParts> StepPace::with(const FabricState& state) const {
  const FabricView view(fabric_, state);
  const std::vector<ElementId> touched = view.touched_cables();
  bool cut = false;
  const Routed* next = routed_.data();
  StepParts parts = plan_.parts([&](const StepPlan::Collective& collective) {
    const Routed& routed = *next++;
    const auto slowest = worst(routed, view, touched);
    cut = cut || !slowest;
    return static_cast<double>(collective.phase.steps) * slowest.value_or(0);
  });
  if (cut) return std::nullopt;
  return parts;
}

StepParts StepPace::with_slow_gpu(double speed) const {
  StepParts parts = healthy_;
  parts[StepPart::kCompute] /= speed;
  return parts;
}

std::optional<double> StepPace::worst(const Routed& routed, const FabricView& view,
                                      std::span<const ElementId> touched) const {
  std::vector<std::uint32_t> slowed;
  std::vector<std::uint32_t> moved;
  for (const ElementId cable : touched) {
    std::vector<std::uint32_t>& those = view.alive(cable) ? slowed : moved;
    for (const LinkIndex link : {up_link(cable), down_link(cable)}) {
      const auto flows = flows_on(routed, link);
      those.insert(those.end(), flows.begin(), flows.end());
    }
  }
  std::sort(moved.begin(), moved.end());
  moved.erase(std::unique(moved.begin(), moved.end()), moved.end());

  const Phase& phase = *routed.phase.phase;
  std::map<std::uint32_t, Route> detours;
  std::map<LinkIndex, double> more;  // bytes than on the healthy fabric
  for (const std::uint32_t f : moved) {
    const auto detour = view.route(phase.flows[f].from, phase.flows[f].to);
    if (!detour) return std::nullopt;
    for (const LinkIndex link : routed.phase.flows[f].route.links()) {
      more[link] -= phase.flows[f].bytes;
    }
    for (const LinkIndex link : detour->links()) more[link] += phase.flows[f].bytes;
    detours.emplace(f, *detour);
  }
  for (const auto& [link, bytes] : more) {
    const auto flows = flows_on(routed, link);
    slowed.insert(slowed.end(), flows.begin(), flows.end());
  }

  const auto load = [&](LinkIndex link) {
    const auto extra = more.find(link);
    return routed.load[link] + (extra == more.end() ? 0 : extra->second);
  };
  const auto seconds = [&](std::uint32_t f, const Route& route) {
    double moving = 0;
    double latency = 0;
    for (const LinkIndex link : route.links()) {
      moving = std::max(moving, load(link) / view.bandwidth(link));
      latency += view.latency(link);
    }
    const RoutedPhase::RoutedFlow& flow = routed.phase.flows[f];
    return flow.alpha - flow.route.latency + latency + moving;
  };
  double worst = routed.worst;
  for (const std::uint32_t f : slowed) {
    if (!detours.contains(f)) worst = std::max(worst, seconds(f, routed.phase.flows[f].route));
  }
  for (const auto& [f, route] : detours) worst = std::max(worst, seconds(f, route));
  return worst;
}

}  // namespace faultline
