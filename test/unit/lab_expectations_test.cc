#include "sim/lab/experiments/expectations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "test/support/plain_scenario.h"

namespace faultline {
namespace {

using Rows = std::vector<std::vector<double>>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Judgement judged(const std::string& text, const Rows& rows, double confidence = 0.95,
                 int looks = 1) {
  const std::vector<MetricName> metrics{{"x_total", "", ""}, {"y_total", "", ""}};
  return judge(Condition::parse(text, metrics, false).value(), confidence, rows, looks);
}

// By hand (expectations.h): the mean of 1, 2, 3, 4 is 2.5, its 95% limits 2.5 -+ 2.3534 x 0.6455.
const Rows kFour{{1, 0}, {2, 0}, {3, 0}, {4, 0}};

TEST(LabExpectations, LimitsOfAMean) {
  const Judgement judgement = judged("x >= 0.9", kFour);
  EXPECT_EQ(judgement.verdict, Verdict::kHolds);
  EXPECT_EQ(judgement.n, 4U);
  EXPECT_EQ(judgement.mean, 2.5);
  EXPECT_NEAR(judgement.limits.low, 0.9809, 1e-4);
  EXPECT_NEAR(judgement.limits.high, 4.0191, 1e-4);
  EXPECT_EQ(judgement.why, "");
}

TEST(LabExpectations, VerdictsOnAMean) {
  EXPECT_EQ(judged("x >= 0.99", kFour).verdict, Verdict::kUndecided);
  EXPECT_EQ(judged("x > 4", kFour).verdict, Verdict::kUndecided);
  EXPECT_EQ(judged("x > 4.1", kFour).verdict, Verdict::kFails);
  EXPECT_EQ(judged("x <= 4.1", kFour).verdict, Verdict::kHolds);
  EXPECT_EQ(judged("x < 4", kFour).verdict, Verdict::kUndecided);
  EXPECT_EQ(judged("x <= 0.9", kFour).verdict, Verdict::kFails);
  EXPECT_EQ(judged("4.1 >= x", kFour).verdict, Verdict::kHolds);
  EXPECT_EQ(judged("x >= 0.9", kFour, 0.99).verdict, Verdict::kUndecided);
}

TEST(LabExpectations, LooksShareTheError) {
  // 5% over 5 looks is 1% each: t(3, 99%) = 4.5407, so the lower limit is 2.5 - 2.9311.
  EXPECT_NEAR(judged("x >= 0", kFour, 0.95, 5).limits.low, -0.4311, 1e-4);
  EXPECT_EQ(judged("x >= 0", kFour, 0.95, 5).verdict, Verdict::kUndecided);
}

// What has not been seen in 100 runs could be anything; a share is at most 1 - 0.05^(1/100) = 2.95% then.
TEST(LabExpectations, ValuesThatDoNotVarySayLittleOfAMean) {
  const Judgement judgement = judged("y <= 0.5", Rows(100, {1, 0}));
  EXPECT_EQ(judgement.verdict, Verdict::kUndecided);
  EXPECT_EQ(judgement.why, "100 of 100 replications say the same (0): too few others for a mean");

  const Rows none(100, {0});
  const std::vector<MetricName> share{{"out_ratio", "", ""}};
  const auto at_most = [&](const char* text) {
    return judge(Condition::parse(text, share, false).value(), 0.95, none);
  };
  EXPECT_EQ(at_most("out <= 2.9%").verdict, Verdict::kUndecided);
  EXPECT_EQ(at_most("out <= 3%").verdict, Verdict::kHolds);
  EXPECT_EQ(at_most("out > 3%").verdict, Verdict::kFails);
  EXPECT_EQ(at_most("out <= 2.9%").why, "");
  EXPECT_NEAR(at_most("out <= 3%").limits.high, 0.0295, 1e-4);
}

TEST(LabExpectations, EqualityIsAboutEveryReplication) {
  const Judgement kept = judged("y == 0", Rows(100, {1, 0}));
  EXPECT_EQ(kept.verdict, Verdict::kHolds);
  EXPECT_EQ(kept.n, 100U);
  EXPECT_EQ(kept.broken, 0U);
  EXPECT_NEAR(kept.break_chance, 0.0295, 1e-4);  // 1 - 0.05^(1/100)
  EXPECT_NEAR(judged("y == 0", Rows(300, {1, 0}), 0.99).break_chance, 0.0152, 1e-4);

  const Judgement broken = judged("x == 1", kFour);
  EXPECT_EQ(broken.verdict, Verdict::kFails);
  EXPECT_EQ(broken.broken, 3U);
  EXPECT_EQ(broken.mean, 2.5);
  EXPECT_EQ(judged("x != 5", kFour).verdict, Verdict::kHolds);
  EXPECT_EQ(judged("x != 2", kFour).broken, 1U);
  EXPECT_EQ(judged("x == y + 1", {{1, 0}, {3, 2}}).verdict, Verdict::kHolds);
}

TEST(LabExpectations, ReplicationsThatSayNothing) {
  const Judgement some = judged("x == 1", {{1, 0}, {kNan, 0}});
  EXPECT_EQ(some.verdict, Verdict::kHolds);
  EXPECT_EQ(some.n, 1U);
  const Judgement none = judged("x == 1", {{kNan, 0}});
  EXPECT_EQ(none.verdict, Verdict::kUndecided);
  EXPECT_EQ(none.why, "no replication says anything about it");
}

TEST(LabExpectations, WhatCannotBeJudgedSaysWhy) {
  EXPECT_EQ(judged("x >= 0", {{1, 0}}).why, "one replication has no spread");
  EXPECT_EQ(judged("x >= 0", {}).why, "no replication has finished");
  EXPECT_EQ(judged("x == 0", {}).why, "no replication says anything about it");
  const Judgement quotient = judged("x / y >= 1", kFour);
  EXPECT_EQ(quotient.verdict, Verdict::kUndecided);
  EXPECT_EQ(quotient.why, "x / y has no value: it divides by 0, or is too large");
}

TEST(LabExpectations, ReadFromAScenario) {
  Scenario scenario = plain_scenario(2, 1_d);
  scenario.expect = {{.that = "ettr >= 85%"}, {.that = "replacements == 0", .confidence = 0.99}};
  const auto metrics = metric_names(SimulationPlan(scenario));
  const auto expected = read_expectations(scenario, metrics);
  ASSERT_TRUE(expected);
  ASSERT_EQ(expected->size(), 2U);
  EXPECT_EQ((*expected)[0].condition.text, "ettr >= 85%");
  EXPECT_EQ((*expected)[0].confidence, 0.95);
  EXPECT_EQ((*expected)[1].confidence, 0.99);

  scenario.expect = {{.that = "etr >= 85%"}, {.that = "ettr > 0"}, {.that = "ettr.delta > 0"}};
  const auto wrong = read_expectations(scenario, metrics);
  ASSERT_FALSE(wrong);
  ASSERT_EQ(wrong.error().size(), 2U);
  EXPECT_EQ(wrong.error()[0].index, 0U);
  EXPECT_EQ(wrong.error()[0].sentence, "column 1: unknown metric `etr`; did you mean ettr?");
  EXPECT_EQ(wrong.error()[1].index, 2U);
}

}  // namespace
}  // namespace faultline
