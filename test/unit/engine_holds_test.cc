// Holds alone: which node holds its job, and where restarts fail.
#include "sim/engine/holds.h"

#include <gtest/gtest.h>

#include "test/support/room.h"

namespace faultline {
namespace {

constexpr auto kInPlace = TrainingJob::Fit::kInPlace;
constexpr auto kAnew = TrainingJob::Fit::kAnew;

// A job on two nodes, down since its first crash at 0 s.
struct HoldsWorld : RoomWorld {
  HoldsWorld() : RoomWorld(MicroWorld(3, 2)), holds(plan, kernel, standing, places, jobs) {
    jobs.stop(JobId(0), StopKind::kCrash, {.node = standing.node(NodeSlot(0)), .fault_class = {}},
              0_s, {});
    heard();
  }
  Holds holds;
};

// The worked example of holds.h.
TEST(Holds, ASickNodeHoldsItsJobUntilItIsReplaced) {
  HoldsWorld world;
  const NodeSlot slot(1);
  world.holds.sicken(0, slot);
  world.holds.update(slot, kInPlace);
  EXPECT_TRUE(world.holds.is_holding(slot));
  EXPECT_TRUE(world.jobs.model(JobId(0)).held());
  // Tear-down 15 s, back-off 10 s, scheduling 10 s and image 20 s: the GPU is touched at 55 s.
  Heard heard = world.heard();
  ASSERT_EQ(heard.of<PodRestarts>().size(), 1U);
  EXPECT_EQ(heard.of<PodRestarts>()[0].failing_since, at(55_s));

  world.standing.touch(slot).leaving = true;
  world.holds.update(slot, kAnew);
  heard = world.heard();
  ASSERT_EQ(heard.of<PodRestarts>().size(), 1U);
  EXPECT_TRUE(heard.of<PodRestarts>()[0].failing_since.is_never());
  EXPECT_EQ(world.told<JobReleased>().size(), 0U);

  EXPECT_TRUE(world.holds.heal(0, slot));
  EXPECT_FALSE(world.holds.heal(0, slot));
  world.standing.touch(slot).leaving = false;
  world.holds.update(slot, kAnew);
  EXPECT_FALSE(world.jobs.model(JobId(0)).held());
  EXPECT_EQ(world.told<JobReleased>().size(), 1U);
  EXPECT_EQ(world.heard().of<PodRestarts>().size(), 0U);
}

TEST(Holds, TwoSickFaultsHoldOnceAndUntilBothAreGone) {
  HoldsWorld world;
  const NodeSlot slot(0);
  for (const std::uint32_t fault : {0U, 5U}) {
    world.holds.sicken(fault, slot);
    world.holds.update(slot, kInPlace);
  }
  world.holds.heal(5, slot);
  world.holds.update(slot, kInPlace);
  EXPECT_TRUE(world.jobs.model(JobId(0)).held());
  world.holds.heal(0, slot);
  world.holds.update(slot, kInPlace);
  EXPECT_FALSE(world.jobs.model(JobId(0)).held());
  EXPECT_EQ(world.told<JobHeld>().size(), 1U);
}

TEST(Holds, ASlotWithoutAJobHoldsNothing) {
  HoldsWorld world;
  world.holds.sicken(0, NodeSlot(2));
  world.holds.update(NodeSlot(2), kInPlace);
  EXPECT_FALSE(world.holds.is_holding(NodeSlot(2)));
  EXPECT_EQ(world.heard().size(), 0U);
}

TEST(Holds, APlaceThatIsGivenUpHoldsNoMore) {
  HoldsWorld world;
  world.holds.sicken(0, NodeSlot(1));
  world.holds.update(NodeSlot(1), kInPlace);
  world.heard();
  world.holds.leave(NodeSlot(1), JobId(0));
  EXPECT_FALSE(world.jobs.model(JobId(0)).held());
  EXPECT_TRUE(world.heard().of<PodRestarts>()[0].failing_since.is_never());
}

}  // namespace
}  // namespace faultline
