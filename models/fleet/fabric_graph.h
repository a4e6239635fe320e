// The fabric as a graph: what its faults cut off, and how much can still cross.
//
// Vertices are nodes (with their GPUs and NVSwitch), NICs and switches; edges are the cables between
// them. Dead cables are left out. Routes (fabric_routes.h) say what a message does; the graph says
// what is possible, as if every switch balanced its load perfectly. Where the two differ, a route
// collides with another one after a detour, and the graph's answer is the better case.
//
// In the graph of parts (parts, articulation points, hops), a cable may be walked both ways and a
// node joins the planes of a rail fabric. Messages are more particular: nodes do not forward, and a
// path goes up, turns once and comes down, never up again. So whether two nodes can talk, and how
// much, is decided on a graph in which each switch is two vertices, one for each way.
//
// Source: articulation points by Hopcroft and Tarjan (CACM 16, 1973), maximum flow by push-relabel
// (Goldberg and Tarjan, JACM 35, 1988), both of Boost.Graph.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/fleet/fabric_routes.h"

namespace faultline {

// Vertices are numbered: nodes, NICs (node x NICs + rail), leaves, spines, core switches.
struct FabricVertices {
  explicit FabricVertices(const Fabric& fabric);
  std::uint32_t nic(std::uint32_t node, std::uint32_t rail) const {
    return first_nic + node * nics_per_node + rail;
  }
  std::uint32_t nics_per_node = 0;
  std::uint32_t first_nic = 0;
  std::uint32_t first_leaf = 0;
  std::uint32_t first_spine = 0;
  std::uint32_t first_core = 0;
  std::uint32_t count = 0;
};
// "node17", "rail3@node17", "leaf12", "spine3", "core0"
std::string vertex_name(const Fabric& fabric, std::uint32_t vertex);

// The number of the connected part that each vertex is in, from 0 in order of vertices.
std::vector<std::uint32_t> connected_parts(const FabricView& view);

// Vertices whose loss splits the part they are in: single points of failure, in order.
std::vector<std::uint32_t> articulation_points(const FabricView& view);

// Cables from a vertex to every other along the shortest way; UINT32_MAX where there is none.
std::vector<std::uint32_t> hops_from(const FabricView& view, std::uint32_t vertex);

// Bytes per second that some nodes can send to some others at once. Nodes in neither list take no
// part. NVLink does not limit it.
double max_flow(const FabricView& view, std::span<const std::uint32_t> from,
                std::span<const std::uint32_t> to);

// Whether every two of these nodes can talk over switches.
bool all_can_talk(const FabricView& view, std::span<const std::uint32_t> nodes);

// What a state of the fabric does to a job on these nodes.
enum class JobReach {
  kUntouched,  // as much can cross as in a healthy fabric
  kSlowed,     // less
  kCut,        // two of its nodes, or two GPUs of a node, cannot talk at all
};
struct JobVerdict {
  JobReach reach = JobReach::kUntouched;
  double bisection = 0;          // first half of the nodes to the second half, bytes per second
  double healthy_bisection = 0;  // the same without faults
};
// Slowed: a GPU port or NIC of the job is worse than new, or the flow between its halves is.
JobVerdict verdict(const FabricView& view, std::span<const std::uint32_t> nodes);

}  // namespace faultline
