// Verdicts on means of rare events: the limits miss the true mean about as rarely as they say, where Student's
// interval misses it up to three times in four.
//
// 2,000 experiments of n = 1,000 runs, in each of which an event happens with chance lambda/n, of an exponential
// size with mean 1: the true mean is lambda/n. One-sided limits at 5%. The standard error of a share of 5% is
// 0.49 points. Johnson's correction leaves the upper limit at 6.3% to 6.6% (lambda = 30 to 60), so it is held to
// 6.9% + 3 standard errors = 8.4%, which Student's limit exceeds by far; the lower one errs on the safe side.
#include "sim/lab/stats/mean_limits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/base/random.h"

namespace faultline {
namespace {

constexpr std::uint32_t kExperiments = 2000;
constexpr std::size_t kRuns = 1000;
constexpr double kError = 0.05;
constexpr double kMost = 0.084;

std::vector<double> rare_events(double lambda, std::uint32_t experiment) {
  const RandomSource random(20262, experiment);
  std::vector<double> sizes(kRuns);
  for (std::uint32_t run = 0; run < kRuns; ++run) {
    const auto [happens, size] = random.two_uniforms(StreamId("test/rare"), run, 0);
    if (happens < lambda / kRuns) sizes[run] = -std::log(size);
  }
  return sizes;
}

struct Missed {
  double high = 0;
  double low = 0;
  double high_by_student = 0;
};

Missed missed(double lambda, double times = 1) {
  Missed missed;
  const double truth = times * lambda / kRuns;
  for (std::uint32_t e = 0; e < kExperiments; ++e) {
    const std::vector<double> sizes = rare_events(lambda, e);
    const Interval ends = mean_limits(sizes, kError).ends;
    const Interval student = mean_estimate(sizes).interval(1 - 2 * kError);
    missed.high += ends.high < truth ? 1.0 / kExperiments : 0;
    missed.low += ends.low > truth ? 1.0 / kExperiments : 0;
    missed.high_by_student += student.high < truth ? 1.0 / kExperiments : 0;
  }
  return missed;
}

class RareEvents : public testing::TestWithParam<double> {};

TEST_P(RareEvents, LimitsMissTheTruthAsRarelyAsTheySay) {
  const Missed shares = missed(GetParam());
  EXPECT_LE(shares.high, kMost);
  EXPECT_LE(shares.low, kMost);
  if (GetParam() <= 30) {
    EXPECT_GT(shares.high_by_student, kMost);
  }
}
INSTANTIATE_TEST_SUITE_P(PerExperiment, RareEvents, testing::Values(0.3, 3, 12, 20, 30, 60, 200));

// A mean that is 15% off must be found out more often than not to be: the limits are no more careful than they
// have to be. (5% off is within their error: 1.05 of 200 events is 0.7 standard errors.)
TEST(MeanLimits, AWrongMeanIsMissed) { EXPECT_GT(missed(200, 1.15).high, 2 * kMost); }

// 5% of 1 - p^100: p = 1 - 0.05^(1/100).
TEST(MeanLimits, TheRuleOfThree) {
  const std::vector<double> none(100);
  const MeanLimits share = mean_limits(none, kError, {.low = 0, .high = 1});
  EXPECT_TRUE(share.rare);
  EXPECT_DOUBLE_EQ(share.ends.low, 0);
  EXPECT_NEAR(share.ends.high, 1 - std::pow(0.05, 0.01), 1e-9);
  EXPECT_GT(mean_limits(std::vector<double>(298), kError, {.low = 0, .high = 1}).ends.high, 0.01);
  EXPECT_LT(mean_limits(std::vector<double>(299), kError, {.low = 0, .high = 1}).ends.high, 0.01);
  // Nothing bounds a count that was not seen.
  EXPECT_TRUE(std::isinf(mean_limits(none, kError).ends.high));
}

// k = 1 of n = 2 is not rare, and k = 19 of 100 is, of 0.1 each: the chance is at most 28.07% with 97.5%, the mean
// size at most 2 x 1.9 / 22.878 = 0.1661 (chi square of 38 degrees, 2.5%): 4.66%. One that could be no more than 0.1
// is at most 0.1 x 26.63% (the 5% limit of Clopper and Pearson).
TEST(MeanLimits, WhatIsRare) {
  EXPECT_FALSE(mean_limits({1, 2}, kError).rare);
  std::vector<double> values(100);
  for (std::size_t v = 0; v < 19; ++v) values[v] = 0.1;
  const MeanLimits rare = mean_limits(values, kError, {.low = 0, .high = 1});
  EXPECT_TRUE(rare.rare);
  EXPECT_EQ(rare.others, 19U);
  EXPECT_NEAR(rare.ends.high, 0.0466, 2e-4);
  EXPECT_EQ(rare.ends.low, 0);
  EXPECT_NEAR(mean_limits(values, kError, {.low = 0, .high = 0.1}).ends.high, 0.02663, 5e-5);
  values[19] = 0.1;
  EXPECT_FALSE(mean_limits(values, kError, {.low = 0, .high = 1}).rare);
}

// Without skewness it is Student's interval: 1 to 4, error 0.6455, t(3, 95%) = 2.3534.
TEST(MeanLimits, SymmetricValuesHaveStudentsLimits) {
  const Interval ends = mean_limits({1, 2, 3, 4}, kError).ends;
  EXPECT_NEAR(ends.low, 2.5 - 2.3534 * 0.6455, 1e-3);
  EXPECT_NEAR(ends.high, 2.5 + 2.3534 * 0.6455, 1e-3);
}

// 60 times 0 and 20 times 4: mean 1, s^2 = (60 + 180)/79 = 3.03797, error 0.194871; cubes -60 + 540 = 480 over
// 80 s^3 = 423.61: skewness 1.13311; t(79, 95%) = 1.66437: shift 1.13311 x (1 + 5.54025) / (6 x 8.94427) =
// 0.138091, upwards only.
TEST(MeanLimits, TheLongTailMovesItsEndOut) {
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) values.push_back(0);
  for (int i = 0; i < 20; ++i) values.push_back(4);
  const Interval ends = mean_limits(values, kError).ends;
  EXPECT_NEAR(ends.low, 1 - 0.194871 * 1.66437, 1e-4);
  EXPECT_NEAR(ends.high, 1 + 0.194871 * (1.66437 + 0.138091), 1e-4);
}

}  // namespace
}  // namespace faultline
