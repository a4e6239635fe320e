// What the graph says about random small fabrics, against brute force: every vertex removed in turn,
// every cut enumerated, every pair of GPUs routed. The cables are listed here anew, from the prose
// of fabric.h.
#include "models/fleet/fabric_graph.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "test/support/small_fabric.h"

namespace faultline {
namespace {

struct Cable {
  std::uint32_t a;
  std::uint32_t b;
  double bandwidth;  // infinite inside a node
};

std::vector<Cable> cables_of(const FabricView& view) {
  const Fabric& f = view.fabric();
  const FabricConfig& config = f.config();
  const FabricVertices at(f);
  std::vector<Cable> cables;
  const auto add = [&](std::uint32_t a, std::uint32_t b, ElementId cable) {
    if (view.alive(cable)) cables.push_back({a, b, view.bandwidth(up_link(cable))});
  };
  const std::uint32_t planes = config.topology == FabricTopology::kRail ? f.nics_per_node() : 1;
  const auto per_leaf = static_cast<std::uint32_t>(config.nodes_per_leaf);
  const auto spines = static_cast<std::uint32_t>(config.spines);
  const std::uint32_t groups = (f.nodes() + per_leaf - 1) / per_leaf;
  const bool three = config.topology == FabricTopology::kThreeLayer;
  const std::uint32_t in_pod = three ? static_cast<std::uint32_t>(config.leaves_per_pod) : groups;
  for (std::uint32_t node = 0; node < f.nodes(); ++node) {
    for (std::uint32_t rail = 0; rail < f.nics_per_node(); ++rail) {
      const std::uint32_t plane = planes == 1 ? 0 : rail;
      cables.push_back({node, at.nic(node, rail), std::numeric_limits<double>::infinity()});
      add(at.nic(node, rail), at.first_leaf + node / per_leaf * planes + plane, f.nic(node, rail));
    }
  }
  for (std::uint32_t group = 0; group < groups; ++group) {
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
      for (std::uint32_t j = 0; j < spines; ++j) {
        const std::uint32_t leaf = group * planes + plane;
        add(at.first_leaf + leaf, at.first_spine + (group / in_pod * planes + plane) * spines + j,
            f.leaf_uplink(leaf, j));
      }
    }
  }
  if (three) {
    const std::uint32_t pods = (groups + in_pod - 1) / in_pod;
    const auto cores = static_cast<std::uint32_t>(config.cores);
    for (std::uint32_t pod = 0; pod < pods; ++pod) {
      for (std::uint32_t j = 0; j < spines; ++j) {
        for (std::uint32_t c = 0; c < cores; ++c) {
          const std::uint32_t spine = pod * spines + j;
          add(at.first_spine + spine, at.first_core + j * cores + c, f.spine_uplink(spine, c));
        }
      }
    }
  }
  return cables;
}

// The connected parts without one vertex, as a number per vertex.
std::vector<std::uint32_t> parts_without(const std::vector<Cable>& cables, std::uint32_t count,
                                         std::uint32_t removed) {
  std::vector<std::uint32_t> part(count);
  std::iota(part.begin(), part.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Cable& cable : cables) {
      if (cable.a == removed || cable.b == removed) continue;
      const std::uint32_t least = std::min(part[cable.a], part[cable.b]);
      changed = changed || part[cable.a] != part[cable.b];
      part[cable.a] = part[cable.b] = least;
    }
  }
  return part;
}
constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

std::size_t distinct(std::vector<std::uint32_t> parts) {
  std::sort(parts.begin(), parts.end());
  return static_cast<std::size_t>(std::unique(parts.begin(), parts.end()) - parts.begin());
}

RC_GTEST_PROP(FabricGraph, PartsAndArticulationPoints, ()) {
  const Fabric fabric = small_fabric(8);
  const FabricState state = small_state(fabric, 6);
  const FabricView view(fabric, state);
  const std::vector<Cable> cables = cables_of(view);
  const std::uint32_t count = FabricVertices(fabric).count;

  const std::vector<std::uint32_t> slow = parts_without(cables, count, kNobody);
  const std::vector<std::uint32_t> fast = connected_parts(view);
  RC_ASSERT(fast.size() == count);
  for (std::uint32_t v = 0; v < count; ++v) {
    for (std::uint32_t w = 0; w < v; ++w) RC_ASSERT((slow[v] == slow[w]) == (fast[v] == fast[w]));
  }

  // Without a point (alone in a part of its own) there is one part more for each further piece.
  std::vector<std::uint32_t> points;
  for (std::uint32_t v = 0; v < count; ++v) {
    if (distinct(parts_without(cables, count, v)) > distinct(slow) + 1) points.push_back(v);
    const bool isolated = std::none_of(cables.begin(), cables.end(), [&](const Cable& cable) {
      return cable.a == v || cable.b == v;
    });
    if (isolated) RC_ASSERT(distinct(parts_without(cables, count, v)) == distinct(slow));
  }
  RC_ASSERT(articulation_points(view) == points);
}

