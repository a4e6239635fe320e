// The faults room alone: whom a strike finds, what it leaves on the agenda, and how a fault ends.
#include "sim/engine/faults_room.h"

#include <gtest/gtest.h>

#include "test/support/room.h"

namespace faultline {
namespace {

struct FaultsWorld : RoomWorld {
  explicit FaultsWorld(const MicroWorld& world)
      : RoomWorld(world), faults(plan, kernel, standing, places, draws, active) {
    faults.begin();
    heard();
  }
  // The next scripted strike.
  void strike_next() {
    while (kernel.next()->slot != kernel.layout().script()) {
    }
    faults.arrival(kScript);
  }
  FaultsRoom faults;
};

TEST(FaultsRoom, AStrikeLeavesItsEffectAndItsSignalsOnTheAgenda) {
  MicroWorld micro(2, 1);
  micro.fault("lost", FaultEffect::kCrash, 10_min, 0);
  FaultsWorld world(micro);
  world.strike_next();
  const auto struck = world.told<FaultStruck>();
  ASSERT_EQ(struck.size(), 1U);
  EXPECT_EQ(struck[0].time, at(10_min));
  EXPECT_EQ(struck[0].what.job, JobId(0));
  const Heard heard = world.heard();
  ASSERT_EQ(heard.of<EffectBegins>().size(), 1U);
  ASSERT_EQ(heard.of<SignalsBegin>().size(), 1U);
  EXPECT_EQ(heard.size(), 2U);
  EXPECT_TRUE(world.active[heard.of<EffectBegins>()[0].fault].present);
}

// Two nodes in a rack: both are struck before anything follows, and the first is the primary one.
TEST(FaultsRoom, ARackIsStruckBeforeAnythingFollows) {
  MicroWorld micro(2, 1);
  micro.scenario.fleet.pools[0].nodes_per_rack = 2;
  FaultClassConfig& power = micro.fault("power", FaultEffect::kCrash, 10_min, 1);
  power.rate = Rate{.count = 0, .unit = ExposureUnit::kRack};
  FaultsWorld world(micro);
  world.strike_next();
  const auto struck = world.told<FaultStruck>();
  ASSERT_EQ(struck.size(), 2U);
  EXPECT_TRUE(struck[0].what.primary);
  EXPECT_FALSE(struck[1].what.primary);
  EXPECT_EQ(world.heard().of<EffectBegins>().size(), 2U);
  EXPECT_EQ(world.journal.happenings[1].cause, world.journal.happenings[0].id);
}

TEST(FaultsRoom, WhereNoMachineStandsNothingIsStruck) {
  MicroWorld micro(1, 1);
  micro.fault("lost", FaultEffect::kCrash, 10_min, 0);
  FaultsWorld world(micro);
  world.standing.touch(NodeSlot(0)).standing = false;
  world.strike_next();
  EXPECT_TRUE(world.journal.happenings.empty());
  EXPECT_EQ(world.heard().size(), 0U);
}

// A fault that is gone when it strikes is there while its consequences are drawn.
TEST(FaultsRoom, AFaultThatPassesIsThereUntilTheEndOfTheInstant) {
  MicroWorld micro(1, 1);
  micro.fault("blip", FaultEffect::kCrash, 10_min, 0).clears = fixed(0_s);
  FaultsWorld world(micro);
  world.strike_next();
  const Heard heard = world.heard();
  ASSERT_EQ(heard.of<FaultPasses>().size(), 1U);
  const std::uint32_t fault = heard.of<FaultPasses>()[0].fault;
  EXPECT_TRUE(world.active[fault].present);
  EXPECT_FALSE(world.faults.nothing_wrong(NodeSlot(0)));
  world.faults.passes(fault);
  EXPECT_EQ(world.told<FaultCleared>().size(), 1U);
  EXPECT_EQ(world.heard().of<SignalsEnd>()[0].by, SignalsEndBy::kClears);
  EXPECT_TRUE(world.faults.nothing_wrong(NodeSlot(0)));
}

// With its machine a fault ends without a FaultCleared; its index is given away again when it was forgotten.
TEST(FaultsRoom, FaultsEndWithTheirMachine) {
  MicroWorld micro(1, 1);
  micro.fault("lost", FaultEffect::kCrash, 10_min, 0).clears = fixed(1_h);
  FaultsWorld world(micro);
  world.strike_next();
  const std::uint32_t fault = world.heard().of<EffectBegins>()[0].fault;
  const Calendar::Slot clears = world.kernel.layout().fault(Expect::kFaultClears, fault);
  EXPECT_EQ(world.kernel.expected(clears), at(70_min));
  world.faults.forget(fault);  // (nothing happens: it is there)
  world.faults.end_on(NodeSlot(0));
  EXPECT_TRUE(world.kernel.expected(clears).is_never());
  const Heard heard = world.heard();
  EXPECT_TRUE(heard.of<EffectEnds>()[0].with_machine);
  EXPECT_EQ(heard.of<SignalsEnd>()[0].by, SignalsEndBy::kDropped);
  EXPECT_EQ(world.active.first_on(NodeSlot(0)), fault);
  world.faults.forget(fault);
  EXPECT_EQ(world.active.first_on(NodeSlot(0)), kNoFault);
  EXPECT_TRUE(world.told<FaultCleared>().empty());
}

}  // namespace
}  // namespace faultline
