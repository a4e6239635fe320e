// A state and its canonical one cost the same; the memo against a std::map.
#include "models/collectives/memo.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "test/support/small_fabric.h"

namespace faultline {
namespace {

CollectiveSpec small_spec(const Fabric& fabric) {
  CollectiveSpec spec{.bytes = 1e6 * *rc::gen::inRange(1, 100)};
  for (std::uint32_t node = 0; node < fabric.nodes(); ++node) {
    if (spec.nodes.empty() || *rc::gen::inRange(0, 4) != 0) spec.nodes.push_back(node);
  }
  spec.op = *rc::gen::element(CollectiveOp::kAllReduce, CollectiveOp::kReduceScatter,
                              CollectiveOp::kAllGather, CollectiveOp::kAllToAll);
  spec.groups = *rc::gen::element(RankGroups::kAllGpus, RankGroups::kPerGpu);
  if (*rc::gen::arbitrary<bool>()) spec.algorithm = CollectiveAlgorithm::kHierarchical;
  return spec;
}

// Slow parts, some dead, some with added latency.
FabricState mixed_state(const Fabric& fabric) {
  const FabricState drawn = small_state(fabric, 4);
  const bool only_slow = *rc::gen::arbitrary<bool>();
  std::vector<FabricFault> faults = drawn.faults();
  for (FabricFault& fault : faults) {
    if (only_slow) fault.bandwidth = std::max(fault.bandwidth, 0.2);
    if (!only_slow && *rc::gen::inRange(0, 3) == 0) fault.extra_latency = 20_us;
  }
  return FabricState(std::move(faults));
}

RC_GTEST_PROP(CollectivesMemo, AStateCostsWhatItsCanonicalOneCosts, ()) {
  const Fabric fabric = small_fabric(8, 4);
  const CollectiveSpec spec = small_spec(fabric);
  const FabricState state = mixed_state(fabric);
  const FabricState canonical = canonical_state(fabric, spec, state);
  AnalyticOracle analytic(fabric);
  FluidOracle fluid(fabric);
  for (CollectiveOracle* const oracle :
       {static_cast<CollectiveOracle*>(&analytic), static_cast<CollectiveOracle*>(&fluid)}) {
    const auto plain = oracle->cost(spec, state);
    const auto same = oracle->cost(spec, canonical);
    RC_ASSERT(plain.has_value() == same.has_value());
    if (plain) RC_ASSERT(std::abs(plain->seconds / same->seconds - 1) < 1e-9);
  }
  RC_ASSERT(canonical_state(fabric, spec, canonical) == canonical);
}

// 2,048 nodes: each of the 16,384 NICs at a tenth is one of two classes.
TEST(CollectivesMemo, FewClassesForManyStates) {
  const Fabric fabric(FabricConfig{}, 2048, 8, 8);
  CollectiveSpec spec{.bytes = 1e9,
                      .nodes = std::vector<std::uint32_t>(2048),
                      .algorithm = CollectiveAlgorithm::kHierarchical};
  std::iota(spec.nodes.begin(), spec.nodes.end(), 0);
  std::set<std::uint64_t> classes;
  for (std::uint32_t i = 0; i < fabric.count(ElementKind::kNic); ++i) {
    const FabricState state({{fabric.element(ElementKind::kNic, i), 0.1, Duration()}});
    classes.insert(canonical_state(fabric, spec, state).key());
  }
  EXPECT_EQ(classes.size(), 2U);
}

TEST(CollectivesMemo, AsksOnce) {
  struct Counting final : CollectiveOracle {
    int asked = 0;
    tl::expected<CollectiveCost, std::string> cost(const CollectiveSpec&,
                                                   const FabricState&) override {
      return CollectiveCost{.seconds = static_cast<double>(++asked)};
    }
  };
  const Fabric fabric(FabricConfig{}, 64, 8, 8);
  Counting source;
  CostMemo memo;
  MemoOracle oracle(fabric, source, memo);
  CollectiveSpec spec{.bytes = 1e9, .nodes = {0, 1, 2, 3}};
  const auto slow = [&](const char* name) {
    return FabricState({{*fabric.find(name), 0.5, Duration()}});
  };
  EXPECT_EQ(oracle.cost(spec, slow("rail3@node2"))->seconds, 1);
  EXPECT_EQ(oracle.cost(spec, slow("rail5@node2"))->seconds, 1);
  EXPECT_EQ(oracle.cost(spec, FabricState())->seconds, 2);
  EXPECT_EQ(oracle.cost(spec, slow("rail5@node9"))->seconds, 2);  // takes no part
  spec.bytes = 2e9;
  EXPECT_EQ(oracle.cost(spec, FabricState())->seconds, 3);
  EXPECT_EQ(memo.size(), 3U);
}

RC_GTEST_PROP(CollectivesMemo, IsAMap, ()) {
  CostMemo memo;
  std::map<std::uint64_t, double> map;
  const int steps = *rc::gen::inRange(0, 200);
  for (int i = 0; i < steps; ++i) {
    const auto key = *rc::gen::inRange<std::uint64_t>(1, 300);
    const CollectiveCost* const found = memo.find(key);
    RC_ASSERT((found != nullptr) == map.contains(key));
    if (found != nullptr) RC_ASSERT(found->seconds == map[key]);
    if (found == nullptr) memo.insert(key, {.seconds = map[key] = i});
  }
  RC_ASSERT(memo.size() == map.size());
  auto expected = map.begin();
  for (const CostMemo::Entry& entry : memo.entries()) RC_ASSERT(entry.key == expected++->first);
}

}  // namespace
}  // namespace faultline