// Vertices of the flow: NICs (of senders or of receivers), then each switch on the way up and on the
// way down. Every set of them that could hold the senders is tried.
RC_GTEST_PROP(FabricGraph, MaxFlowIsTheLeastCut, ()) {
  const Fabric fabric = small_fabric(3);
  const FabricVertices at(fabric);
  const std::uint32_t nics = at.first_leaf - at.first_nic;
  const std::uint32_t switches = at.count - at.first_leaf;
  const std::uint32_t inner = nics + 2 * switches;
  if (inner > 18) return;
  const FabricState state = small_state(fabric, 5);
  const FabricView view(fabric, state);
  // Each node sends, receives or looks on.
  std::vector<std::uint32_t> from;
  std::vector<std::uint32_t> to;
  std::vector<int> role(fabric.nodes(), -1);
  for (std::uint32_t node = 0; node < fabric.nodes(); ++node) {
    role[node] = *rc::gen::inRange(0, 3);
    if (role[node] == 0) from.push_back(node);
    if (role[node] == 1) to.push_back(node);
  }
  const std::uint32_t source = inner;
  const std::uint32_t sink = inner + 1;
  const auto up = [&](std::uint32_t v) { return nics + v - at.first_leaf; };
  const auto down = [&](std::uint32_t v) { return nics + switches + v - at.first_leaf; };
  std::vector<Cable> arrows;  // from a to b
  const double infinite = std::numeric_limits<double>::infinity();
  for (const Cable& cable : cables_of(view)) {
    if (cable.a < at.first_nic) {
      if (role[cable.a] == 0) arrows.push_back({source, cable.b - at.first_nic, infinite});
      if (role[cable.a] == 1) arrows.push_back({cable.b - at.first_nic, sink, infinite});
    } else if (cable.a < at.first_leaf) {
      const std::uint32_t nic = cable.a - at.first_nic;
      const int whose = role[nic / fabric.nics_per_node()];
      if (whose == 0) arrows.push_back({nic, up(cable.b), cable.bandwidth});
      if (whose == 1) arrows.push_back({down(cable.b), nic, cable.bandwidth});
    } else {
      arrows.push_back({up(cable.a), up(cable.b), cable.bandwidth});
      arrows.push_back({down(cable.b), down(cable.a), cable.bandwidth});
    }
  }
  for (std::uint32_t s = at.first_leaf; s < at.count; ++s) {
    arrows.push_back({up(s), down(s), infinite});
  }
  double least = infinite;
  for (std::uint32_t set = 0; set < (1U << inner); ++set) {
    const std::uint32_t with_source = set | 1U << source;
    double cut = 0;
    for (const Cable& arrow : arrows) {
      if ((with_source >> arrow.a & 1U) != 0 && (with_source >> arrow.b & 1U) == 0) {
        cut += arrow.bandwidth;
      }
    }
    least = std::min(least, cut);
  }
  // (capacities are whole bytes per second: below one lost for each cable)
  const double flow = max_flow(view, from, to);
  RC_ASSERT(flow <= least);
  RC_ASSERT(flow >= least - static_cast<double>(arrows.size()));
}

