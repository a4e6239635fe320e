// The replay of agent noise (models/detectors/noise_replay.h) against the closed forms that the
// engine charges (agent_noise.h), in the long run: in the five settings, in arrangements with cores
// to spare, and beside a straggler.
//
// n sets of phases, two periods each (or 20,000 delayed meetings). Check: |form / mean - 1| <= 2%
// in the five settings, 5% elsewhere (jittered with two cores to spare: + 2 standard errors of 11%,
// because a node has three bursts at once in few sets of phases). Two standard errors are asserted
// to be at most 1% and 2% of the mean. Mutants that have to fail: bursts that are 1.05 times as
// long; a core fewer; noise that does not hide behind a slow rank.
//
// Fixed seed; never retried.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>

#include "sim/lab/experiments/noise.h"

namespace faultline {
namespace {

NoiseSettings setting(std::int64_t nodes, Duration work, Duration period, Duration burst,
                      std::int64_t sets) {
  return {.gang = {.nodes = nodes, .step = work},
          .monitoring = {.tasks = 1, .period = period, .burst = burst},
          .inside = InsideNode::kTogether,
          .across = AcrossNodes::kIndependent,
          .gpus = 0,
          .seed = 31,
          .sets = sets};
}

MeanEstimate seen(const NoiseSettings& s) { return replayed_slowdown(s, s.inside, s.across); }

double form(const NoiseSettings& s, double longer = 1) {
  noise::Monitoring agent = s.monitoring;
  agent.burst = Duration::from_seconds(agent.burst.seconds() * longer);
  return noise::noise_slowdown(s.gang, agent, s.inside, s.across);
}

void print(const char* what, double form, const MeanEstimate& replayed) {
  std::printf("%-28s form %.4f%% replayed %.4f%% +- %.4f (n = %zu) %+.2f%%\n", what, 100 * form,
              100 * replayed.mean, 100 * replayed.error, replayed.n,
              100 * (form / replayed.mean - 1));
}

bool is_near(double form, const MeanEstimate& replayed, double share, double errors = 0) {
  return std::abs(form - replayed.mean) <= share * replayed.mean + errors * replayed.error;
}

TEST(NoiseReplay, TheFiveSettings) {
  for (const NoiseSettings& s :
       {setting(64, 50_ms, 10_s, 5_ms, 1500), setting(256, 50_ms, 10_s, 5_ms, 200),
        setting(2048, 50_ms, 10_s, 5_ms, 6), setting(2048, 5_s, 60_s, 50_ms, 20),
        setting(16, 1_s, 10_s, 200_ms, 3000)}) {
    const MeanEstimate replayed = seen(s);
    print("five settings", form(s), replayed);
    EXPECT_LE(2 * replayed.error, 0.01 * replayed.mean) << s.gang.nodes;
    EXPECT_TRUE(is_near(form(s), replayed, 0.02)) << s.gang.nodes;
    EXPECT_FALSE(is_near(form(s, 1.05), replayed, 0.02)) << s.gang.nodes;
  }
}

// Four tasks on each of 64 nodes, and two cores to spare.
TEST(NoiseReplay, ArrangementsWithCoresToSpare) {
  NoiseSettings s = setting(64, 50_ms, 10_s, 200_ms, 400);
  s.monitoring.tasks = 4;
  s.monitoring.spare_cores = 2;
  for (const AcrossNodes across : {AcrossNodes::kAligned, AcrossNodes::kIndependent}) {
    s.across = across;
    s.inside = InsideNode::kTogether;
    const MeanEstimate replayed = seen(s);
    print("together, two to spare", form(s), replayed);
    EXPECT_TRUE(is_near(form(s), replayed, 0.05));
    s.inside = InsideNode::kQueued;
    EXPECT_EQ(seen(s).mean, 0);
    EXPECT_EQ(form(s), 0);
  }
  s.inside = InsideNode::kJittered;
  const MeanEstimate replayed = seen(s);
  print("jittered, two to spare", form(s), replayed);
  EXPECT_TRUE(is_near(form(s), replayed, 0.05, 2));
  s.monitoring.spare_cores = 1;
  EXPECT_FALSE(is_near(form(s), replayed, 0.05, 2));
}

// What a run charges, jittered without a core to spare, against other sets of phases: 4 standard errors
// of the difference. Both are at most 1% (asserted), so the mutant, the closed form alone, is 5 and
// more away: it is 23% and 72% too low.
TEST(NoiseReplay, WhatARunChargesForJitterInALargeGang) {
  NoiseSettings small = setting(2048, 50_ms, 10_s, 5_ms, 40);
  small.monitoring.tasks = 4;
  NoiseSettings large = setting(2048, 187500_us, 10_s, 200_ms, 40);
  large.monitoring.tasks = 9;
  for (NoiseSettings& s : {std::ref(small), std::ref(large)}) {
    s.inside = InsideNode::kJittered;
    const MeanEstimate replayed = seen(s);
    const noise::ChargedNoise charged =
        noise::charged_noise(s.gang, s.monitoring, s.inside, s.across);
    print("charged", charged.slowdown, replayed);
    ASSERT_TRUE(charged.replayed && charged.refuted);
    const double error = std::hypot(charged.replayed->error, replayed.error);
    EXPECT_LE(charged.replayed->error, 0.01 * charged.slowdown);
    EXPECT_LE(replayed.error, 0.01 * replayed.mean);
    EXPECT_LE(std::abs(charged.slowdown - replayed.mean), 4 * error);
    EXPECT_GT(std::abs(form(s) - replayed.mean), 5 * error);
  }
}

// Node 0 is slow: noise hides behind it if it is shorter than the wait for it.
TEST(NoiseReplay, BesideAStraggler) {
  for (const double speed : {0.98, 0.95, 0.9}) {
    NoiseSettings s = setting(256, 50_ms, 10_s, 5_ms, 300);
    s.gang.slowest = speed;
    const MeanEstimate replayed = seen(s);
    print("beside a straggler", form(s), replayed);
    EXPECT_LE(2 * replayed.error, 0.02 * replayed.mean) << speed;
    EXPECT_TRUE(is_near(form(s), replayed, 0.05)) << speed;
    s.gang.slowest = 1;
    EXPECT_FALSE(is_near(form(s), replayed, 0.2)) << speed;
  }
  NoiseSettings s = setting(16, 50_ms, 10_s, 5_ms, 50);
  s.gang.slowest = 0.8;
  s.across = AcrossNodes::kAligned;
  const MeanEstimate replayed = seen(s);
  print("aligned, beside a straggler", form(s), replayed);
  EXPECT_TRUE(is_near(form(s), replayed, 0.01));
  EXPECT_NEAR(form(s), 0.005 / 9.995, 1e-12);
}

}  // namespace
}  // namespace faultline
