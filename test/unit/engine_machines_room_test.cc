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
  SimTime expected(Expect what, NodeId node) { return kernel.expected(kernel.of_node(what, node)); }
  void replace(NodeId node) { machines.replace({.node = node}, /*needless=*/false); }
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
  EXPECT_TRUE(world.heard().of<NodeEmptied>()[0].leaves);

  world.wait_until(1_s);
  world.machines.wanted(NodeSlot(0));
  EXPECT_EQ(world.expected(Expect::kRegistered, kNew), at(91_s));
  EXPECT_EQ(world.expected(Expect::kJoined, kNew), at(96_s));

  world.wait_until(5_s);
  world.machines.leaves(kOld);
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

// A machine that is Ready before the old one is drained waits: the pods' names are still taken.
TEST(MachinesRoom, ANewMachineJoinsNoSoonerThanTheDrainIsOver) {
  MachinesWorld world(MicroWorld(1, 1));
  world.replace(kOld);
  world.machines.wanted(NodeSlot(0));
  world.wait_until(90_s);
  world.machines.registered(kNew);
  world.wait_until(95_s);
  world.machines.joined(kNew);
  EXPECT_EQ(world.heard().of<NodeObjectChanges>()[1].what, NodeObject::kInitialised);
  EXPECT_TRUE(world.told<NodeJoined>().empty());
  world.wait_until(10_min);
  world.machines.leaves(kOld);
  EXPECT_EQ(world.expected(Expect::kJoined, kNew), at(10_min));
  world.machines.joined(kNew);
  EXPECT_EQ(world.standing.node(NodeSlot(0)), kNew);
}

// A node that is deleted while it boots never stands: the next one is another generation.
TEST(MachinesRoom, ANodeThatIsDeletedWhileItBootsIsSkipped) {
  MachinesWorld world(MicroWorld(1, 1));
  world.replace(kOld);
  world.machines.leaves(kOld);
  world.machines.wanted(NodeSlot(0));
  world.wait_until(90_s);
  world.machines.registered(kNew);
  world.replace(kNew);
  EXPECT_TRUE(world.expected(Expect::kJoined, kNew).is_never());
  world.machines.leaves(kNew);
  world.machines.wanted(NodeSlot(0));
  const NodeId third{NodeSlot(0), 2};
  EXPECT_EQ(world.standing.coming(NodeSlot(0)), third);
  EXPECT_EQ(world.expected(Expect::kJoined, third), at(90_s + 95_s));
  EXPECT_EQ(world.told<NodeDrained>().size(), 2U);
}

// One that was given back is asked for anew, as the same node.
TEST(MachinesRoom, AMachineThatIsGivenBackIsAskedForAnew) {
  MachinesWorld world(MicroWorld(1, 1));
  world.replace(kOld);
  world.machines.wanted(NodeSlot(0));
  world.wait_until(1_min);
  world.machines.given_back(NodeSlot(0));
  EXPECT_TRUE(world.expected(Expect::kRegistered, kNew).is_never());
  world.machines.wanted(NodeSlot(0));
  EXPECT_EQ(world.standing.coming(NodeSlot(0)), kNew);
  EXPECT_EQ(world.expected(Expect::kRegistered, kNew), at(1_min + 90_s));
}

// Without anything in stock, the node waits for the machine that is back first.
TEST(MachinesRoom, ANodeWaitsForAMachineThatReturns) {
  MicroWorld micro(2, 1);
  micro.scenario.capacity.spares = Limit{0};
  micro.scenario.capacity.returns_after = fixed(1_h);
  MachinesWorld world(micro);
  world.machines.wanted(NodeSlot(0));
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
  EXPECT_EQ(world.told<RepairWasNeedless>().size(), 1U);
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
  world.standing.touch(NodeSlot(0)).registered = 5;
  world.standing.touch(NodeSlot(0)).next = 6;
  EXPECT_EQ(world.standing.of_parity(NodeSlot(0), 1), (NodeId{NodeSlot(0), 5}));
  EXPECT_EQ(world.standing.of_parity(NodeSlot(0), 0), (NodeId{NodeSlot(0), 4}));
  EXPECT_EQ(world.standing.coming(NodeSlot(0)), (NodeId{NodeSlot(0), 6}));
}

}  // namespace
}  // namespace faultline