// A route is a walk over living cables that never comes back to a vertex. In a healthy fabric it is
// as short as the breadth-first search finds, and two nodes can talk exactly if their GPUs have
// routes.
RC_GTEST_PROP(FabricGraph, RoutesAreWalksAndShortestWhenHealthy, ()) {
  const Fabric fabric = small_fabric(6);
  const FabricVertices at(fabric);
  std::vector<FabricFault> faults;
  const FabricState drawn = small_state(fabric, 5);
  for (const FabricFault& fault : drawn.faults()) {
    if (fabric.kind(fault.element) != ElementKind::kGpuPort) faults.push_back(fault);
  }
  const FabricState state(faults);
  const FabricView view(fabric, state);
  const auto ends = [&](ElementId cable) -> std::pair<std::uint32_t, std::uint32_t> {
    const Fabric::Place p = fabric.place(cable);
    if (p.kind == ElementKind::kNic) {
      return {at.nic(p.owner, p.port), at.first_leaf + fabric.leaf_of(p.owner, p.port)};
    }
    if (p.kind == ElementKind::kLeafUplink) {
      return {at.first_leaf + p.owner, at.first_spine + fabric.spine_above(p.owner, p.port)};
    }
    return {at.first_spine + p.owner, at.first_core + fabric.core_above(p.owner, p.port)};
  };
  for (std::uint32_t a = 0; a < fabric.nodes(); ++a) {
    for (std::uint32_t b = 0; b < fabric.nodes(); ++b) {
      if (a == b) continue;
      const GpuIndex from =
          a * fabric.gpus_per_node() + *rc::gen::inRange<std::uint32_t>(0, fabric.gpus_per_node());
      const GpuIndex to =
          b * fabric.gpus_per_node() + *rc::gen::inRange<std::uint32_t>(0, fabric.gpus_per_node());
      const std::uint32_t pair[] = {a, b};
      const auto route = view.route(from, to);
      RC_ASSERT(route.has_value() == all_can_talk(view, pair));
      if (!route) continue;
      std::vector<std::uint32_t> visited;
      for (const LinkIndex link : route->links()) {
        const ElementId cable = cable_of(link);
        RC_ASSERT(view.alive(cable));
        if (fabric.kind(cable) == ElementKind::kGpuPort) {
          // (the hop inside a node, before the first NIC or after the last one)
          RC_ASSERT(fabric.place(cable).owner == (visited.empty() ? a : b));
          continue;
        }
        auto [below, above] = ends(cable);
        if (link % 2 == 1) std::swap(below, above);
        if (visited.empty()) visited.push_back(below);
        RC_ASSERT(visited.back() == below);
        visited.push_back(above);
      }
      const std::size_t cables = visited.size() - 1;
      RC_ASSERT((visited.front() - at.first_nic) / fabric.nics_per_node() == a);
      RC_ASSERT((visited.back() - at.first_nic) / fabric.nics_per_node() == b);
      RC_ASSERT(distinct(visited) == visited.size());
      // (node to NIC and NIC to node are two more)
      if (state.healthy()) RC_ASSERT(cables + 2 == hops_from(view, a)[b]);
      RC_ASSERT(cables + 2 >= hops_from(view, a)[b]);
    }
  }
}

RC_GTEST_PROP(FabricGraph, AJobIsCutWhenTwoOfItsNodesHaveNoRoute, ()) {
  const Fabric fabric = small_fabric(6);
  const FabricState state = small_state(fabric, 6);
  const FabricView view(fabric, state);
  std::vector<std::uint32_t> nodes{0};
  for (std::uint32_t node = 1; node < fabric.nodes(); ++node) {
    if (*rc::gen::inRange(0, 3) != 0) nodes.push_back(node);
  }
  bool cut = false;
  bool all_healthy = true;
  for (const std::uint32_t a : nodes) {
    for (const std::uint32_t b : nodes) {
      for (std::uint32_t g = 0; g < fabric.gpus_per_node(); ++g) {
        const GpuIndex from = a * fabric.gpus_per_node() + g;
        const GpuIndex to = b * fabric.gpus_per_node();
        if (from == to) continue;
        const auto route = view.route(from, to);
        if (!route) cut = true;
        if (!route) continue;
        for (const LinkIndex link : route->links()) {
          const double as_new = fabric.bandwidth(fabric.kind(cable_of(link)));
          if (view.bandwidth(link) < as_new) all_healthy = false;
        }
      }
    }
  }
  const JobVerdict judged = verdict(view, nodes);
  RC_ASSERT((judged.reach == JobReach::kCut) == cut);
  if (judged.reach == JobReach::kUntouched) RC_ASSERT(judged.bisection == judged.healthy_bisection);
  RC_ASSERT(judged.bisection <= judged.healthy_bisection);
  if (state.healthy()) RC_ASSERT(all_healthy && judged.reach == JobReach::kUntouched);
}

}  // namespace
}  // namespace faultline
