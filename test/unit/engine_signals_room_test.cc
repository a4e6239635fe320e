// The signals room alone: from a fault to a report, and back.
#include "sim/engine/signals_room.h"

#include <gtest/gtest.h>

#include "test/support/room.h"

namespace faultline {
namespace {

struct SignalsWorld : RoomWorld {
  explicit SignalsWorld(const MicroWorld& world)
      : RoomWorld(world), signals(plan, kernel, active, draws, standing, places, jobs, parts) {
    signals.begin();
  }
  std::uint32_t seen(NodeSlot slot, SimTime clears = SimTime::never()) {
    const std::uint32_t fault = strike(0, slot, clears);
    signals.begin(fault);
    return fault;
  }
  // The time of the signal's next stage comes.
  void advance(std::uint32_t fault) {
    const Calendar::Slot slot = kernel.layout().fault(Expect::kSignal, fault, 0);
    while (kernel.next()->slot != slot) {
    }
    signals.advance(fault, 0);
  }
  SignalsRoom signals;
};

MicroWorld one_signal(Duration delay = 0_s) {
  MicroWorld micro(1, 1);
  micro.fault("lost", FaultEffect::kCrash).signals = {signal("GpuLost")};
  micro.scenario.faults.classes[0].signals[0].delay = fixed(delay);
  return micro;
}

TEST(SignalsRoom, ASignalIsRaisedAndReportedAtOnce) {
  SignalsWorld world(one_signal());
  const std::uint32_t fault = world.seen(NodeSlot(0));
  EXPECT_EQ(world.told<SignalRaised>().size(), 1U);
  const Heard heard = world.heard();
  ASSERT_EQ(heard.of<ConditionReported>().size(), 1U);
  EXPECT_EQ(heard.of<ConditionReported>()[0].status, ConditionStatus::kFalse);
  EXPECT_EQ(heard.of<ConditionReported>()[0].cause, HappeningId(0));
  EXPECT_EQ(world.signals.stage(fault, 0), SignalStage::kPublished);
  EXPECT_TRUE(heard.of<FaultForgotten>().empty());
}

TEST(SignalsRoom, ASignalOfAFaultThatIsGoneBeforeIsNeverRaised) {
  SignalsWorld world(one_signal(5_min));
  const std::uint32_t fault = world.seen(NodeSlot(0), at(2_min));
  EXPECT_EQ(world.signals.stage(fault, 0), SignalStage::kDelayed);
  world.active[fault].present = false;
  world.signals.end({.fault = fault});
  EXPECT_EQ(world.heard().size(), 0U);  // it is still on its way
  world.advance(fault);
  EXPECT_EQ(world.kernel.now(), at(5_min));
  EXPECT_TRUE(world.journal.happenings.empty());
  EXPECT_EQ(world.heard().of<FaultForgotten>().size(), 1U);
}

// Two faults keep the same condition bad: it is True again when both have cleared.
TEST(SignalsRoom, TheLastAlarmMakesTheConditionGood) {
  SignalsWorld world(one_signal());
  const std::uint32_t first = world.seen(NodeSlot(0));
  const std::uint32_t second = world.seen(NodeSlot(0));
  EXPECT_EQ(world.heard().of<ConditionReported>().size(), 2U);
  for (const std::uint32_t fault : {first, second}) {
    world.active[fault].present = false;
    world.active[fault].clears = world.kernel.now();
    world.signals.end({.fault = fault});
    EXPECT_EQ(world.signals.stage(fault, 0), SignalStage::kClearing);
    world.advance(fault);
    const Heard heard = world.heard();
    EXPECT_EQ(heard.of<ConditionReported>().size(), fault == second ? 1U : 0U);
    EXPECT_EQ(heard.of<FaultForgotten>().size(), 1U);
    if (fault == second) {
      EXPECT_EQ(heard.of<ConditionReported>()[0].status, ConditionStatus::kTrue);
    }
  }
}

TEST(SignalsRoom, WithTheMachineEverythingIsDropped) {
  SignalsWorld world(one_signal(5_min));
  const std::uint32_t fault = world.seen(NodeSlot(0));
  world.active[fault].present = false;
  world.signals.end({.fault = fault, .by = SignalsEndBy::kDropped});
  const auto slot = world.kernel.layout().fault(Expect::kSignal, fault, 0);
  EXPECT_TRUE(world.kernel.expected(slot).is_never());
  EXPECT_EQ(world.heard().of<FaultForgotten>().size(), 1U);
}

// Of two places, the other one is blamed: it is left to the faults to enter that in the book.
TEST(SignalsRoom, AnotherNodeIsBlamed) {
  MicroWorld micro(2, 2);
  micro.fault("slow", FaultEffect::kCrash).signals = {signal("GpuLost")};
  micro.scenario.faults.classes[0].signals[0].blames_another = 1;
  SignalsWorld world(micro);
  const std::uint32_t fault = world.seen(NodeSlot(0));
  const Heard heard = world.heard();
  ASSERT_EQ(heard.of<AnotherIsBlamed>().size(), 1U);
  EXPECT_EQ(heard.of<AnotherIsBlamed>()[0].slot, NodeSlot(1));
  EXPECT_EQ(world.signals.stage(fault, 0), SignalStage::kNone);
  EXPECT_TRUE(heard.of<ConditionReported>().empty());
}

}  // namespace
}  // namespace faultline
