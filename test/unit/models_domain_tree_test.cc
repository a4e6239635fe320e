// Failure domains of hand-made fleets: numbers, nodes, parents, children and names, with levels absent.
#include "models/fleet/domain_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace faultline {
namespace {

using Level = DomainLevel;
using Slots = std::vector<SlotRange>;

Slots nodes_of(const DomainTree& tree, Domain domain) {
  Slots slots;
  for (std::size_t r = 0; r < tree.ranges(domain); ++r) slots.push_back(tree.range(domain, r));
  return slots;
}

std::vector<std::string> names(const DomainTree& tree, const std::vector<Domain>& domains) {
  std::vector<std::string> texts;
  for (const Domain domain : domains) texts.push_back(tree.name(domain));
  return texts;
}

// The worked example of the header: pools a and b in zone x, 5 and 3 nodes.
TEST(DomainTree, WorkedExample) {
  const DomainTree tree(
      {.pools =
           {{.name = "a", .nodes = 5, .zone = "x", .nodes_per_rack = 2, .racks_per_block = 2},
            {.name = "b", .nodes = 3, .zone = "x", .nodes_per_rack = 2, .racks_per_block = 2}}},
      0);
  EXPECT_EQ(tree.count(Level::kRack), 5U);
  EXPECT_EQ(tree.count(Level::kBlock), 3U);
  EXPECT_EQ(tree.count(Level::kZone), 1U);
  EXPECT_EQ(tree.count(Level::kRegion), 0U);
  EXPECT_EQ(nodes_of(tree, {Level::kRack, 2}), (Slots{{4, 1}}));
  EXPECT_EQ(nodes_of(tree, {Level::kRack, 3}), (Slots{{5, 2}}));
  EXPECT_EQ(nodes_of(tree, {Level::kBlock, 0}), (Slots{{0, 4}}));
  EXPECT_EQ(nodes_of(tree, {Level::kBlock, 1}), (Slots{{4, 1}}));
  EXPECT_EQ(nodes_of(tree, {Level::kBlock, 2}), (Slots{{5, 3}}));
  EXPECT_EQ(nodes_of(tree, {Level::kZone, 0}), (Slots{{0, 5}, {5, 3}}));
  EXPECT_EQ(tree.nodes(Domain{Level::kZone, 0}), 8U);
  EXPECT_EQ(tree.of(NodeSlot(6), Level::kRack), (Domain{Level::kRack, 3}));
  EXPECT_EQ(tree.of(NodeSlot(4), Level::kBlock), (Domain{Level::kBlock, 1}));
  EXPECT_EQ(tree.of(NodeSlot(4), Level::kRegion), std::nullopt);
}

// Every kind of absence.            slots    region zone  blocks              racks
//   a   5 nodes of 8 GPUs           0-4      r1     x     {0-3}, {4}          {0,1}, {2,3}, {4}
//   b   3 nodes of 4 GPUs           5-7      r1     x     -                   {5,6}, {7}
//   c   4 nodes of 8 GPUs           8-11     r1     -     {8-10}, {11}        -
//   d   2 nodes of 8 GPUs           12-13    -      x     -                   -
//   e   2 nodes of 8 GPUs           14-15    -      -     -                   -
DomainTree five_pools() {
  FleetConfig config;
  config.pools.push_back({.name = "a",
                          .nodes = 5,
                          .region = "r1",
                          .zone = "x",
                          .nodes_per_rack = 2,
                          .racks_per_block = 2});
  config.pools.push_back({.name = "b",
                          .nodes = 3,
                          .gpus_per_node = 4,
                          .region = "r1",
                          .zone = "x",
                          .nodes_per_rack = 2,
                          .racks_per_block = {}});
  config.pools.push_back({.name = "c",
                          .nodes = 4,
                          .region = "r1",
                          .zone = {},
                          .nodes_per_rack = {},
                          .nodes_per_block = 3});
  config.pools.push_back({.name = "d", .nodes = 2, .zone = "x", .nodes_per_rack = {}});
  config.pools.push_back({.name = "e", .nodes = 2, .zone = {}, .nodes_per_rack = {}});
  return DomainTree(config, 0);
}

TEST(DomainTree, CountsWithLevelsAbsent) {
  const DomainTree tree = five_pools();
  EXPECT_EQ(tree.count(Level::kRegion), 1U);
  EXPECT_EQ(tree.count(Level::kZone), 2U);  // x of r1, and x of no region
  EXPECT_EQ(tree.count(Level::kBlock), 4U);
  EXPECT_EQ(tree.count(Level::kRack), 5U);
  EXPECT_EQ(tree.count(Level::kNode), 16U);
  EXPECT_EQ(tree.count(Level::kGpu), 40U + 12U + 32U + 16U + 16U);
  EXPECT_EQ(tree.nodes(Level::kRegion), 12U);
  EXPECT_EQ(tree.nodes(Level::kZone), 10U);
  EXPECT_EQ(tree.nodes(Level::kBlock), 9U);
  EXPECT_EQ(tree.nodes(Level::kRack), 8U);
  EXPECT_EQ(tree.nodes(Level::kNode), 16U);
}

TEST(DomainTree, WhereANodeStands) {
  const DomainTree tree = five_pools();
  const auto stands = [&](int slot) {
    std::string text;
    for (const Level level : {Level::kRegion, Level::kZone, Level::kBlock, Level::kRack}) {
      const auto domain = tree.of(NodeSlot(slot), level);
      text += (domain ? tree.name(*domain) : "-") + "; ";
    }
    return text;
  };
  EXPECT_EQ(stands(3), "region r1; zone r1/x; a/block-0; a/rack-1; ");
  EXPECT_EQ(stands(4), "region r1; zone r1/x; a/block-1; a/rack-2; ");
  EXPECT_EQ(stands(7), "region r1; zone r1/x; -; b/rack-1; ");
  EXPECT_EQ(stands(11), "region r1; -; c/block-1; -; ");
  EXPECT_EQ(stands(12), "-; zone x; -; -; ");
  EXPECT_EQ(stands(15), "-; -; -; -; ");
}

TEST(DomainTree, ChildrenAreOfTheNextLevelThatIsThere) {
  const DomainTree tree = five_pools();
  using Names = std::vector<std::string>;
  const auto children = [&](const char* name) {
    return names(tree, tree.children(*tree.find(name)));
  };
  EXPECT_EQ(names(tree, tree.roots()), (Names{"region r1", "zone x", "e-0", "e-1"}));
  EXPECT_EQ(children("region r1"), (Names{"zone r1/x", "c/block-0", "c/block-1"}));
  EXPECT_EQ(children("zone r1/x"), (Names{"a/block-0", "a/block-1", "b/rack-0", "b/rack-1"}));
  EXPECT_EQ(children("zone x"), (Names{"d-0", "d-1"}));
  EXPECT_EQ(children("a/block-0"), (Names{"a/rack-0", "a/rack-1"}));
  EXPECT_EQ(children("c/block-0"), (Names{"c-0", "c-1", "c-2"}));
  EXPECT_EQ(children("b/rack-1"), (Names{"b-2"}));
  EXPECT_EQ(children("b-2"), (Names{"b-2/gpu-0", "b-2/gpu-1", "b-2/gpu-2", "b-2/gpu-3"}));
  EXPECT_TRUE(tree.children({Level::kGpu, 0}).empty());
}

TEST(DomainTree, ParentsSkipWhatIsAbsent) {
  const DomainTree tree = five_pools();
  const auto parent = [&](Domain domain) {
    const auto above = tree.parent(domain);
    return above ? tree.name(*above) : "-";
  };
  EXPECT_EQ(parent({Level::kGpu, 40 + 11}), "b-2");
  EXPECT_EQ(parent({Level::kNode, 7}), "b/rack-1");
  EXPECT_EQ(parent({Level::kNode, 11}), "c/block-1");
  EXPECT_EQ(parent({Level::kNode, 13}), "zone x");
  EXPECT_EQ(parent({Level::kNode, 14}), "-");
  EXPECT_EQ(parent({Level::kRack, 0}), "a/block-0");
  EXPECT_EQ(parent({Level::kRack, 4}), "zone r1/x");
  EXPECT_EQ(parent({Level::kBlock, 2}), "region r1");
  EXPECT_EQ(parent({Level::kZone, 0}), "region r1");
  EXPECT_EQ(parent({Level::kZone, 1}), "-");
  EXPECT_EQ(parent({Level::kRegion, 0}), "-");
}

TEST(DomainTree, NamesAreFoundAgain) {
  const DomainTree tree = five_pools();
  for (const Level level :
       {Level::kRegion, Level::kZone, Level::kBlock, Level::kRack, Level::kNode}) {
    for (std::uint64_t n = 0; n < tree.count(level); ++n) {
      EXPECT_EQ(tree.find(tree.name({level, n})), (Domain{level, n}));
    }
  }
  for (const char* wrong : {"", "zone", "zone ", "zone y", "x", "r1", "region r1/x", "zone r2/x",
                            "a/block-2", "a/rack-3", "a/rack-01", "a/rack-", "/rack-0", "b/block-0",
                            "c/rack-0", "a-5", "a/rack-0x", "rack-0"}) {
    EXPECT_FALSE(tree.find(wrong).has_value()) << wrong;
  }
}

// A zone whose pools do not stand side by side is one child, at its first node.
TEST(DomainTree, AZoneOfPoolsApart) {
  FleetConfig config;
  for (const auto& [name, zone] : {std::pair{"a", "x"}, {"b", "y"}, {"c", "x"}}) {
    config.pools.push_back({.name = name, .nodes = 2, .region = "r", .zone = zone});
  }
  const DomainTree tree(config, 1);
  EXPECT_EQ(names(tree, tree.children({Level::kRegion, 0})),
            (std::vector<std::string>{"zone r/x", "zone r/y"}));
  EXPECT_EQ(nodes_of(tree, {Level::kZone, 0}), (Slots{{0, 3}, {6, 3}}));
  EXPECT_TRUE(tree.contains({Level::kZone, 0}, NodeSlot(8)));
  EXPECT_FALSE(tree.contains({Level::kZone, 0}, NodeSlot(3)));
  EXPECT_FALSE(tree.contains({Level::kZone, 0}, NodeSlot()));
}

// Warm spares come last: the last block holds them, and is not full.
TEST(DomainTree, SparesFillTheLastDomains) {
  const DomainTree tree(
      {.pools = {{.name = "a", .nodes = 4, .nodes_per_rack = 2, .racks_per_block = 2}}}, 3);
  EXPECT_EQ(nodes_of(tree, {Level::kBlock, 1}), (Slots{{4, 3}}));
  EXPECT_EQ(nodes_of(tree, {Level::kRack, 3}), (Slots{{6, 1}}));
}

// A rack that is larger than its pool is the whole pool, and so is a block of any size.
TEST(DomainTree, DomainsLargerThanTheirPool) {
  const DomainTree tree(
      {.pools =
           {{.name = "a", .nodes = 3, .nodes_per_rack = 10'000'000, .racks_per_block = 10'000'000},
            {.name = "b", .nodes = 2, .nodes_per_rack = 1}}},
      0);
  EXPECT_EQ(nodes_of(tree, {Level::kRack, 0}), (Slots{{0, 3}}));
  EXPECT_EQ(nodes_of(tree, {Level::kBlock, 0}), (Slots{{0, 3}}));
  EXPECT_EQ(nodes_of(tree, {Level::kBlock, 1}), (Slots{{3, 2}}));
  EXPECT_EQ(nodes_of(tree, {Level::kRack, 2}), (Slots{{4, 1}}));
}

TEST(DomainTree, UnitsOfRates) {
  EXPECT_EQ(level_of(ExposureUnit::kGpu), Level::kGpu);
  EXPECT_EQ(level_of(ExposureUnit::kNode), Level::kNode);
  EXPECT_EQ(level_of(ExposureUnit::kRack), Level::kRack);
  EXPECT_EQ(level_of(ExposureUnit::kBlock), Level::kBlock);
  EXPECT_EQ(level_of(ExposureUnit::kZone), Level::kZone);
  EXPECT_EQ(level_of(ExposureUnit::kRegion), Level::kRegion);
  EXPECT_EQ(level_of(ExposureUnit::kJob), std::nullopt);
}

TEST(PoolConfig, ChecksOfDomains) {
  const auto problems = [](const PoolConfig& config) {
    FieldProblems found;
    config.check(found);
    std::string text;
    for (const auto& problem : found.all()) text += problem.field + " " + problem.message + "; ";
    return text;
  };
  EXPECT_EQ(problems({.name = "a", .nodes = 2, .region = "r", .zone = {}}), "");
  EXPECT_EQ(problems({.name = "a", .nodes = 2, .nodes_per_block = 4}),
            "nodes_per_block follows from `nodes_per_rack` and `racks_per_block`: give it with "
            "`nodes_per_rack: null` only; ");
  EXPECT_EQ(problems({.name = "a", .nodes = 2, .region = "r/1", .zone = ""}),
            "region has a slash, which stands between a region and its zone; zone is empty: for "
            "none, write `null`; ");
}

}  // namespace
}  // namespace faultline
