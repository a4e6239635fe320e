// Detectors of slow nodes: each one's instant by hand, and what they do not see.
#include "models/detectors/fail_slow.h"

#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// A node at 80% from 25:00 for `length`, seen by this channel as `GpuLost` (AcceleratedHardwareReady).
struct Seen {
  std::vector<Duration> changes;
  std::size_t replaced = 0;
};
Seen seen(decltype(ChannelConfig::by) by, std::optional<Duration> length, double speed = 0.8,
          std::optional<Duration> toleration = std::nullopt) {
  MicroWorld world;
  world.scenario.detectors.channels[0].by = by;
  world.karpenter().tolerations["AcceleratedHardwareReady"] = toleration.value_or(5_h);
  FaultClassConfig& slow = world.fault("slow", FaultEffect::kSlow, 25_min, 0);
  slow.speed = speed;
  slow.fails_restart = false;
  if (length) slow.clears = fixed(*length);
  slow.signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  return {run.journal.times<ConditionChanged>(), run.journal.all<RepairDecided>().size()};
}

using Times = std::vector<Duration>;

// Slow for a whole window of 5 min: seen at 30:00, and well again 5 min after the end.
TEST(FailSlowDetectors, ProgressWindow) {
  const ProgressChannel progress{.factor = 1.1, .window = 5_min, .names_machine = true};
  EXPECT_EQ(seen(progress, 20_min).changes, (Times{30_min, 50_min}));
  EXPECT_EQ(seen(progress, 5_min).changes, Times{});
  EXPECT_EQ(seen(progress, 5_min + 1_ns).changes.front(), 30_min);
}

// 4 min of continuity and 3.6 s: 29:03.6. Gone after 4 min sharp: never; just after: an alert all the
// same, taken back 4 min and 3.6 s later.
TEST(FailSlowDetectors, PeersContinuity) {
  const PeersChannel peers;
  const Duration alert = 29_min + 3600_ms;
  EXPECT_EQ(seen(peers, std::nullopt).changes, Times{alert});
  EXPECT_EQ(seen(peers, 4_min).changes, Times{});
  EXPECT_EQ(seen(peers, 4_min + 1_s).changes, (Times{alert, alert + 4_min + 3600_ms}));
}

// Tests of a minute each ten minutes, with a phase in [0, 10 min): the first one at or after 25:00, and a
// minute. The fault must outlast it.
TEST(FailSlowDetectors, ProbeBySchedule) {
  const ProbeChannel probe{.factor = 1.1, .period = 10_min, .takes = 1_min};
  const Times times = seen(probe, std::nullopt).changes;
  ASSERT_EQ(times.size(), 1U);
  EXPECT_GE(times[0], 26_min);
  EXPECT_LE(times[0], 36_min);
  const Duration late = times[0] - 25_min;
  EXPECT_EQ(seen(probe, late).changes, Times{});
  EXPECT_EQ(seen(probe, late + 1_s).changes.front(), times[0]);
}

// 80% is 1.25 times as slow: 1.25 is seen, 1.26 is not.
TEST(FailSlowDetectors, BelowTheThresholdNothingIsSeen) {
  EXPECT_EQ(seen(PeersChannel{.factor = 1.25}, std::nullopt).changes.size(), 1U);
  EXPECT_EQ(seen(PeersChannel{.factor = 1.26}, std::nullopt).changes.size(), 0U);
  EXPECT_EQ(seen(PeersChannel{.factor = 1.26}, std::nullopt, 0.79).changes.size(), 1U);
}

