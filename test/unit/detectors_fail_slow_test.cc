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
