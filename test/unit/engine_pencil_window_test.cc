// The tolerance window by hand: what clears in time is not repaired; the earliest window decides;
// what a needless replacement costs.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// An alarm that does not stop the work, from 25:00 for 600 s + late.
MicroRun alarm_for(Duration late, bool latching) {
  MicroWorld world;
  world.scenario.detectors.latching = latching;
  FaultClassConfig& alarm = world.fault("alarm", FaultEffect::kNone, 25_min, 0);
  alarm.clears = fixed(10_min + late);
  alarm.signals = {signal("GpuLost")};
  return world.run();
}

// It is gone exactly when its window ends: nothing happens. 2:00:00 = 7200 s = 11 x 605 + 545.
TEST(PencilWindow, ClearsExactlyWhenTheWindowEnds) {
  const MicroRun run = alarm_for(0_ns, false);
  EXPECT_TRUE(run.journal.all<RepairDecided>().empty());
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 7145_s}, {Account::kCheckpoint, 55_s}}));
}

// 1 ns later: the node is replaced under a job that runs. By 35:00 the job has made 2085 s of work
// (3 x 605 + 285), 1800 are saved.
//   35:00 stop; drain 5; provision 91; 36:36 restart 95; 38:11 to 2:00:00 = 4909 s = 8 x 605 + 69
Charged needless_replacement() {
  return charged({{Account::kProductive, 1800_s + 4869_s},
                  {Account::kCheckpoint, 15_s + 40_s},
                  {Account::kRedo, 285_s},
                  {Account::kDrain, 5_s},
                  {Account::kProvision, 91_s},
                  {Account::kRestart, 95_s}});
}

TEST(PencilWindow, ClearsOneNanosecondLater) {
  const MicroRun run = alarm_for(1_ns, false);
  EXPECT_EQ(run.charged(), needless_replacement());
  EXPECT_EQ(run.journal.times<RepairDecided>(), std::vector{clock(35)});
  EXPECT_EQ(run.journal.times<RepairWasNeedless>(), std::vector{clock(35)});
  EXPECT_EQ(run.journal.all<JobInterrupted>().at(0).what.kind, StopKind::kDrain);
}

// lastTransitionTime is in whole seconds: False at 25:00.7 counts as 25:00, and the window ends at 35:00, though
// the alarm clears exactly 10 min after it came.
TEST(PencilWindow, CountsFromTheWholeSecond) {
  MicroWorld world;
  FaultClassConfig& alarm = world.fault("alarm", FaultEffect::kNone, 25_min + 700_ms, 0);
  alarm.clears = fixed(10_min);
  alarm.signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{clock(35)});
  alarm.clears = fixed(10_min - 700_ms);
  EXPECT_TRUE(world.run().journal.times<RepairDecided>().empty());
}

// The real agent latches: the condition outlives its fault, and the node is replaced at the end of
// the window.
TEST(PencilWindow, LatchedAlarmIsRepairedThoughTheFaultIsGone) {
  const MicroRun run = alarm_for(-(5_min), true);
  EXPECT_EQ(run.charged(), needless_replacement());
  EXPECT_EQ(run.journal.times<RepairWasNeedless>(), run.journal.times<RepairDecided>());
}

// Two conditions: the earliest end decides, neither the first transition nor the shortest
// toleration.
//   LinkDown (30 min) at 10:00 ends 40:00; GpuLost (10 min) at `gpu` ends gpu + 10 min
Duration decided_at(Duration gpu) {
  MicroWorld world;
  world.fault("link", FaultEffect::kNone, 10_min, 0).signals = {signal("LinkDown")};
  world.fault("gpu", FaultEffect::kNone, gpu, 0).signals = {signal("GpuLost")};
  const auto decided = world.run().journal.times<RepairDecided>();
  return decided.empty() ? Duration::infinite() : decided.front();
}

TEST(PencilWindow, EarliestEndOfTwoConditionsDecides) {
  EXPECT_EQ(decided_at(35_min), 40_min);
  EXPECT_EQ(decided_at(25_min), 35_min);
  EXPECT_EQ(decided_at(30_min), 40_min);
}

// The condition stays False while a second fault keeps it so: lastTransitionTime stays that of the
// first, and the window ends at 35:00 though the first fault is gone at 30:00.
TEST(PencilWindow, SecondFaultKeepsTheTransitionTime) {
  MicroWorld world;
  FaultClassConfig& alarm = world.fault("alarm", FaultEffect::kNone, 25_min, 0);
  alarm.clears = fixed(5_min);
  alarm.signals = {signal("GpuLost")};
  alarm.strikes.push_back(strike(29_min, 0));
  world.scenario.faults.classes[0].clears = fixed(7_min);  // 25:00 to 32:00, 29:00 to 36:00
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<RepairDecided>(), std::vector{clock(35)});
}

// It clears and comes back: the window starts anew. 25:00 to 30:00, 31:00 for good: 41:00.
TEST(PencilWindow, ComesBackAndStartsAnew) {
  MicroWorld world;
  {
    FaultClassConfig& flap = world.fault("flap", FaultEffect::kNone, 25_min, 0);
    flap.clears = fixed(5_min);
    flap.signals = {signal("GpuLost")};
  }
  world.fault("alarm", FaultEffect::kNone, 31_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{clock(41)});
}

// A condition without a repair policy is never repaired.
TEST(PencilWindow, UnlistedConditionIsIgnored) {
  MicroWorld world;
  world.karpenter().tolerations.erase("NetworkingReady");
  world.fault("link", FaultEffect::kNone, 10_min, 0).signals = {signal("LinkDown")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.all<ConditionChanged>().size(), 1U);
  EXPECT_TRUE(run.journal.all<RepairDecided>().empty());
}

// Toleration 0: decided at the instant of the condition.
TEST(PencilWindow, ZeroToleration) {
  MicroWorld world;
  world.karpenter().tolerations["AcceleratedHardwareReady"] = 0_s;
  world.fault("alarm", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{clock(25)});
}

}  // namespace
}  // namespace faultline
