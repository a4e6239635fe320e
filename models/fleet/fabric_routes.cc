#include "models/fleet/fabric_routes.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline {

FabricView::FabricView(const Fabric& fabric, const FabricState& state) : fabric_(fabric) {
  for (const FabricFault& fault : state.faults()) expand(fault);
  std::sort(cables_.begin(), cables_.end(),
            [](const Effect& a, const Effect& b) { return a.cable < b.cable; });
  std::size_t kept = 0;
  for (const Effect& effect : cables_) {
    if (kept > 0 && cables_[kept - 1].cable == effect.cable) {
      cables_[kept - 1].share *= effect.share;
      cables_[kept - 1].extra_latency += effect.extra_latency;
    } else {
      cables_[kept++] = effect;
    }
  }
  cables_.resize(kept);
}

void FabricView::expand(const FabricFault& fault) {
  const Fabric& f = fabric_;
  const Fabric::Place at = f.place(fault.element);
  const auto add = [&](ElementId cable) {
    cables_.push_back({cable, fault.bandwidth, fault.extra_latency.seconds()});
  };
  switch (at.kind) {
    case ElementKind::kLeaf: {
      const std::uint32_t group = at.owner / f.planes();
      const std::uint32_t plane = at.owner % f.planes();
      const std::uint32_t first = group * f.nodes_per_leaf();
      const std::uint32_t after = std::min(f.nodes(), first + f.nodes_per_leaf());
      for (std::uint32_t node = first; node < after; ++node) {
        for (std::uint32_t rail = 0; rail < f.nics_per_node(); ++rail) {
          if (f.plane_of_rail(rail) == plane) add(f.nic(node, rail));
        }
      }
      for (std::uint32_t p = 0; p < f.uplinks_per_leaf(); ++p) add(f.leaf_uplink(at.owner, p));
      break;
    }
    case ElementKind::kSpine: {
      for (std::uint32_t leaf = 0; leaf < f.count(ElementKind::kLeaf); ++leaf) {
        for (std::uint32_t p = 0; p < f.uplinks_per_leaf(); ++p) {
          if (f.spine_above(leaf, p) == at.owner) add(f.leaf_uplink(leaf, p));
        }
      }
      for (std::uint32_t p = 0; p < f.uplinks_per_spine(); ++p) add(f.spine_uplink(at.owner, p));
      break;
    }
    case ElementKind::kCore:
      for (std::uint32_t spine = 0; spine < f.count(ElementKind::kSpine); ++spine) {
        for (std::uint32_t p = 0; p < f.uplinks_per_spine(); ++p) {
          if (f.core_above(spine, p) == at.owner) add(f.spine_uplink(spine, p));
        }
      }
      break;
    default: add(fault.element);
  }
}

const FabricView::Effect* FabricView::effect(ElementId cable) const {
  const auto found =
      std::lower_bound(cables_.begin(), cables_.end(), cable,
                       [](const Effect& effect, ElementId id) { return effect.cable < id; });
  return found != cables_.end() && found->cable == cable ? &*found : nullptr;
}

double FabricView::bandwidth(LinkIndex link) const {
  const ElementId cable = cable_of(link);
  return fabric_.bandwidth(fabric_.kind(cable)) * share(cable);
}

double FabricView::latency(LinkIndex link) const {
  const ElementId cable = cable_of(link);
  const Effect* const found = effect(cable);
  return fabric_.latency(fabric_.kind(cable)) + (found == nullptr ? 0 : found->extra_latency);
}

std::vector<ElementId> FabricView::touched_cables() const {
  std::vector<ElementId> cables;
  for (const Effect& effect : cables_) cables.push_back(effect.cable);
  return cables;
}

void FabricView::append(Route& route, LinkIndex link) const {
  route.link[route.length++] = link;
  route.latency += latency(link);
}

