#include "models/fleet/fabric_graph.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "models/base/check.h"

namespace faultline {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
using Edge = std::pair<std::uint32_t, std::uint32_t>;
constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

// Every cable between two switches, or between a NIC and its leaf, as (vertices, cable).
template <class Visit>
void for_each_switch_cable(const FabricView& view, const FabricVertices& at, Visit visit) {
  const Fabric& f = view.fabric();
  for (std::uint32_t node = 0; node < f.nodes(); ++node) {
    for (std::uint32_t rail = 0; rail < f.nics_per_node(); ++rail) {
      visit(at.nic(node, rail), at.first_leaf + f.leaf_of(node, rail), f.nic(node, rail));
    }
  }
  for (std::uint32_t leaf = 0; leaf < f.count(ElementKind::kLeaf); ++leaf) {
    for (std::uint32_t p = 0; p < f.uplinks_per_leaf(); ++p) {
      visit(at.first_leaf + leaf, at.first_spine + f.spine_above(leaf, p), f.leaf_uplink(leaf, p));
    }
  }
  for (std::uint32_t spine = 0; spine < f.count(ElementKind::kSpine); ++spine) {
    for (std::uint32_t p = 0; p < f.uplinks_per_spine(); ++p) {
      visit(at.first_spine + spine, at.first_core + f.core_above(spine, p),
            f.spine_uplink(spine, p));
    }
  }
}

Graph graph_of(const FabricView& view) {
  const Fabric& f = view.fabric();
  const FabricVertices at(f);
  std::vector<Edge> edges;
  edges.reserve(f.cables());
  for (std::uint32_t node = 0; node < f.nodes(); ++node) {
    for (std::uint32_t rail = 0; rail < f.nics_per_node(); ++rail) {
      edges.emplace_back(node, at.nic(node, rail));
    }
  }
  const bool healthy = view.healthy();
  for_each_switch_cable(view, at, [&](std::uint32_t a, std::uint32_t b, ElementId cable) {
    if (healthy || view.alive(cable)) edges.emplace_back(a, b);
  });
  return Graph(edges.begin(), edges.end(), at.count);
}

// What messages can take: up, turn once, and down. Each switch is two vertices, "on the way up" and
// "on the way down", so that no path goes down and up again (switches are configured against it:
// such paths can deadlock). Vertices: up(s) = s, down(s) = switches + s, for s from 0 in the order of
// FabricVertices.
struct UpDown {
  explicit UpDown(const FabricVertices& at)
      : first(at.first_leaf), switches(at.count - at.first_leaf) {}
  std::uint32_t up(std::uint32_t vertex) const { return vertex - first; }
  std::uint32_t down(std::uint32_t vertex) const { return switches + vertex - first; }
  std::uint32_t vertices() const { return 2 * switches; }
  std::uint32_t first;
  std::uint32_t switches;
};

// A flow network that keeps push_relabel_max_flow's contract: each edge has a reverse edge of
// capacity 0 of its own.
class FlowNetwork {
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Descriptor = Traits::edge_descriptor;
  using FlowGraph = boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS, boost::no_property,
      boost::property<boost::edge_capacity_t, std::int64_t,
                      boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                      boost::property<boost::edge_reverse_t, Descriptor>>>>;

 public:
  explicit FlowNetwork(std::uint32_t vertices) : graph_(vertices) {}

  void add(std::uint32_t from, std::uint32_t to, double bytes_per_second) {
    // (whole bytes per second: integers end a push-relabel run, doubles need not)
    const auto capacity = static_cast<std::int64_t>(bytes_per_second);
    if (capacity == 0) return;
    const Descriptor forward = boost::add_edge(from, to, graph_).first;
    const Descriptor back = boost::add_edge(to, from, graph_).first;
    boost::put(boost::edge_capacity, graph_, forward, capacity);
    boost::put(boost::edge_capacity, graph_, back, 0);
    boost::put(boost::edge_reverse, graph_, forward, back);
    boost::put(boost::edge_reverse, graph_, back, forward);
  }
  double max_flow(std::uint32_t source, std::uint32_t sink) {
    return static_cast<double>(boost::push_relabel_max_flow(graph_, source, sink));
  }

