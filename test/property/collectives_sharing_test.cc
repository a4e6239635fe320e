// Max-min sharing against its definition, and the fluid back end against the analytic one.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "models/collectives/max_min.h"
#include "models/collectives/oracle.h"
#include "test/support/small_fabric.h"

namespace faultline {
namespace {

constexpr double kTolerance = 1e-9;

// Bertsekas and Gallager: rates are max-min fair exactly if each flow has a bottleneck, a full link
// on which no flow has more.
RC_GTEST_PROP(CollectivesSharing, EveryFlowHasABottleneck, ()) {
  const auto links = *rc::gen::inRange<std::size_t>(1, 8);
  std::vector<double> bandwidth;
  for (std::size_t l = 0; l < links; ++l) bandwidth.push_back(*rc::gen::inRange(1, 10));
  std::vector<std::vector<LinkIndex>> paths;
  const int count = *rc::gen::inRange(1, 12);
  for (int i = 0; i < count; ++i) {
    std::vector<LinkIndex> path;
    for (LinkIndex l = 0; l < links; ++l) {
      if (*rc::gen::arbitrary<bool>()) path.push_back(l);
    }
    if (path.empty()) path.push_back(0);
    paths.push_back(path);
  }
  std::vector<FluidFlow> flows;
  for (const auto& path : paths) flows.push_back({.links = path, .bytes = 1});
  const std::vector<double> rates =
      max_min_rates(flows, [&](LinkIndex link) { return bandwidth[link]; });
  std::vector<double> used(links, 0);
  std::vector<double> most(links, 0);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    for (const LinkIndex link : flows[i].links) {
      used[link] += rates[i];
      most[link] = std::max(most[link], rates[i]);
    }
  }
  for (std::size_t l = 0; l < links; ++l) RC_ASSERT(used[l] <= bandwidth[l] * (1 + kTolerance));
  for (std::size_t i = 0; i < flows.size(); ++i) {
    RC_ASSERT(std::any_of(flows[i].links.begin(), flows[i].links.end(), [&](LinkIndex link) {
      return used[link] >= bandwidth[link] * (1 - kTolerance) &&
             rates[i] >= most[link] * (1 - kTolerance);
    }));
  }
}

// Two flows on a link of 1, one of 1 byte from 0 s, one of 2 bytes from 1/2 s: alone until 1/2, then
// halves: the first ends at 3/2; the second has 3/2 left and ends at 3.
TEST(CollectivesSharing, ByHand) {
  const std::vector<LinkIndex> link{0};
  const std::vector<FluidFlow> flows{{.links = link, .bytes = 1, .start = 0},
                                     {.links = link, .bytes = 2, .start = 0.5}};
  const std::vector<double> ends = finish_times(flows, [](LinkIndex) { return 1.0; });
  EXPECT_DOUBLE_EQ(ends[0], 1.5);
  EXPECT_DOUBLE_EQ(ends[1], 3);
}

// Two jobs on a link of 1: one of phases of 1 and 1 byte, one of 3 bytes. Halves until 2 s, when the
// first phase of the first job ends; halves again, so its second one ends at 4 s, when the other has
// 1 byte left and the link alone: 5 s.
TEST(CollectivesSharing, JobsByHand) {
  const std::vector<LinkIndex> link{0};
  const FluidFlow one{.links = link, .bytes = 1, .start = 0};
  const std::vector<FluidJob> jobs{{.phases = {{one}, {one}}},
                                   {.phases = {{{.links = link, .bytes = 3, .start = 0}}}}};
  const std::vector<double> ends = job_ends(jobs, [](LinkIndex) { return 1.0; });
  EXPECT_DOUBLE_EQ(ends[0], 4);
  EXPECT_DOUBLE_EQ(ends[1], 5);
}

// Two jobs on every other node of a fat tree with one spine and 1:4: together each takes longer than
// alone, less than one after the other, and as long as alone where they do not meet.
TEST(CollectivesSharing, TwoJobsOnOneSpine) {
  const auto both = [](double oversubscription) {
    const Fabric fabric(FabricConfig{.topology = FabricTopology::kFatTree,
                                     .nodes_per_leaf = 2,
                                     .spines = oversubscription == 1 ? 16 : 1,
                                     .oversubscription = oversubscription},
                        8, 8, 8);
    FluidOracle oracle(fabric);
    const std::vector<CollectiveSpec> specs{
        {.bytes = 1e9, .nodes = {0, 2, 4, 6}, .algorithm = CollectiveAlgorithm::kHierarchical},
        {.bytes = 1e9, .nodes = {1, 3, 5, 7}, .algorithm = CollectiveAlgorithm::kHierarchical}};
    const auto together = oracle.together(specs, FabricState());
    EXPECT_TRUE(together) << together.error();
    return std::pair{oracle.cost(specs[0], FabricState())->seconds, (*together)[0]};
  };
  const auto [alone, crowded] = both(4);
  EXPECT_GT(crowded, 1.2 * alone);
  EXPECT_LT(crowded, 2 * alone);
  const auto [alone_again, apart] = both(1);
  EXPECT_NEAR(apart, alone_again, 1e-12);
}

RC_GTEST_PROP(CollectivesSharing, FluidAndAnalyticAgreeWhereTheyMust, ()) {
  const Fabric fabric = small_fabric(6);
  const FabricState state = small_state(fabric, 4);
  CollectiveSpec spec{.bytes = 1e6 * *rc::gen::inRange(1, 100),
                      .nodes = std::vector<std::uint32_t>(fabric.nodes())};
  std::iota(spec.nodes.begin(), spec.nodes.end(), 0);
  spec.op = *rc::gen::element(CollectiveOp::kAllReduce, CollectiveOp::kReduceScatter,
                              CollectiveOp::kAllGather, CollectiveOp::kAllToAll);
  spec.algorithm =
      *rc::gen::element(CollectiveAlgorithm::kRing, CollectiveAlgorithm::kTree,
                        CollectiveAlgorithm::kHierarchical, CollectiveAlgorithm::kDirect);
  spec.protocol = *rc::gen::element(Protocol::kLL, Protocol::kLL128, Protocol::kSimple);
  const auto analytic = AnalyticOracle(fabric).cost(spec, state);
  const auto fluid = FluidOracle(fabric).cost(spec, state);
  RC_ASSERT(analytic.has_value() == fluid.has_value());
  if (!analytic) return;
  RC_CLASSIFY(true, std::string(enum_name(*spec.algorithm)));
  const bool stream = *spec.algorithm != CollectiveAlgorithm::kHierarchical && fabric.nodes() > 1;
  RC_ASSERT(fluid->seconds <= analytic->seconds * (1 + kTolerance));
  if (stream || state.healthy()) {
    RC_ASSERT(fluid->seconds >= analytic->seconds * (1 - kTolerance));
  }
  RC_ASSERT(analytic->latency_part <= analytic->seconds);
}

// A slower cable never makes a collective faster. (A dead one may: its detour can be less crowded.)
RC_GTEST_PROP(CollectivesSharing, SlowCablesCost, ()) {
  const Fabric fabric = small_fabric(6);
  const FabricState drawn = small_state(fabric, 4);
  std::vector<FabricFault> faults = drawn.faults();
  for (FabricFault& fault : faults) fault.bandwidth = std::max(fault.bandwidth, 0.25);
  const FabricState state(faults);
  CollectiveSpec spec{.bytes = 1e7, .nodes = std::vector<std::uint32_t>(fabric.nodes())};
  std::iota(spec.nodes.begin(), spec.nodes.end(), 0);
  AnalyticOracle oracle(fabric);
  const auto healthy = oracle.cost(spec, FabricState());
  const auto faulty = oracle.cost(spec, state);
  RC_ASSERT(healthy.has_value());
  RC_ASSERT(faulty.has_value());
  RC_ASSERT(faulty->seconds >= healthy->seconds * (1 - kTolerance));
}

}  // namespace
}  // namespace faultline
