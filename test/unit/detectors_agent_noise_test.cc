#include "models/detectors/agent_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace faultline::noise {
namespace {

using Lengths = std::vector<Duration>;

// The worked example of the header: T = 10 s, tau = 1 s, d = 1 s.
TEST(DetectorsAgentNoise, TheWorkedExample) {
  EXPECT_NEAR(aligned_delay_seconds(1_s, 10_s, 1_s), 1.0 / 9, 1e-12);
  EXPECT_NEAR(independent_delay_seconds(1, 1_s, 10_s, 1_s), 0.15, 1e-12);
  EXPECT_NEAR(independent_delay_seconds(2, 1_s, 10_s, 1_s), 1 - 10.0 / 3 * 0.217, 1e-12);
  EXPECT_NEAR(independent_delay_seconds(1, 1_s, 10_s, Lengths{2_s, 1_s}), 0.55, 1e-12);
  EXPECT_NEAR(long_run_delay_seconds(1, 1_s, 10_s, Lengths{1_s}),
              (1 + std::sin(0.1)) / std::cos(0.1) - 1, 1e-6);
  EXPECT_NEAR(saturating_nodes(1_s, 10_s, 1_s), 5, 1e-12);

  const Monitoring two{.tasks = 2, .period = 10_s, .burst = 1_s, .spare_cores = 1};
  const SynchronisedGang one{.nodes = 1, .step = 1_s};
  EXPECT_NEAR(noise_slowdown(one, two, InsideNode::kJittered, AcrossNodes::kIndependent), 0.01,
              0.0001);
  EXPECT_NEAR(noise_slowdown(one, two, InsideNode::kJittered, AcrossNodes::kAligned), 0.1 / 9.9,
              1e-12);
}

// Form (7), by hand: at half speed the others wait for 1 s, and no stall is longer than that.
TEST(DetectorsAgentNoise, BesideAStragglerOnlyItsOwnNoiseIsLeft) {
  const Monitoring agent{.period = 10_s, .burst = 1_s};
  const SynchronisedGang gang{.nodes = 1000, .step = 1_s, .slowest = 0.5};
  const double alone = (1 + std::sin(0.1)) / std::cos(0.1) - 1;
  EXPECT_NEAR(noise_slowdown(gang, agent, InsideNode::kTogether, AcrossNodes::kIndependent), alone,
              1e-6);
  // A hair slower than the others hides nothing; in between the noise goes down with the speed.
  const auto at = [&](double speed) {
    return noise_slowdown({.nodes = 8, .step = 1_s, .slowest = speed}, agent, InsideNode::kTogether,
                          AcrossNodes::kIndependent);
  };
  EXPECT_NEAR(at(1 - 1e-9), at(1), 1e-7);
  double last = at(1);
  for (const double speed : {0.9, 0.8, 0.7, 0.6, 0.5, 0.3}) {
    EXPECT_LT(at(speed), last + 1e-9) << speed;
    last = at(speed);
  }
  EXPECT_NEAR(last, alone, 1e-6);
  // Aligned, nothing hides.
  EXPECT_NEAR(noise_slowdown(gang, agent, InsideNode::kTogether, AcrossNodes::kAligned), 1.0 / 9,
              1e-12);
}

// Two nodes, form (3), by hand: 1 - p is (5 + 2x)/10 up to 1 s and (7 + x)/10 up to 2 s, so
// E = 2 - integral (0.5 + 0.2x)^2 - integral (0.7 + 0.1x)^2
//   = 2 - (0.343 - 0.125)/0.6 - (0.729 - 0.512)/0.3 = 0.913333.
TEST(DetectorsAgentNoise, TwoNodesWithTwoStallsEach) {
  EXPECT_NEAR(independent_delay_seconds(2, 1_s, 10_s, Lengths{1_s, 2_s}),
              2 - 0.218 / 0.6 - 0.217 / 0.3, 1e-12);
}

// The closed forms of the five settings that the validation measures.
TEST(DetectorsAgentNoise, TheFiveSettings) {
  EXPECT_NEAR(independent_delay_seconds(64, 50_ms, 10_s, 5_ms), 1.430e-3, 5e-7);
  EXPECT_NEAR(independent_delay_seconds(256, 50_ms, 10_s, 5_ms), 3.700e-3, 5e-7);
  EXPECT_NEAR(independent_delay_seconds(2048, 50_ms, 10_s, 5_ms), 5.000e-3, 5e-7);
  EXPECT_NEAR(independent_delay_seconds(2048, 5_s, 60_s, 50_ms), 5.000e-2, 5e-6);
  EXPECT_NEAR(independent_delay_seconds(16, 1_s, 10_s, 200_ms), 0.16885, 1e-6);
  EXPECT_NEAR(aligned_delay_seconds(50_ms, 10_s, 5_ms), 2.501e-5, 5e-9);
}

TEST(DetectorsAgentNoise, StallsAreWhereTheBurstsNeedMoreCoresThanAreSpare) {
  // Three bursts of one core: 0..4, 2..6, 9..11 (over the end of the period of 10 s).
  const std::vector<Burst> bursts{
      {.phase = 0_s, .length = 4_s}, {.phase = 2_s, .length = 4_s}, {.phase = 9_s, .length = 2_s}};
  EXPECT_EQ(stalls(10_s, 0, bursts), (Lengths{7_s}));  // 9..16
  EXPECT_EQ(stalls(10_s, 1, bursts), (Lengths{1_s, 2_s}));
  EXPECT_EQ(stalls(10_s, 2, bursts), (Lengths{}));
}

TEST(DetectorsAgentNoise, StallsAtTheEdgesOfThePeriod) {
  // Up to the end exactly, and on from the start: one stall.
  EXPECT_EQ(stalls(10_s, 0, {{.phase = 9_s, .length = 1_s}}), (Lengths{1_s}));
  EXPECT_EQ(stalls(10_s, 0, {{.phase = 9_s, .length = 1_s}, {.phase = 0_s, .length = 1_s}}),
            (Lengths{2_s}));
  // One hands over to the next: one stall without spare cores, none with one.
  const std::vector<Burst> queue{{.phase = 13_s, .length = 1_s}, {.phase = 4_s, .length = 1_s}};
  EXPECT_EQ(stalls(10_s, 0, queue), (Lengths{2_s}));
  EXPECT_EQ(stalls(10_s, 1, queue), (Lengths{}));
  // Always: the gang never gets to work.
  for (const Duration phase : {0_s, 3_s}) {
    EXPECT_EQ(stalls(10_s, 0, {{.phase = phase, .length = 10_s}}), (Lengths{10_s}));
  }
  EXPECT_EQ(aligned_delay_seconds(1_s, 10_s, 10_s), std::numeric_limits<double>::infinity());
}

TEST(DetectorsAgentNoise, SeveralStallsOfOneLengthAreSeveralNodesAtFirstOrder) {
  // Form (3) with one stall is (2); with none it is nothing.
  EXPECT_NEAR(independent_delay_seconds(64, 50_ms, 10_s, Lengths{5_ms}),
              independent_delay_seconds(64, 50_ms, 10_s, 5_ms), 1e-15);
  EXPECT_EQ(independent_delay_seconds(64, 50_ms, 10_s, Lengths{}), 0);
  // Four stalls on 64 nodes, or one on 256.
  EXPECT_NEAR(independent_delay_seconds(64, 50_ms, 10_s, Lengths(4, 5_ms)),
              independent_delay_seconds(256, 50_ms, 10_s, 5_ms), 0.01 * 5e-3);
}

TEST(DetectorsAgentNoise, MoreNodesWaitLongerButNeverLongerThanTheStall) {
  double last = 0;
  for (const std::int64_t nodes : {1, 2, 8, 64, 512, 4096, 1 << 20}) {
    const double delay = independent_delay_seconds(nodes, 50_ms, 10_s, 5_ms);
    EXPECT_GT(delay, last) << nodes;
    EXPECT_LE(delay, 5e-3) << nodes;
    last = delay;
  }
  EXPECT_GE(independent_delay_seconds(1, 50_ms, 10_s, 5_ms),
            aligned_delay_seconds(50_ms, 10_s, 5_ms));
}

// The less work between two meetings, the more the gang is like one that works only while no node
// stalls: a share (1 - d/T)^N of the time. One step at a random time knows nothing of that.
TEST(DetectorsAgentNoise, MeetingAllTheTimeIsWorkingWhileNobodyStalls) {
  for (const std::int64_t nodes : {1, 8, 64, 256}) {
    const double quiet = std::pow(1 - 0.0005, nodes);
    const double slowdown = long_run_delay_seconds(nodes, 10_us, 10_s, Lengths{5_ms}) / 10e-6;
    EXPECT_NEAR(slowdown / (1 / quiet - 1), 1, 0.005) << nodes;
  }
  EXPECT_GT(independent_delay_seconds(64, 200_us, 10_s, 5_ms),
            12 * long_run_delay_seconds(64, 200_us, 10_s, Lengths{5_ms}));
}

TEST(DetectorsAgentNoise, TheLongRunIsBelowTheFirstStepAndMeetsItWhenSaturated) {
  for (const std::int64_t nodes : {1, 8, 64, 512, 4096}) {
    const double first = independent_delay_seconds(nodes, 50_ms, 10_s, 5_ms);
    const double later = long_run_delay_seconds(nodes, 50_ms, 10_s, Lengths{5_ms});
    EXPECT_LE(later, first * (1 + 1e-4)) << nodes;
    EXPECT_GE(later, first * 0.95) << nodes;
  }
  EXPECT_EQ(long_run_delay_seconds(64, 50_ms, 10_s, Lengths{}), 0);
  // Stalls of two lengths, of which one is negligible.
  EXPECT_NEAR(long_run_delay_seconds(64, 50_ms, 10_s, Lengths{5_ms, 1_us}),
              long_run_delay_seconds(64, 50_ms, 10_s, Lengths{5_ms}), 1e-5);
}

TEST(DetectorsAgentNoise, MeetingTenTimesInAStepIsATenthOfTheStep) {
  const Monitoring agent{.period = 10_s, .burst = 5_ms};
  EXPECT_NEAR(noise_slowdown({.nodes = 64, .step = 500_ms, .meetings = 10}, agent,
                             InsideNode::kTogether, AcrossNodes::kIndependent),
              long_run_delay_seconds(64, 50_ms, 10_s, Lengths{5_ms}) / 0.05, 1e-12);
}

// 2,048 nodes, a step of 5 s with 100 meetings, four tasks of 5 ms every 10 s: the advice to
// jitter, with its price (the table in MODEL.md).
class AdviceAt2048Nodes : public testing::Test {
 protected:
  static double slowdown(std::int64_t spare_cores, InsideNode inside, AcrossNodes across) {
    return noise_slowdown({.nodes = 2048, .step = 5_s, .meetings = 100},
                          {.tasks = 4, .period = 10_s, .burst = 5_ms, .spare_cores = spare_cores},
                          inside, across);
  }
};

TEST_F(AdviceAt2048Nodes, AcrossNodesAligningWinsByThePeriodOverTheWork) {
  const double aligned = slowdown(0, InsideNode::kTogether, AcrossNodes::kAligned);
  const double independent = slowdown(0, InsideNode::kTogether, AcrossNodes::kIndependent);
  EXPECT_NEAR(aligned, 0.005 / 9.995, 1e-12);  // 0.05%
  EXPECT_NEAR(independent, 0.1, 1e-5);         // 10%
  EXPECT_NEAR(independent / aligned, (10 - 0.005) / 0.05, 0.02);
}

TEST_F(AdviceAt2048Nodes, WithoutSpareCoresEveryTaskStallsTheNode) {
  // Aligned across, four bursts one after another or each alone take four times one burst.
  EXPECT_NEAR(slowdown(0, InsideNode::kQueued, AcrossNodes::kAligned), 0.02 / 9.98, 1e-12);
  EXPECT_NEAR(slowdown(0, InsideNode::kJittered, AcrossNodes::kAligned), 0.02 / 9.98, 1e-5);
  // Independent, a queue is one stall of 20 ms for every meeting.
  EXPECT_NEAR(slowdown(0, InsideNode::kQueued, AcrossNodes::kIndependent), 0.4, 1e-4);
}

TEST_F(AdviceAt2048Nodes, WithOneSpareCoreJitterHelpsAndAQueueHelpsMore) {
  const double together = slowdown(1, InsideNode::kTogether, AcrossNodes::kIndependent);
  const double jittered = slowdown(1, InsideNode::kJittered, AcrossNodes::kIndependent);
  EXPECT_NEAR(together, 0.1, 1e-5);
  EXPECT_LT(jittered, 0.1 * together);
  EXPECT_NEAR(jittered, 0.00301, 1e-5);
  EXPECT_LT(slowdown(1, InsideNode::kJittered, AcrossNodes::kAligned), 2e-5);
  EXPECT_EQ(slowdown(1, InsideNode::kQueued, AcrossNodes::kIndependent), 0);
  EXPECT_EQ(slowdown(4, InsideNode::kTogether, AcrossNodes::kIndependent), 0);
  EXPECT_EQ(slowdown(4, InsideNode::kJittered, AcrossNodes::kIndependent), 0);
}

TEST_F(AdviceAt2048Nodes, TheCollectorIsWhyOneJitters) {
  const auto all = compare_arrangements({.nodes = 2048, .step = 5_s, .meetings = 100},
                                        {.tasks = 4, .period = 10_s, .burst = 5_ms});
  EXPECT_EQ(all[0].inside, InsideNode::kTogether);
  EXPECT_EQ(all[0].across, AcrossNodes::kAligned);
  EXPECT_EQ(all[0].at_once, 8192);
  EXPECT_EQ(all[3].inside, InsideNode::kJittered);
  EXPECT_EQ(all[3].across, AcrossNodes::kIndependent);
  EXPECT_NEAR(all[3].at_once, 4.096, 1e-12);
  EXPECT_EQ(all[4].at_once, 2048);  // queued, aligned
  for (const NoiseArrangement& one : all) {
    EXPECT_EQ(one.slowdown, slowdown(0, one.inside, one.across));
  }
}

}  // namespace
}  // namespace faultline::noise