 private:
  FlowGraph graph_;
};

// Leaves that reach the same others are one class: those of a pod and plane with the same living
// uplinks. A leaf without any is a class of its own.
struct LeafClasses {
  std::vector<std::uint32_t> of_leaf;
  std::vector<std::vector<bool>> reaches;  // by class, both ways
};

LeafClasses leaf_classes(const FabricView& view, const FabricVertices& at) {
  const Fabric& f = view.fabric();
  LeafClasses classes;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::uint32_t> first_leaf;
  for (std::uint32_t leaf = 0; leaf < f.count(ElementKind::kLeaf); ++leaf) {
    std::vector<std::uint32_t> spines;
    for (std::uint32_t p = 0; p < f.uplinks_per_leaf(); ++p) {
      if (view.alive(f.leaf_uplink(leaf, p))) spines.push_back(f.spine_above(leaf, p));
    }
    if (spines.empty()) spines = {at.count + leaf};
    const auto [entry, added] = numbers.emplace(std::move(spines), first_leaf.size());
    if (added) first_leaf.push_back(leaf);
    classes.of_leaf.push_back(entry->second);
  }
  const UpDown id(at);
  std::vector<Edge> edges;
  for (std::uint32_t s = at.first_leaf; s < at.count; ++s) edges.emplace_back(id.up(s), id.down(s));
  for_each_switch_cable(view, at, [&](std::uint32_t a, std::uint32_t b, ElementId cable) {
    if (a < at.first_leaf || !view.alive(cable)) return;
    edges.emplace_back(id.up(a), id.up(b));
    edges.emplace_back(id.down(b), id.down(a));
  });
  const boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(
      edges.begin(), edges.end(), id.vertices());
  for (const std::uint32_t leaf : first_leaf) {
    std::vector<std::uint32_t> hops(id.vertices(), kUnreached);
    const std::uint32_t start = id.up(at.first_leaf + leaf);
    hops[start] = 0;
    boost::breadth_first_search(graph, start,
                                boost::visitor(boost::make_bfs_visitor(
                                    boost::record_distances(hops.data(), boost::on_tree_edge()))));
    std::vector<bool>& reached = classes.reaches.emplace_back();
    for (const std::uint32_t other : first_leaf) {
      reached.push_back(hops[id.down(at.first_leaf + other)] != kUnreached);
    }
  }
  return classes;
}

}  // namespace

FabricVertices::FabricVertices(const Fabric& fabric)
    : nics_per_node(fabric.nics_per_node()),
      first_nic(fabric.nodes()),
      first_leaf(first_nic + fabric.count(ElementKind::kNic)),
      first_spine(first_leaf + fabric.count(ElementKind::kLeaf)),
      first_core(first_spine + fabric.count(ElementKind::kSpine)),
      count(first_core + fabric.count(ElementKind::kCore)) {}

std::string vertex_name(const Fabric& fabric, std::uint32_t vertex) {
  const FabricVertices at(fabric);
  if (vertex < at.first_nic) return fmt::format("node{}", vertex);
  const auto name = [&](ElementKind kind, std::uint32_t first) {
    return fabric.name(fabric.element(kind, vertex - first));
  };
  if (vertex < at.first_leaf) return name(ElementKind::kNic, at.first_nic);
  if (vertex < at.first_spine) return name(ElementKind::kLeaf, at.first_leaf);
  if (vertex < at.first_core) return name(ElementKind::kSpine, at.first_spine);
  return name(ElementKind::kCore, at.first_core);
}

std::vector<std::uint32_t> connected_parts(const FabricView& view) {
  const Graph graph = graph_of(view);
  std::vector<std::uint32_t> part(boost::num_vertices(graph));
  boost::connected_components(graph, part.data());
  return part;
}

