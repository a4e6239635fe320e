// The fabrics of MODEL.md, counted by hand; names of parts; what a fault does to a job.
#include "models/fleet/fabric.h"

#include <gtest/gtest.h>

#include <numeric>

#include "models/fleet/fabric_graph.h"

namespace faultline {
namespace {

Fabric rail(std::uint32_t nodes) { return {FabricConfig{}, nodes, 8, 8}; }

// Racks of 2 servers, 16 uplinks a rack, 192 racks a pod, 1:7 above (Llama 3, section 3.3.1).
Fabric llama3(std::uint32_t nodes) {
  return {FabricConfig{.topology = FabricTopology::kThreeLayer,
                       .nodes_per_leaf = 2,
                       .spines = 16,
                       .leaves_per_pod = 192,
                       .cores = 28,
                       .core_oversubscription = 7},
          nodes, 8, 8};
}

std::vector<std::uint32_t> all_nodes(const Fabric& fabric) {
  std::vector<std::uint32_t> nodes(fabric.nodes());
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

ElementId element(const Fabric& fabric, std::string_view name) {
  const auto found = fabric.find(name);
  EXPECT_TRUE(found) << found.error();
  return *found;
}

FabricState state_of(const Fabric& fabric, std::string_view name, double bandwidth) {
  return FabricState({{.element = element(fabric, name), .bandwidth = bandwidth}});
}

std::string name_of_problem(const Fabric& fabric, std::string_view name) {
  const auto found = fabric.find(name);
  return found ? "found" : found.error();
}

// 2,048 nodes in 64 groups of 32, each with a leaf per rail: 512 leaves with 32 uplinks of 400 Gbps,
// 8 x 32 spines. Vertices: 2,048 + 16,384 + 512 + 256 = 19,200.
TEST(Fabric, RailOptimisedOf2048Nodes) {
  const Fabric fabric = rail(2048);
  EXPECT_EQ(fabric.count(ElementKind::kNic), 16384U);
  EXPECT_EQ(fabric.count(ElementKind::kLeaf), 512U);
  EXPECT_EQ(fabric.count(ElementKind::kLeafUplink), 16384U);
  EXPECT_EQ(fabric.count(ElementKind::kSpine), 256U);
  EXPECT_EQ(fabric.count(ElementKind::kCore), 0U);
  EXPECT_EQ(FabricVertices(fabric).count, 19200U);
  EXPECT_DOUBLE_EQ(fabric.bandwidth(ElementKind::kLeafUplink), 50e9);
  EXPECT_TRUE(articulation_points(FabricView(fabric, FabricState())).empty());
  // Full bisection: 1,024 nodes x 400 GB/s.
  const JobVerdict healthy = verdict(FabricView(fabric, FabricState()), all_nodes(fabric));
  EXPECT_DOUBLE_EQ(healthy.bisection, 1024 * 400e9);
  EXPECT_EQ(healthy.reach, JobReach::kUntouched);
}

// 3,072 nodes (24,576 GPUs): 1,536 racks in 8 pods. A pod of 3,072 GPUs takes in 3,072 x 50 GB/s and
// gives out a seventh of it; the rack's only switch is a single point of failure.
TEST(Fabric, Llama3ThreeLayers) {
  const Fabric fabric = llama3(3072);
  EXPECT_EQ(fabric.pods(), 8U);
  EXPECT_EQ(fabric.count(ElementKind::kLeaf), 1536U);
  EXPECT_EQ(fabric.count(ElementKind::kSpine), 8U * 16U);
  EXPECT_EQ(fabric.count(ElementKind::kCore), 16U * 28U);
  EXPECT_DOUBLE_EQ(fabric.bandwidth(ElementKind::kLeafUplink), 50e9);
  const double out_of_a_pod = 16 * 28 * fabric.bandwidth(ElementKind::kSpineUplink);
  EXPECT_NEAR(out_of_a_pod, 3072 * 50e9 / 7, 1);
  const FabricView view(fabric, FabricState());
  EXPECT_EQ(articulation_points(view).size(), 1536U);
  // Half the cluster to the other half: 4 pods' worth of uplinks.
  EXPECT_NEAR(verdict(view, all_nodes(fabric)).bisection, 4 * 3072 * 50e9 / 7, 4096);
  // Inside one pod: everything.
  std::vector<std::uint32_t> pod(384);
  std::iota(pod.begin(), pod.end(), 0);
  EXPECT_DOUBLE_EQ(verdict(view, pod).bisection, 192 * 400e9);
}

TEST(Fabric, EveryPartHasAName) {
  for (const Fabric& fabric : {rail(40), llama3(400)}) {
    for (std::uint32_t e = 0; e < fabric.elements(); ++e) {
      EXPECT_EQ(element(fabric, fabric.name(ElementId(e))), ElementId(e));
    }
  }
  const Fabric fabric = rail(64);
  EXPECT_EQ(name_of_problem(fabric, "rail8@node3"), "there is no rail8 (there are rails 0 to 7)");
  EXPECT_EQ(name_of_problem(fabric, "rail3@node64"),
            "there is no node64 (there are nodes 0 to 63)");
  EXPECT_EQ(name_of_problem(fabric, "core0"), "this fabric has no core switches");
  EXPECT_EQ(name_of_problem(fabric, "uplink0@spine1"), "this fabric has no uplinks of spines");
  for (const char* wrong : {"", "rail3", "node17", "rail03@node1", "nic3@node1", "rail3@leaf1"}) {
    EXPECT_EQ(name_of_problem(fabric, wrong),
              "is no part of a fabric; parts are named rail3@node17, gpu3@node17, "
              "uplink5@leaf12, leaf12 or spine3");
  }
}

TEST(Fabric, StatesAreCanonical) {
  const FabricFault a{.element = ElementId(7), .bandwidth = 0.1};
  const FabricFault b{.element = ElementId(9), .bandwidth = 0, .extra_latency = 3_us};
  const FabricFault b_less{.element = ElementId(9), .bandwidth = 0.5};
  EXPECT_EQ(FabricState({a, b}).key(), FabricState({b_less, b, a}).key());
  EXPECT_NE(FabricState({a}).key(), FabricState({b}).key());
  EXPECT_EQ(FabricState({{.element = ElementId(7), .bandwidth = 1}}), FabricState());
  EXPECT_EQ(FabricState().key(), 0x9E3779B97F4A7C15U);
}

// One uplink of a full leaf: the flow between the halves of 64 nodes loses 1 of 256 uplinks. Of a
// job on 16 nodes of the leaf, it takes nothing.
TEST(Fabric, AnUplinkSlowsWhoNeedsIt) {
  const Fabric fabric = rail(64);
  const FabricState state = state_of(fabric, "uplink5@leaf3", 0);
  const FabricView view(fabric, state);
  const JobVerdict all = verdict(view, all_nodes(fabric));
  EXPECT_EQ(all.reach, JobReach::kSlowed);
  EXPECT_DOUBLE_EQ(all.bisection, all.healthy_bisection * 255 / 256);
  std::vector<std::uint32_t> few(16);
  std::iota(few.begin(), few.end(), 0);
  EXPECT_EQ(verdict(view, few).reach, JobReach::kUntouched);
}

TEST(Fabric, ADeadPartCutsWhereThereIsNoWayRound) {
  const Fabric rails = rail(64);
  const Fabric racks = llama3(64);
  const auto reach = [](const Fabric& fabric, std::string_view name) {
    const FabricState state = state_of(fabric, name, 0);
    return verdict(FabricView(fabric, state), all_nodes(fabric)).reach;
  };
  EXPECT_EQ(reach(rails, "rail3@node17"), JobReach::kSlowed);  // by another rail
  EXPECT_EQ(reach(rails, "leaf3"), JobReach::kSlowed);         // 7 rails are left
  EXPECT_EQ(reach(racks, "leaf3"), JobReach::kCut);            // the rack's only switch
  EXPECT_EQ(reach(racks, "spine0"), JobReach::kSlowed);
  EXPECT_EQ(reach(rails, "gpu3@node17"), JobReach::kCut);
}

// Node 31 is the last of its group: its flow to node 32 goes over its own spine, 31.
TEST(Fabric, RoutesOfARail) {
  const Fabric fabric = rail(64);
  const FabricView view(fabric, FabricState());
  const auto route = view.route(31 * 8 + 2, 32 * 8 + 2);
  ASSERT_TRUE(route);
  ASSERT_EQ(route->length, 4);
  EXPECT_EQ(route->link[0], up_link(element(fabric, "rail2@node31")));
  EXPECT_EQ(route->link[1], up_link(element(fabric, "uplink31@leaf2")));
  EXPECT_EQ(route->link[2], down_link(element(fabric, "uplink31@leaf10")));
  EXPECT_EQ(route->link[3], down_link(element(fabric, "rail2@node32")));
  EXPECT_DOUBLE_EQ(route->latency, 4 * 600e-9);
  // To another rail: over the sender's NVSwitch first.
  const auto across = view.route(31 * 8 + 1, 30 * 8 + 2);
  ASSERT_TRUE(across);
  ASSERT_EQ(across->length, 4);
  EXPECT_EQ(across->link[0], up_link(element(fabric, "gpu1@node31")));
  EXPECT_EQ(across->link[1], down_link(element(fabric, "gpu2@node31")));
  EXPECT_EQ(across->link[2], up_link(element(fabric, "rail2@node31")));
  // Its spine dead: the next one, counted round.
  const FabricState dead = state_of(fabric, "uplink31@leaf10", 0);
  EXPECT_EQ(FabricView(fabric, dead).route(31 * 8 + 2, 32 * 8 + 2)->link[1],
            up_link(element(fabric, "uplink0@leaf2")));
}

}  // namespace
}  // namespace faultline
