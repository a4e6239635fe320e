// What a run's numbers count, on worlds of a few nodes: which fault a repair is for, what is needless, and
// what a mean is over.
#include <gtest/gtest.h>

#include "sim/engine/metrics.h"
#include "sim/engine/simulation.h"
#include "test/support/micro_world.h"

namespace faultline {
namespace {

using Index = MetricIndex;

struct Counted {
  explicit Counted(const MicroWorld& world)
      : plan(world.scenario), pooled(plan), metrics(plan, pooled) {
    Simulation simulation(plan);
    metrics.begin();
    simulation.run(RandomSource(1, 0), metrics);
  }
  double of(std::size_t metric) const { return metrics.values()[metric]; }
  std::uint64_t ready_by_channels() const {
    std::uint64_t count = 0;
    for (const Histogram& channel : pooled.fault_to_ready_by_channel) count += channel.count();
    return count;
  }

  SimulationPlan plan;
  PooledDurations pooled;
  RunMetrics metrics;
};

// A crash that nobody sees at 25:00; the restart fails at 25:55, and the person comes 30 min later.
MicroWorld unseen_crash() {
  MicroWorld world;
  world.karpenter().on_call = OnCallConfig{.answers = fixed(30_min)};
  world.fault("unseen", FaultEffect::kCrash, 25_min, 0);
  return world;
}
FaultClassConfig& glitch(MicroWorld& world, Duration at, Duration lasts) {
  FaultClassConfig& alarm = world.fault("glitch", FaultEffect::kNone, at, 0);
  alarm.clears = fixed(lasts);
  alarm.signals = {signal("GpuLost")};
  return alarm;
}

// An alarm that came and went says nothing about the crash after it: no channel saw that.
TEST(Metrics, AnAlarmThatIsOverSawNothing) {
  MicroWorld world = unseen_crash();
  glitch(world, 10_min, 5_min);
  const Counted counted(world);
  EXPECT_EQ(counted.of(Index::kNodesReplaced), 1);
  EXPECT_EQ(counted.ready_by_channels(), 0U);

  MicroWorld seen;
  seen.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(Counted(seen).ready_by_channels(), 1U);
}

// Nor does one that comes and goes while the crash is unseen: 25:00 to 55:55 is its detection.
TEST(Metrics, AnAlarmMeanwhileLeavesTheTimeOfTheFault) {
  MicroWorld world = unseen_crash();
  glitch(world, 40_min, 5_min);
  EXPECT_EQ(Counted(world).of(Index::kMttr), clock(30, 55).seconds());
}

// Nor does one around it: up from 20:00 to 40:00, it is over when the person comes for the crash of 25:00.
TEST(Metrics, AnAlarmAroundItLeavesTheTimeOfTheFault) {
  MicroWorld world = unseen_crash();
  glitch(world, 20_min, 20_min);
  world.karpenter().tolerations["AcceleratedHardwareReady"] = 30_min;
  const Counted counted(world);
  EXPECT_EQ(counted.of(Index::kMttr), clock(30, 55).seconds());
  EXPECT_EQ(counted.ready_by_channels(), 0U);
}

// A second crash meets the job down: it is an interruption, and no stop of a job that was up. 290 s of
// work are done again (by 25:00: 2 x 605 + 290), once.
TEST(Metrics, WorkIsDoneAgainPerStop) {
  MicroWorld world(2, 2);
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(26_min, 1));
  const Counted counted(world);
  EXPECT_EQ(counted.of(Index::kInterruptions), 2);
  EXPECT_EQ(counted.of(Index::kWhileDown), 1);
  EXPECT_EQ(counted.of(Index::kStops), 1);
  EXPECT_EQ(counted.of(Index::kMttr + 6), 290);
}

// What has stopped the work is no needless thing to repair, though it would have gone at 45:00; an alarm that
// would have is.
TEST(Metrics, NeedlessIsWhatNeitherStopsWorkNorStays) {
  MicroWorld outage;
  FaultClassConfig& crash = outage.fault("power", FaultEffect::kCrash, 25_min, 0);
  crash.clears = fixed(20_min);
  crash.signals = {signal("GpuLost")};
  EXPECT_EQ(Counted(outage).of(Index::kReplacements), 1);
  EXPECT_EQ(Counted(outage).of(Index::kNeedless), 0);

  MicroWorld alarm;
  glitch(alarm, 25_min, 20_min);
  EXPECT_EQ(Counted(alarm).of(Index::kReplacements), 1);
  EXPECT_EQ(Counted(alarm).of(Index::kNeedless), 1);
}

// Restarts meet the lost GPU until the node is taken away at 35:00. Processes end at 25:15; attempts begin 10, 20,
// 40, 80, 160 s after the failure before and fail 30 s later, at 25:55, 26:45, 27:55, 29:45, 32:55; the sixth would
// begin at 37:55.
TEST(Metrics, RestartsFailUntilTheNodeIsTakenAway) {
  MicroWorld world;
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(Counted(world).of(Index::kFailedRestarts), 5);
  world.job().restart.on_sick_node = false;
  EXPECT_EQ(Counted(world).of(Index::kFailedRestarts), 0);
}

}  // namespace
}  // namespace faultline