std::vector<std::uint32_t> articulation_points(const FabricView& view) {
  const Graph graph = graph_of(view);
  std::vector<std::uint32_t> points;
  boost::articulation_points(graph, std::back_inserter(points));
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<std::uint32_t> hops_from(const FabricView& view, std::uint32_t vertex) {
  const Graph graph = graph_of(view);
  std::vector<std::uint32_t> hops(boost::num_vertices(graph), kUnreached);
  hops[vertex] = 0;
  boost::breadth_first_search(graph, vertex,
                              boost::visitor(boost::make_bfs_visitor(
                                  boost::record_distances(hops.data(), boost::on_tree_edge()))));
  return hops;
}

double max_flow(const FabricView& view, std::span<const std::uint32_t> from,
                std::span<const std::uint32_t> to) {
  const Fabric& f = view.fabric();
  const FabricVertices at(f);
  // Nodes and NICs are contracted away: a leaf takes in what the senders' living NICs bring, and
  // gives out what the receivers' take.
  const UpDown id(at);
  const std::uint32_t source = id.vertices();
  const std::uint32_t sink = source + 1;
  FlowNetwork network(id.vertices() + 2);
  std::vector<double> in(f.count(ElementKind::kLeaf));
  std::vector<double> out(in.size());
  for (const auto& [nodes, sums] : {std::pair{from, &in}, std::pair{to, &out}}) {
    for (const std::uint32_t node : nodes) {
      for (std::uint32_t rail = 0; rail < f.nics_per_node(); ++rail) {
        (*sums)[f.leaf_of(node, rail)] += view.bandwidth(up_link(f.nic(node, rail)));
      }
    }
  }
  constexpr double kPlenty = 1e18;
  for (std::uint32_t leaf = 0; leaf < in.size(); ++leaf) {
    network.add(source, id.up(at.first_leaf + leaf), in[leaf]);
    network.add(id.down(at.first_leaf + leaf), sink, out[leaf]);
  }
  for (std::uint32_t s = at.first_leaf; s < at.count; ++s) {
    network.add(id.up(s), id.down(s), kPlenty);
  }
  for_each_switch_cable(view, at, [&](std::uint32_t a, std::uint32_t b, ElementId cable) {
    if (a < at.first_leaf) return;
    network.add(id.up(a), id.up(b), view.bandwidth(up_link(cable)));
    network.add(id.down(b), id.down(a), view.bandwidth(down_link(cable)));
  });
  return network.max_flow(source, sink);
}

bool all_can_talk(const FabricView& view, std::span<const std::uint32_t> nodes) {
  if (view.healthy() || nodes.size() < 2) return true;
  const Fabric& f = view.fabric();
  const LeafClasses classes = leaf_classes(view, FabricVertices(f));
  // The class of the leaf behind each living NIC of a node, with its plane. Nodes with the same list
  // are one case.
  std::vector<std::vector<Edge>> cases;
  for (const std::uint32_t node : nodes) {
    std::vector<Edge> leaves;
    for (std::uint32_t rail = 0; rail < f.nics_per_node(); ++rail) {
      if (!view.alive(f.nic(node, rail))) continue;
      leaves.emplace_back(f.plane_of_rail(rail), classes.of_leaf[f.leaf_of(node, rail)]);
    }
    if (leaves.empty()) return false;
    cases.push_back(std::move(leaves));
  }
  std::sort(cases.begin(), cases.end());
  cases.erase(std::unique(cases.begin(), cases.end()), cases.end());
  const auto can_talk = [&](const std::vector<Edge>& a, const std::vector<Edge>& b) {
    for (const auto& [plane_a, class_a] : a) {
      for (const auto& [plane_b, class_b] : b) {
        if (plane_a == plane_b && classes.reaches[class_a][class_b]) return true;
      }
    }
    return false;
  };
  for (std::size_t a = 0; a < cases.size(); ++a) {
    for (std::size_t b = a + 1; b < cases.size(); ++b) {
      if (!can_talk(cases[a], cases[b])) return false;
    }
  }
  return true;
}

JobVerdict verdict(const FabricView& view, std::span<const std::uint32_t> nodes) {
  FAULTLINE_CHECK(!nodes.empty(), "a job without nodes");
  const Fabric& f = view.fabric();
  const FabricView healthy(f, FabricState());
  const auto first = nodes.subspan(0, nodes.size() / 2);
  const auto second = nodes.subspan(nodes.size() / 2);
  JobVerdict verdict;
  if (!first.empty()) {
    verdict.bisection = max_flow(view, first, second);
    verdict.healthy_bisection = max_flow(healthy, first, second);
  }
  bool slowed = verdict.bisection < verdict.healthy_bisection;
  bool cut = !all_can_talk(view, nodes);
  for (const ElementId cable : view.touched_cables()) {
    const Fabric::Place at = f.place(cable);
    const bool of_node = at.kind == ElementKind::kGpuPort || at.kind == ElementKind::kNic;
    if (!of_node || std::find(nodes.begin(), nodes.end(), at.owner) == nodes.end()) continue;
    if (at.kind == ElementKind::kNic && nodes.size() == 1) continue;
    slowed = true;
    if (at.kind == ElementKind::kGpuPort && f.gpus_per_node() > 1 && !view.alive(cable)) cut = true;
  }
  verdict.reach = cut ? JobReach::kCut : slowed ? JobReach::kSlowed : JobReach::kUntouched;
  return verdict;
}

}  // namespace faultline
