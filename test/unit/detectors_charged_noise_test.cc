// What a run charges for agent noise: the closed form, or the replay that refutes it.
#include "models/detectors/charged_noise.h"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline::noise {
namespace {

constexpr Monitoring kFour{.tasks = 4, .period = 10_s, .burst = 5_ms};

ChargedNoise charged(std::int64_t nodes, const Monitoring& agent, InsideNode inside,
                     AcrossNodes across = AcrossNodes::kIndependent, double slowest = 1) {
  return charged_noise({.nodes = nodes, .step = 50_ms, .slowest = slowest}, agent, inside, across);
}

// The worked example of the header. Half a percent is the standard error at 2,048 nodes.
TEST(DetectorsChargedNoise, TheWorkedExample) {
  const ChargedNoise large = charged(2048, kFour, InsideNode::kJittered);
  EXPECT_NEAR(large.form, 0.1, 1e-5);
  EXPECT_TRUE(large.refuted);
  EXPECT_EQ(large.slowdown, large.replayed->slowdown);
  const double two_bursts = 2048 * 6 * 0.0055 * 0.0055;
  EXPECT_NEAR(large.slowdown, 0.1 * (2 - std::exp(-two_bursts)), 0.002);
  EXPECT_LT(large.replayed->error, 0.0065 * large.slowdown);

  const ChargedNoise small = charged(64, kFour, InsideNode::kJittered);
  EXPECT_NEAR(small.form, 0.07355, 5e-6);
  EXPECT_TRUE(small.refuted);
  EXPECT_NEAR(small.slowdown, 0.0747, 0.0003);
}

TEST(DetectorsChargedNoise, AFormThatHoldsIsCharged) {
  for (const InsideNode inside : {InsideNode::kTogether, InsideNode::kQueued}) {
    const ChargedNoise one = charged(2048, kFour, inside);
    ASSERT_TRUE(one.replayed.has_value());
    EXPECT_FALSE(one.refuted);
    EXPECT_EQ(one.slowdown, one.form);
    EXPECT_NEAR(one.replayed->slowdown, one.form, 0.002 * one.form);
  }
}

TEST(DetectorsChargedNoise, AlignedNodesNeedNoReplay) {
  for (const InsideNode inside :
       {InsideNode::kTogether, InsideNode::kJittered, InsideNode::kQueued}) {
    const ChargedNoise one = charged(2048, kFour, inside, AcrossNodes::kAligned);
    EXPECT_FALSE(one.replayed.has_value());
    EXPECT_EQ(one.slowdown, one.form);
  }
}

// With three cores to spare, four bursts at once are too rare to be met in a replay: none would not
// refute the form. With all to spare there is nothing to judge.
TEST(DetectorsChargedNoise, WhatIsTooRareForTheReplayIsLeftToTheForm) {
  Monitoring spared = kFour;
  spared.spare_cores = 3;
  const ChargedNoise rare = charged(2048, spared, InsideNode::kJittered);
  EXPECT_FALSE(rare.replayed.has_value());
  EXPECT_GT(rare.slowdown, 0);
  spared.spare_cores = 4;
  EXPECT_EQ(charged(2048, spared, InsideNode::kJittered).slowdown, 0);
}

// Few nodes whose bursts fill much of the period: form (4) forgets who has just stalled, and is too
// low by about d/(2T) = 1/12.
TEST(DetectorsChargedNoise, LongBurstsOfFewNodesAreReplayed) {
  const ChargedNoise two = charged_noise({.nodes = 2, .step = 1_s}, {.period = 6_s, .burst = 1_s},
                                         InsideNode::kTogether, AcrossNodes::kIndependent);
  EXPECT_TRUE(two.refuted);
  EXPECT_NEAR(two.form / two.slowdown, 1 - 1.0 / 12, 0.02);
}

}  // namespace
}  // namespace faultline::noise
