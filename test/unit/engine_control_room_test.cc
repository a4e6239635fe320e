// The control room alone: facts in, orders out.
#include "sim/engine/control_room.h"

#include <gtest/gtest.h>

#include "test/support/room.h"

namespace faultline {
namespace {

// AcceleratedHardwareReady is tolerated for 600 s; drain 5 s, the new machine is asked for after 1 s.
struct ControlWorld : RoomWorld {
  explicit ControlWorld(const MicroWorld& world)
      : RoomWorld(world), control(plan, kernel, standing, places) {
    control.begin();
  }
  void report(NodeSlot slot, ConditionStatus status) {
    control.condition({.node = standing.node(slot),
                       .condition = gpu,
                       .status = status,
                       .reason = *plan.contract().find("GpuLost"),
                       .cause = {},
                       .fault = {},
                       .fault_class = {},
                       .struck = {}});
  }
  // When the control plane wants to be called next.
  SimTime timer() { return kernel.expected(kernel.layout().control()); }
  void call_at(Duration time) {
    wait_until(time);
    kernel.cancel(kernel.layout().control());
    control.appointment();
  }
  ControlRoom control;
  ConditionId gpu = plan.contract().reason(*plan.contract().find("GpuLost")).condition;
};

TEST(ControlRoom, ABadConditionIsToleratedAndThenTheNodeIsOrderedToBeReplaced) {
  ControlWorld world(MicroWorld(2, 1));
  const NodeId node = world.standing.node(NodeSlot(0));
  world.report(NodeSlot(0), ConditionStatus::kFalse);
  EXPECT_EQ(world.told<ConditionChanged>().size(), 1U);
  EXPECT_FALSE(world.control.healthy(node));
  EXPECT_EQ(world.timer(), at(10_min));
  Heard heard = world.heard();
  EXPECT_TRUE(heard.of<NodeToReplace>().empty());
  EXPECT_EQ(heard.of<ConditionsChanged>().size(), 1U);
  world.call_at(10_min);
  heard = world.heard();
  ASSERT_EQ(heard.of<NodeToReplace>().size(), 1U);
  EXPECT_EQ(heard.of<NodeToReplace>()[0].node, node);
  EXPECT_FALSE(heard.of<NodeToReplace>()[0].on_call);
  EXPECT_EQ(heard.size(), 1U);
  // Its machine is followed by another one, the pod's grace ends, and it is drained: at 1 s, 1 s and 5 s.
  EXPECT_EQ(world.timer(), at(10_min + 1_s));
  world.call_at(10_min + 1_s);
  EXPECT_EQ(world.heard().of<MachineWanted>().size(), 1U);
  world.call_at(10_min + 1_s);
  EXPECT_EQ(world.timer(), at(10_min + 5_s));
  world.call_at(10_min + 5_s);
  EXPECT_EQ(world.heard().of<MachineLeaves>()[0].node, node);
}

TEST(ControlRoom, AStatusThatHasNotChangedIsNoChange) {
  ControlWorld world(MicroWorld(2, 1));
  world.report(NodeSlot(0), ConditionStatus::kFalse);
  world.heard();
  world.wait_until(5_min);
  world.report(NodeSlot(0), ConditionStatus::kFalse);
  EXPECT_EQ(world.told<ConditionChanged>().size(), 1U);
  EXPECT_EQ(world.heard().size(), 0U);
}

TEST(ControlRoom, AConditionThatIsGoodAgainStopsTheTimer) {
  ControlWorld world(MicroWorld(2, 1));
  world.report(NodeSlot(0), ConditionStatus::kFalse);
  world.wait_until(5_min);
  world.report(NodeSlot(0), ConditionStatus::kTrue);
  EXPECT_TRUE(world.timer().is_never());
  EXPECT_TRUE(world.control.healthy(world.standing.node(NodeSlot(0))));
}

TEST(ControlRoom, WhoeverIsOnCallIsPagedWhenRestartsFail) {
  MicroWorld micro(1, 1);
  RestartInPlaceConfig in_place;
  in_place.on_call.answers = fixed(15_min);
  in_place.repair = fixed(30_min);
  micro.scenario.policy = in_place;
  ControlWorld world(micro);
  const NodeId node = world.standing.node(NodeSlot(0));
  world.control.pod({.node = node, .failing_since = at(1_min)});
  EXPECT_EQ(world.timer(), at(16_min));
  world.control.pod({.node = node});
  EXPECT_TRUE(world.timer().is_never());
  world.control.pod({.node = node, .failing_since = at(2_min)});
  world.call_at(17_min);
  const Heard heard = world.heard();
  ASSERT_EQ(heard.of<NodeToMend>().size(), 1U);
  EXPECT_EQ(heard.of<NodeToMend>()[0].hands_on, 30_min);
}

// A machine that was mended comes up with every condition True, and a new Node is not healthy until it is
// initialised.
TEST(ControlRoom, NodeObjectsComeAndGo) {
  ControlWorld world(MicroWorld(1, 1));
  const NodeId old = world.standing.node(NodeSlot(0));
  const NodeId coming{NodeSlot(0), 1};
  world.report(NodeSlot(0), ConditionStatus::kFalse);
  world.control.node({.node = old, .what = NodeObject::kMended});
  EXPECT_TRUE(world.control.healthy(old));
  EXPECT_EQ(world.told<ConditionChanged>().size(), 2U);
  world.control.node({.node = coming, .what = NodeObject::kRegistered});
  EXPECT_FALSE(world.control.healthy(coming));
  world.control.node({.node = coming, .what = NodeObject::kInitialised});
  EXPECT_TRUE(world.control.healthy(coming));
  world.control.node({.node = old, .what = NodeObject::kRemoved});
  EXPECT_THROW(world.control.node({.node = old, .what = NodeObject::kRemoved}), std::logic_error);
}

// A place moves while its old pod is still on the node that leaves: the drain waits for that pod, not for the new one.
TEST(ControlRoom, ThePodThatLeavesIsNotTheOneThatComes) {
  MicroWorld micro(2, 1);
  micro.scenario.policy =
      KarpenterConfig{.tolerations = {{"AcceleratedHardwareReady", 0_s}}, .pod_grace = 20_s};
  ControlWorld world(micro);
  world.report(NodeSlot(0), ConditionStatus::kFalse);
  world.places.move(NodeSlot(0), NodeSlot(1));
  world.control.pod_moves({.job = JobId(0), .rank = 0, .to = NodeSlot(1)});
  world.heard();
  EXPECT_EQ(world.timer(), at(1_s));
  world.call_at(1_s);
  EXPECT_EQ(world.timer(), at(20_s));
  world.call_at(20_s);
  EXPECT_EQ(world.heard().of<MachineLeaves>().size(), 1U);
}

}  // namespace
}  // namespace faultline