bool FabricView::append_between(Route& route, std::uint32_t from_node, std::uint32_t from_rail,
                                std::uint32_t to_node, std::uint32_t to_rail) const {
  const Fabric& f = fabric_;
  const ElementId out = f.nic(from_node, from_rail);
  const ElementId in = f.nic(to_node, to_rail);
  if (!alive(out) || !alive(in)) return false;
  const std::uint32_t from_leaf = f.leaf_of(from_node, from_rail);
  const std::uint32_t to_leaf = f.leaf_of(to_node, to_rail);
  if (from_leaf == to_leaf) {
    append(route, up_link(out));
    append(route, down_link(in));
    return true;
  }
  const std::uint32_t place = f.place_at_leaf(from_node, from_rail);
  const std::uint32_t spines = f.uplinks_per_leaf();
  const std::uint32_t cores = f.uplinks_per_spine();
  for (std::uint32_t tried = 0; tried < spines; ++tried) {
    const std::uint32_t port = (place + tried) % spines;
    const ElementId leaf_up = f.leaf_uplink(from_leaf, port);
    const ElementId leaf_down = f.leaf_uplink(to_leaf, port);
    if (!alive(leaf_up) || !alive(leaf_down)) continue;
    const std::uint32_t from_spine = f.spine_above(from_leaf, port);
    const std::uint32_t to_spine = f.spine_above(to_leaf, port);
    std::optional<std::uint32_t> core;
    if (from_spine != to_spine) {
      const std::uint32_t first = f.spine_uplink_of(from_node, from_rail);
      for (std::uint32_t c = 0; c < cores && !core; ++c) {
        const std::uint32_t candidate = (first + c) % cores;
        if (alive(f.spine_uplink(from_spine, candidate)) &&
            alive(f.spine_uplink(to_spine, candidate))) {
          core = candidate;
        }
      }
      if (!core) continue;
    }
    append(route, up_link(out));
    append(route, up_link(leaf_up));
    if (core) {
      append(route, up_link(f.spine_uplink(from_spine, *core)));
      append(route, down_link(f.spine_uplink(to_spine, *core)));
    }
    append(route, down_link(leaf_down));
    append(route, down_link(in));
    return true;
  }
  return false;
}

std::optional<Route> FabricView::route(GpuIndex from, GpuIndex to) const {
  const Fabric& f = fabric_;
  FAULTLINE_CHECK(from != to, "a route from GPU {} to itself", from);
  const std::uint32_t from_node = f.node_of(from);
  const std::uint32_t to_node = f.node_of(to);
  // Over NVLink to another GPU of the same node, appended; false where a port is dead.
  const auto hop = [&](Route& route, GpuIndex a, GpuIndex b) {
    if (a == b) return true;
    if (!alive(f.gpu_port(a)) || !alive(f.gpu_port(b))) return false;
    append(route, up_link(f.gpu_port(a)));
    append(route, down_link(f.gpu_port(b)));
    return true;
  };
  if (from_node == to_node) {
    Route route;
    if (!hop(route, from, to)) return std::nullopt;
    return route;
  }
  // The GPU beside a NIC: the sender or receiver itself where it owns the NIC.
  const auto beside = [&](GpuIndex gpu, std::uint32_t rail) {
    return f.rail_of(gpu) == rail ? gpu
                                  : f.node_of(gpu) * f.gpus_per_node() + f.first_gpu_of_rail(rail);
  };
  const auto over = [&](std::uint32_t out_rail, std::uint32_t in_rail) -> std::optional<Route> {
    Route route;
    if (!hop(route, from, beside(from, out_rail))) return std::nullopt;
    if (!append_between(route, from_node, out_rail, to_node, in_rail)) return std::nullopt;
    if (!hop(route, beside(to, in_rail), to)) return std::nullopt;
    return route;
  };
  const std::uint32_t rails = f.nics_per_node();
  for (std::uint32_t i = 0; i < rails; ++i) {
    const std::uint32_t in_rail = (f.rail_of(to) + i) % rails;
    if (f.planes() > 1) {
      if (auto route = over(in_rail, in_rail)) return route;
      continue;
    }
    for (std::uint32_t o = 0; o < rails; ++o) {
      if (auto route = over((f.rail_of(from) + o) % rails, in_rail)) return route;
    }
  }
  return std::nullopt;
}

}  // namespace faultline
