// The machines room alone: a replacement from the order to the new node, and a repair where it stands.
#include "sim/engine/machines_room.h"

#include <gtest/gtest.h>

#include "models/base/check.h"
#include "test/support/room.h"

namespace faultline {
namespace {

struct MachinesWorld : RoomWorld {
  explicit MachinesWorld(const MicroWorld& world)
      : RoomWorld(world),
        capacity(scenario.capacity, plan.fleet().slots()),
        machines(plan, kernel, standing, capacity) {
    machines.begin();
  }
  SimTime expected(Expect what, NodeId node) {
    return kernel.expected(kernel.of_node(what, node));
  }
  void replace(NodeId node) {
    machines.replace({.node = node, .drain = 5_s, .launch_after = 1_s}, /*needless=*/false);
  }
  Capacity capacity;
  MachinesRoom machines;
};

constexpr NodeId kOld{NodeSlot(0), 0};
constexpr NodeId kNew{NodeSlot(0), 1};

// The worked example of machines_room.h.
TEST(MachinesRoom, AMachineIsReplacedByTheNextGeneration) {
  MachinesWorld world(MicroWorld(1, 1));
  world.replace(kOld);
  EXPECT_TRUE(world.standing[NodeSlot(0)].leaving);
  EXPECT_EQ(world.expected(Expect::kDrained, kOld), at(5_s));
  EXPECT_EQ(world.expected(Expect::kRequested, kNew), at(1_s));
  EXPECT_TRUE(world.heard().of<NodeEmptied>()[0].leaves);

  world.wait_until(1_s);
  world.machines.requested(kNew);
  EXPECT_EQ(world.expected(Expect::kRegistered, kNew), at(91_s));
  EXPECT_EQ(world.expected(Expect::kJoined, kNew), at(96_s));

  world.wait_until(5_s);
  world.machines.drained(NodeSlot(0));
  EXPECT_FALSE(world.standing[NodeSlot(0)].standing);
  EXPECT_EQ(world.heard().of<FaultsEnd>().size(), 1U);
  EXPECT_EQ(world.expected(Expect::kRemoved, kOld), at(5_s));
  world.machines.removed(kOld);
  EXPECT_EQ(world.heard().of<NodeObjectChanges>()[0].what, NodeObject::kRemoved);

  world.wait_until(91_s);
  world.machines.registered(kNew);
  EXPECT_EQ(world.heard().of<NodeObjectChanges>()[0].what, NodeObject::kRegistered);
  world.wait_until(96_s);
  world.machines.joined(kNew);
  EXPECT_EQ(world.standing.node(NodeSlot(0)), kNew);
  EXPECT_TRUE(world.standing[NodeSlot(0)].fit());
  const Heard heard = world.heard();
  EXPECT_EQ(heard.of<NodeObjectChanges>()[0].what, NodeObject::kInitialised);
  EXPECT_EQ(heard.of<NodeReady>()[0].fit, TrainingJob::Fit::kAnew);
}

TEST(MachinesRoom, AMachineThatIsLeavingIsNotReplaced) {
  MachinesWorld world(MicroWorld(1, 1));
  world.replace(kOld);
  EXPECT_THROW(world.replace(kOld), InternalError);
}

// A machine that is there before the old one is drained waits: the pods' names are still taken.
TEST(MachinesRoom, ANewMachineJoinsNoSoonerThanTheDrainIsOver) {
  MachinesWorld world(MicroWorld(1, 1));
  world.machines.replace({.node = kOld, .drain = 10_min, .launch_after = 0_s}, false);
  world.machines.requested(kNew);
  EXPECT_EQ(world.expected(Expect::kRegistered, kNew), at(90_s));
  EXPECT_EQ(world.expected(Expect::kJoined, kNew), at(10_min));
}

// Without anything in stock, the node waits for the machine that is back first.
TEST(MachinesRoom, ANodeWaitsForAMachineThatReturns) {
  MicroWorld micro(2, 1);
  micro.scenario.capacity.spares = Limit{0};
  micro.scenario.capacity.returns_after = fixed(1_h);
  MachinesWorld world(micro);
  world.machines.requested(kNew);
  EXPECT_EQ(world.told<CapacityMissing>().size(), 1U);
  world.wait_until(5_s);
  world.machines.removed({NodeSlot(1), 0});
  const SimTime back = world.kernel.expected(world.kernel.layout().machine_back());
  EXPECT_EQ(back, at(1_h + 5_s));
  world.wait_until(1_h + 5_s);
  world.machines.machine_back(MachineId(0));
  EXPECT_EQ(world.told<CapacityFound>().size(), 1U);
  EXPECT_EQ(world.expected(Expect::kJoined, kNew), back + 95_s);
}

TEST(MachinesRoom, AMachineIsMendedWhereItStands) {
  MachinesWorld world(MicroWorld(1, 1));
  world.machines.mend({.node = kOld, .hands_on = 30_min}, /*needless=*/true);
  EXPECT_FALSE(world.standing[NodeSlot(0)].fit());
  EXPECT_TRUE(world.told<RepairDecided>()[0].what.needless);
  EXPECT_FALSE(world.heard().of<NodeEmptied>()[0].leaves);
  EXPECT_EQ(world.expected(Expect::kRepaired, kOld), at(30_min));
  world.wait_until(30_min);
  world.machines.mended(NodeSlot(0));
  EXPECT_TRUE(world.standing[NodeSlot(0)].fit());
  const Heard heard = world.heard();
  EXPECT_EQ(heard.of<FaultsEnd>().size(), 1U);
  EXPECT_EQ(heard.of<NodeObjectChanges>()[0].what, NodeObject::kMended);
  EXPECT_EQ(heard.of<NodeReady>()[0].fit, TrainingJob::Fit::kInPlace);
}

// Of the two generations that a slot's expectations can be about.
TEST(Standing, FindsAGenerationByItsParity) {
  MachinesWorld world(MicroWorld(1, 1));
  world.standing.touch(NodeSlot(0)).generation = 5;
  EXPECT_EQ(world.standing.of_parity(NodeSlot(0), 1), (NodeId{NodeSlot(0), 5}));
  EXPECT_EQ(world.standing.of_parity(NodeSlot(0), 0), (NodeId{NodeSlot(0), 4}));
  EXPECT_EQ(world.standing.coming(NodeSlot(0)), (NodeId{NodeSlot(0), 6}));
}

}  // namespace
}  // namespace faultline
