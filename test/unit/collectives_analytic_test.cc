// Costs that can be worked out by hand, among them the worked example of models/collectives/MODEL.md.
#include <gtest/gtest.h>

#include <numeric>

#include "models/collectives/oracle.h"

namespace faultline {
namespace {

// Every node on one leaf per rail: no route is longer than the shortest.
Fabric flat(std::uint32_t nodes, std::optional<Bandwidth> busbw = std::nullopt) {
  FabricConfig config{.nodes_per_leaf = nodes};
  config.busbw = busbw;
  return {config, nodes, 8, 8};
}

std::vector<std::uint32_t> first_nodes(std::uint32_t count) {
  std::vector<std::uint32_t> nodes(count);
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

CollectiveSpec spec_of(CollectiveAlgorithm algorithm, std::uint32_t nodes, double bytes,
                       Protocol protocol = Protocol::kSimple) {
  return {
      .bytes = bytes, .nodes = first_nodes(nodes), .algorithm = algorithm, .protocol = protocol};
}

CollectiveCost cost_of(const Fabric& fabric, const CollectiveSpec& spec,
                       const FabricState& state = FabricState()) {
  const auto cost = AnalyticOracle(fabric).cost(spec, state);
  EXPECT_TRUE(cost) << cost.error();
  return cost ? *cost : CollectiveCost{};
}

FabricState one_fault(const Fabric& fabric, std::string_view name, double bandwidth) {
  return FabricState({{.element = *fabric.find(name), .bandwidth = bandwidth}});
}

double bus_bandwidth(const Fabric& fabric, const CollectiveSpec& spec, double seconds) {
  return bus_factor(spec.op, ranks_of(spec, fabric)) * spec.bytes / seconds;
}

// MODEL.md: 1 GiB over 64 nodes of 8 GPUs, hierarchical, Simple.
//   inside   7 steps of 128 MiB: 7 x (3.4 us + 134,217,728 / 450e9) = 2.11163 ms, twice
//   over     126 steps of 2 MiB: same leaf 14 us, another leaf 15.2 us (two more cables of 0.6 us);
//            126 x (15.2 us + 2,097,152 / 50e9) = 7.20002 ms
//   base     8.4 us
TEST(CollectivesAnalytic, WorkedExample) {
  const Fabric fabric(FabricConfig{}, 64, 8, 8);
  const CollectiveCost cost =
      cost_of(fabric, spec_of(CollectiveAlgorithm::kHierarchical, 64, 1024.0 * 1024 * 1024));
  const double inside = 7 * (3.4e-6 + 134217728 / 450e9);
  const double over = 126 * (15.2e-6 + 2097152 / 50e9);
  EXPECT_NEAR(inside, 2.11163e-3, 1e-8);
  EXPECT_NEAR(over, 7.20002e-3, 1e-8);
  EXPECT_NEAR(cost.seconds, 8.4e-6 + 2 * inside + over, 1e-12);
  EXPECT_NEAR(cost.seconds, 11.43168e-3, 1e-8);
  // With rail 3 of node 17 at a tenth: 126 x (14 us + 2,097,152 / 5e9) = 54.61222 ms over nodes.
  const FabricState slow = one_fault(fabric, "rail3@node17", 0.1);
  const CollectiveCost worse =
      cost_of(fabric, spec_of(CollectiveAlgorithm::kHierarchical, 64, 1024.0 * 1024 * 1024), slow);
  EXPECT_NEAR(worse.seconds, 8.4e-6 + 2 * inside + 126 * (14e-6 + 2097152 / 5e9), 1e-12);
  EXPECT_EQ(fabric.name(worse.bottleneck), "rail3@node17");
}

// NCCL's own formulas (tuning.cc), 16,384 ranks, with hardly a byte: 28,672 x 3.4 us + 4,094 x 14 us
// for the ring, 2 x (7 x 4 us + 11 x 14 us) for the tree, and 8.4 us each.
TEST(CollectivesAnalytic, LatenciesAreThoseOfNccl) {
  const Fabric fabric = flat(2048);
  const CollectiveCost ring = cost_of(fabric, spec_of(CollectiveAlgorithm::kRing, 2048, 1));
  EXPECT_NEAR(ring.latency_part, 8.4e-6 + 28672 * 3.4e-6 + 4094 * 14e-6, 1e-9);
  const CollectiveCost tree = cost_of(fabric, spec_of(CollectiveAlgorithm::kTree, 2048, 1));
  EXPECT_NEAR(tree.latency_part, 8.4e-6 + 2 * (7 * 4e-6 + 11 * 14e-6), 1e-9);
}

// Large rings and trees reach 8 NICs of 50 GB/s; inside one node, a GPU's NVLink.
TEST(CollectivesAnalytic, BusBandwidthOfLargeBuffers) {
  const Fabric fabric = flat(16);
  for (const CollectiveOp op :
       {CollectiveOp::kAllReduce, CollectiveOp::kReduceScatter, CollectiveOp::kAllGather}) {
    CollectiveSpec spec = spec_of(CollectiveAlgorithm::kRing, 16, 1e13);
    spec.op = op;
    EXPECT_NEAR(bus_bandwidth(fabric, spec, cost_of(fabric, spec).seconds), 400e9, 0.001 * 400e9);
    spec.nodes = {3};
    EXPECT_NEAR(bus_bandwidth(fabric, spec, cost_of(fabric, spec).seconds), 450e9, 0.001 * 450e9);
  }
  const CollectiveSpec tree = spec_of(CollectiveAlgorithm::kTree, 16, 1e13);
  // (a tree sends each byte twice, a ring 2(n-1)/n times; 8% less by NCCL's constants)
  EXPECT_NEAR(bus_bandwidth(fabric, tree, cost_of(fabric, tree).seconds), 0.92 * 400e9 * 127 / 128,
              0.001 * 400e9);
}

// The calibration is on the bus bandwidth of a large all-reduce, whatever the size of the fabric.
TEST(CollectivesAnalytic, CalibratedByMeasuredBusBandwidth) {
  for (const std::uint32_t nodes : {2U, 3U, 64U}) {
    const Fabric fabric = flat(nodes, Bandwidth{370e9});
    EXPECT_NEAR(AnalyticOracle(fabric).efficiency(), 0.925, 1e-9);
    const CollectiveSpec spec = spec_of(CollectiveAlgorithm::kRing, nodes, 1e14);
    EXPECT_NEAR(bus_bandwidth(fabric, spec, cost_of(fabric, spec).seconds), 370e9, 0.001 * 370e9);
  }
  // One node with NVLink SHARP is faster than its links: 480 GB/s of 450.
  EXPECT_NEAR(AnalyticOracle(flat(1, Bandwidth{480e9})).efficiency(), 480.0 / 450, 1e-9);
}

// NCCL's choice goes from LL by LL128 to Simple as the buffer grows, and from the tree to the ring.
TEST(CollectivesAnalytic, ChoosesAsNcclDoes) {
  const Fabric fabric = flat(16);
  CollectiveSpec spec{.nodes = first_nodes(16)};
  const auto choice = [&](double bytes) {
    spec.bytes = bytes;
    const CollectiveCost cost = cost_of(fabric, spec);
    return std::pair{cost.algorithm, cost.protocol};
  };
  EXPECT_EQ(choice(1024), std::pair(CollectiveAlgorithm::kTree, Protocol::kLL));
  EXPECT_EQ(choice(16e6), std::pair(CollectiveAlgorithm::kTree, Protocol::kLL128));
  EXPECT_EQ(choice(64e9), std::pair(CollectiveAlgorithm::kRing, Protocol::kSimple));
  // A fault does not change the choice: the communicator was made before.
  spec.bytes = 16e6;
  const FabricState slow = one_fault(fabric, "rail0@node0", 0.01);
  EXPECT_EQ(cost_of(fabric, spec, slow).protocol, Protocol::kLL128);
}

// 4 nodes of 8 GPUs send 1/32 of the bytes to each GPU. A NIC carries what 8 GPUs send to the 3
// others of its rail: 24 x 1 GB / 32 at 50 GB/s = 15 ms.
TEST(CollectivesAnalytic, AllToAll) {
  const Fabric fabric = flat(4);
  CollectiveSpec spec = spec_of(CollectiveAlgorithm::kDirect, 4, 1e9);
  spec.op = CollectiveOp::kAllToAll;
  const CollectiveCost cost = cost_of(fabric, spec);
  EXPECT_NEAR(cost.seconds - cost.latency_part, 15e-3, 1e-9);
}

TEST(CollectivesAnalytic, ADeadNicIsADetourAndADeadGpuIsNone) {
  const Fabric fabric = flat(16);
  const CollectiveSpec spec = spec_of(CollectiveAlgorithm::kHierarchical, 16, 1e9);
  const double healthy = cost_of(fabric, spec).seconds;
  // Two rings share a NIC: a step over nodes takes twice its bytes, and NVLink is in the way at both
  // ends.
  const double detour = cost_of(fabric, spec, one_fault(fabric, "rail3@node7", 0)).seconds;
  EXPECT_NEAR(detour - healthy, 30 * (7812500 / 50e9 + 2 * 500e-9), 1e-9);
  const auto cut = AnalyticOracle(fabric).cost(spec, one_fault(fabric, "gpu3@node7", 0));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error(), "two of the GPUs have no path to each other");
}

TEST(CollectivesAnalytic, ErrorsAreSentences) {
  const Fabric fabric = flat(128);
  const auto error = [&](const CollectiveSpec& spec) {
    const auto cost = AnalyticOracle(fabric).cost(spec, FabricState());
    return cost ? "none" : cost.error();
  };
  CollectiveSpec spec = spec_of(CollectiveAlgorithm::kTree, 4, 1e9);
  spec.op = CollectiveOp::kAllGather;
  EXPECT_EQ(error(spec), "the algorithm tree has no all-gather of this kind of group");
  EXPECT_EQ(error(spec_of(CollectiveAlgorithm::kHierarchical, 1, 1e9)),
            "the algorithm hierarchical has no all-reduce inside one node");
  spec = {.op = CollectiveOp::kAllToAll, .bytes = 1e9, .nodes = first_nodes(128)};
  EXPECT_EQ(error(spec),
            "an all-to-all of 1024 GPUs has 1047552 flows at once; at most 512 GPUs are possible");
}

}  // namespace
}  // namespace faultline
