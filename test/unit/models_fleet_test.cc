// Slots, GPUs and names of hand-made pools.
#include "models/fleet/fleet.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

// Two pools: 5 nodes of 8 GPUs and 3 nodes of 4 GPUs, two nodes a rack, two racks a block; one warm
// spare each. Slots: a-0..a-5 (a-5 is the spare), b-0..b-3.
Fleet two_pools() {
  FleetConfig config;
  config.pools.push_back({.name = "a", .nodes = 5, .nodes_per_rack = 2, .racks_per_block = 2});
  config.pools.push_back(
      {.name = "b", .nodes = 3, .gpus_per_node = 4, .nodes_per_rack = 2, .racks_per_block = 2});
  return Fleet(config, 1);
}

TEST(Fleet, CountsEveryPart) {
  const Fleet fleet = two_pools();
  EXPECT_EQ(fleet.slots(), 10U);
  EXPECT_EQ(fleet.gpus(), 6U * 8U + 4U * 4U);
  EXPECT_EQ(fleet.pools()[1].first_slot, 6U);
}

// GPU 21 of pool a is GPU 5 of its node 2 (MODEL.md); GPU 48 is the first one of pool b.
TEST(Fleet, PlacesOfGpus) {
  const Fleet fleet = two_pools();
  EXPECT_EQ(fleet.gpu(21).slot, NodeSlot(2));
  EXPECT_EQ(fleet.gpu(21).gpu, 5U);
  EXPECT_EQ(fleet.gpu(48).slot, NodeSlot(6));
  EXPECT_EQ(fleet.gpu(63).slot, NodeSlot(9));
  EXPECT_EQ(fleet.gpu(63).gpu, 3U);
}

TEST(Fleet, NamesAreFoundAgain) {
  const Fleet fleet = two_pools();
  EXPECT_EQ(fleet.name({NodeSlot(7), 0}), "b-1");
  EXPECT_EQ(fleet.name({NodeSlot(7), 3}), "b-1.g3");
  EXPECT_EQ(fleet.find("b-1"), NodeSlot(7));
  EXPECT_EQ(fleet.find("b-1.g3"), NodeSlot(7));
  for (const char* unknown : {"b-4", "c-0", "b", "b-", "b-x", "b-01"}) {
    EXPECT_FALSE(fleet.find(unknown).has_value()) << unknown;
  }
}

}  // namespace
}  // namespace faultline
