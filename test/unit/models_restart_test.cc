// The arithmetic of restarts: length, back-off, the attempt that succeeds; against a walk over the
// attempts.
#include <gtest/gtest.h>

#include "models/workloads/restart.h"

namespace faultline {
namespace {

SimTime at(Duration since_start) { return SimTime::at(since_start); }

// scheduling 10 s + image 20 s + set-up 5 s + 2.76 s per 1000 ranks + load 120 s.
TEST(Restart, LengthGrowsWithTheRanks) {
  const TrainingConfig config;
  EXPECT_EQ(RestartRules(config, 0).length(), 155_s);
  EXPECT_EQ(RestartRules(config, 1000).length(), 155_s + 2760_ms);
  EXPECT_EQ(RestartRules(config, 16'384).length(), 155_s + 45'219'840'000_ns);
}

TEST(Restart, BackoffDoublesUpToItsLimit) {
  const TrainingConfig config;
  const RestartRules rules(config, 8);
  const Duration expected[] = {10_s, 20_s, 40_s, 80_s, 160_s, 300_s, 300_s};
  for (std::uint32_t failures = 0; failures < 7; ++failures) {
    EXPECT_EQ(rules.backoff(failures), expected[failures]) << failures;
  }
  EXPECT_EQ(rules.backoff(4'000'000'000U), 300_s);
}

// The worked example of restart.h: idle at 15 s, at the GPU after 30 s, node fit at 100 s.
TEST(Restart, WorkedExample) {
  const TrainingConfig config;
  const RestartStart start = RestartRules(config, 8).in_place(at(15_s), at(100_s), 0);
  EXPECT_EQ(start.at, at(75_s));
  EXPECT_EQ(start.failed_attempts, 1U);
}

// The first attempt that gets to the GPU at or after `fit`, one attempt after the other.
RestartStart walk(const RestartRules& rules, SimTime idle, SimTime fit, std::uint32_t failures) {
  RestartStart start{.at = idle + rules.backoff(failures)};
  while (start.at + rules.until_gpu() < fit) {
    ++start.failed_attempts;
    start.at = start.at + rules.until_gpu() + rules.backoff(failures + start.failed_attempts);
  }
  return start;
}

TEST(Restart, JumpOverManyAttemptsEqualsTheWalk) {
  const TrainingConfig config;
  const RestartRules rules(config, 8);
  for (const Duration fit : {0_s, 55_s, 55_s + 1_ns, 13_min, 1_h, 3_d}) {
    for (const std::uint32_t failures : {0U, 1U, 4U, 5U, 9U}) {
      for (Duration offset = -(2_ns); offset <= 2_ns; offset += 1_ns) {
        const SimTime node_fit = at(fit + 1_min + offset);
        const RestartStart expected = walk(rules, at(15_s), node_fit, failures);
        const RestartStart start = rules.in_place(at(15_s), node_fit, failures);
        EXPECT_EQ(start.at, expected.at);
        EXPECT_EQ(start.failed_attempts, expected.failed_attempts);
      }
    }
  }
}

TEST(Restart, NoTimeBetweenAttempts) {
  TrainingConfig config;
  config.restart.backoff = config.restart.backoff_max = 0_s;
  config.restart.scheduling = config.restart.image = 0_s;
  EXPECT_EQ(RestartRules(config, 8).in_place(at(15_s), at(1_h), 0).at, at(1_h));
}

TEST(Restart, WithoutCrashLoopItBeginsAtOnce) {
  TrainingConfig config;
  config.restart.on_sick_node = false;
  const RestartRules rules(config, 8);
  EXPECT_EQ(rules.in_place(at(15_s), at(10_s), 3).at, at(15_s));
  EXPECT_EQ(rules.in_place(at(15_s), at(20_s), 3).at, at(20_s));
}

}  // namespace
}  // namespace faultline