// The job crashes at 27:00 (its own fault, gone at once): 15 s of tear-down, 10 s of back-off and 95 s later, at
// 29:00, it steps again. Whoever looks at its steps counts from there: 4 min and 3.6 s, 5 min. Were the fault
// gone in between, nobody would have seen it. A probe does not look at the job.
TEST(FailSlowDetectors, ARestartBeginsTheCountAnew) {
  const auto seen = [](decltype(ChannelConfig::by) by, Duration until, Duration crash = 27_min,
                       Duration from = 25_min) {
    MicroWorld world;
    world.scenario.detectors.channels[0].by = by;
    world.karpenter().tolerations["AcceleratedHardwareReady"] = 5_h;
    FaultClassConfig& slow = world.fault("slow", FaultEffect::kSlow, from, 0);
    slow.speed = 0.8;
    slow.fails_restart = false;
    slow.clears = fixed(until - from);
    slow.signals = {signal("GpuLost")};
    world.job_fault("crash", FaultEffect::kCrash, crash);
    const Times changes = world.run().journal.times<ConditionChanged>();
    return changes.empty() ? Duration::infinite() : changes.front();
  };
  const PeersChannel peers;
  const ProgressChannel progress{.factor = 1.1, .window = 5_min, .names_machine = true};
  EXPECT_EQ(seen(peers, 1_h), 33_min + 3600_ms);
  EXPECT_EQ(seen(progress, 1_h), 34_min);
  EXPECT_EQ(seen(peers, 33_min), Duration::infinite());
  EXPECT_EQ(seen(peers, 33_min + 1_s), 33_min + 3600_ms);
  EXPECT_EQ(seen(progress, 34_min), Duration::infinite());
  // The finding would have come while the job is down, from 28:00 to 30:00.
  EXPECT_EQ(seen(peers, 1_h, 28_min), 34_min + 3600_ms);
  // Gone while the job is down.
  EXPECT_EQ(seen(peers, 28_min), Duration::infinite());
  // It strikes while the job is down.
  EXPECT_EQ(seen(peers, 1_h, 27_min, 28_min), 33_min + 3600_ms);
  // A crash after the finding changes nothing, and neither does one before the fault.
  EXPECT_EQ(seen(peers, 1_h, 30_min), 29_min + 3600_ms);
  EXPECT_EQ(seen(peers, 1_h, 10_min), 29_min + 3600_ms);
  const ProbeChannel probe{.factor = 1.1, .period = 1_min, .takes = 1_s};
  EXPECT_EQ(seen(probe, 1_h), seen(probe, 1_h, 10_min));
}

// A flap of 20 s is a stall: the job's processes, and who watches them, are still there.
TEST(FailSlowDetectors, AStallIsNoRestart) {
  MicroWorld world;
  world.scenario.detectors.channels[0].by = PeersChannel{};
  world.karpenter().tolerations["AcceleratedHardwareReady"] = 5_h;
  FaultClassConfig& slow = world.fault("slow", FaultEffect::kSlow, 25_min, 0);
  slow.speed = 0.8;
  slow.signals = {signal("GpuLost")};
  world.fault("flap", FaultEffect::kFlap, 29_min - 5_s, 0).clears = fixed(20_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<JobUnstalled>(), Times{29_min + 15_s});
  EXPECT_EQ(run.journal.times<ConditionChanged>(), Times{29_min + 3600_ms});
}

// The policy decides: evicted after its toleration, or borne.
TEST(FailSlowDetectors, EvictOrBear) {
  EXPECT_EQ(seen(PeersChannel{}, std::nullopt, 0.8, 10_min).replaced, 1U);
  EXPECT_EQ(seen(PeersChannel{}, std::nullopt).replaced, 0U);
}

// A spare that is slow is no job's straggler: only a probe of nodes sees it.
TEST(FailSlowDetectors, OnlyProbesLookBeyondJobs) {
  for (const bool probe : {false, true}) {
    MicroWorld world(2, 1);
    auto& by = world.scenario.detectors.channels[0].by;
    by = PeersChannel{};
    if (probe) by = ProbeChannel{.factor = 1.1, .period = 10_min, .takes = 1_min};
    FaultClassConfig& slow = world.fault("slow", FaultEffect::kSlow, 25_min, 1);
    slow.speed = 0.8;
    slow.signals = {signal("GpuLost")};
    EXPECT_EQ(world.run().journal.all<SignalRaised>().size(), probe ? 1U : 0U);
  }
}

}  // namespace
}  // namespace faultline
