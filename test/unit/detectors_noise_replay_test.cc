// The replay of agent noise, by hand.
#include "models/detectors/noise_replay.h"

#include <gtest/gtest.h>

#include <vector>

namespace faultline::noise {
namespace {

ReplaySetting two_nodes(double slowest = 1) {
  return {.gang = {.nodes = 2, .step = 1_s, .slowest = slowest},
          .monitoring = {.tasks = 1, .period = 10_s, .burst = 500_ms},
          .inside = InsideNode::kTogether,
          .across = AcrossNodes::kIndependent};
}

void expect_met(const NoiseReplay::Meetings& met, Duration began, Duration ended,
                std::int64_t count, Duration wait, std::uint32_t last) {
  EXPECT_EQ(met.began.ns(), began.ns());
  EXPECT_EQ(met.ended.ns(), ended.ns());
  EXPECT_EQ(met.count, count);
  EXPECT_EQ(met.wait.ns(), wait.ns());
  if (wait > Duration::zero()) {
    EXPECT_EQ(met.last, last);
  }
}

// The worked example of the header.
TEST(DetectorsNoiseReplay, TheWorkedExample) {
  NoiseReplay replay(two_nodes(), {{200_ms}, {1600_ms}});
  expect_met(replay.next(), 0_s, 1500_ms, 1, 500_ms, 0);
  expect_met(replay.next(), 1500_ms, 3_s, 1, 500_ms, 1);
  expect_met(replay.next(), 3_s, 10_s, 7, 0_s, 0);
  expect_met(replay.next(), 10_s, 11500_ms, 1, 500_ms, 0);
  NoiseReplay again(two_nodes(), {{200_ms}, {1600_ms}});
  const ReplayedTime time = noise::replay(again, 10_s, 1, 100);
  EXPECT_EQ(time.undisturbed.ns(), (9_s).ns());
  EXPECT_EQ(time.wait.ns(), (1_s).ns());
}

// Node 0 takes 2 s for its work. Its burst from 0.2 s on delays everybody; node 1 is stalled from
// 2.6 s to 3.1 s and done at 4.0 s, while node 0 takes until 4.5 s: hidden.
TEST(DetectorsNoiseReplay, ABurstHidesBehindTheSlowNode) {
  NoiseReplay replay(two_nodes(0.5), {{200_ms}, {2600_ms}});
  EXPECT_EQ(replay.undisturbed().ns(), (2_s).ns());
  expect_met(replay.next(), 0_s, 2500_ms, 1, 500_ms, 0);
  expect_met(replay.next(), 2500_ms, 4500_ms, 1, 0_s, 0);
}

// A burst that began before the replay, over the end of the period: 9.8 s to 10.3 s.
TEST(DetectorsNoiseReplay, ABurstAcrossTheEndOfThePeriod) {
  NoiseReplay replay(two_nodes(), {{9800_ms}, {9800_ms}});
  EXPECT_EQ(replay.next().ended.ns(), (1300_ms).ns());
}

// Two tasks at once and one core to spare: only the overlap stalls, 0.3 s to 0.7 s.
TEST(DetectorsNoiseReplay, OnlyWhatIsBeyondTheSpareCoresStalls) {
  ReplaySetting setting = two_nodes();
  setting.monitoring.tasks = 2;
  setting.monitoring.spare_cores = 1;
  NoiseReplay replay(setting, {{200_ms, 300_ms}, {5_s, 6_s}});
  EXPECT_EQ(replay.next().ended.ns(), (1400_ms).ns());
}

TEST(DetectorsNoiseReplay, PhasesAreDrawnAsTheArrangementSays) {
  ReplaySetting setting = two_nodes();
  setting.gang.nodes = 3;
  setting.monitoring.tasks = 4;
  const auto phases = [&](InsideNode inside, AcrossNodes across) {
    setting.inside = inside;
    setting.across = across;
    return NoiseReplay(setting, RandomSource(1, 0)).phases();
  };
  const auto together = phases(InsideNode::kTogether, AcrossNodes::kIndependent);
  ASSERT_EQ(together.size(), 3U);
  EXPECT_EQ(together[0][0].ns(), together[0][3].ns());
  EXPECT_NE(together[0][0].ns(), together[1][0].ns());
  const auto queued = phases(InsideNode::kQueued, AcrossNodes::kIndependent);
  EXPECT_EQ(queued[2][3].ns(), ((together[2][0] + 1500_ms) % 10_s).ns());
  const auto jittered = phases(InsideNode::kJittered, AcrossNodes::kIndependent);
  EXPECT_NE(jittered[0][0].ns(), jittered[0][1].ns());
  // Aligned nodes are alike: one stands for all.
  EXPECT_EQ(phases(InsideNode::kJittered, AcrossNodes::kAligned).size(), 1U);
}

}  // namespace
}  // namespace faultline::noise
