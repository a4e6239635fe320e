// The statistics of the lab against the examples that their headers work by hand.
#include "sim/lab/stats/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "sim/lab/metric_values.h"
#include "sim/lab/stats/control_variate.h"
#include "sim/lab/stats/mean_estimate.h"
#include "sim/lab/stats/paired_difference.h"
#include "sim/lab/stats/quantile_interval.h"
#include "sim/lab/stats/ratio_of_means.h"
#include "sim/lab/stats/selection.h"
#include "sim/lab/stats/sequential_stopping.h"

namespace faultline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(MeanEstimate, WorkedByHand) {
  const MeanEstimate estimate = mean_estimate({1, 2, 3, 4});
  EXPECT_DOUBLE_EQ(estimate.mean, 2.5);
  EXPECT_DOUBLE_EQ(estimate.error, std::sqrt(5.0 / 12));
  EXPECT_EQ(estimate.degrees, 3);
  // The table of Student's t: t(3, 97.5%) = 3.1824.
  EXPECT_NEAR(two_sided_t(0.95, 3), 3.1824, 5e-5);
  EXPECT_NEAR(estimate.interval(0.95).half_width(), 2.0543, 5e-5);
}

TEST(MeanEstimate, OfTooFewValues) {
  EXPECT_TRUE(std::isnan(mean_estimate({}).mean));
  EXPECT_EQ(mean_estimate({7}).mean, 7);
  EXPECT_TRUE(std::isnan(mean_estimate({7}).interval(0.95).low));
}

TEST(PairedDifference, WorkedByHand) {
  const PairedDifference paired = paired_difference({1, 2, 3}, {2, 3, 5});
  EXPECT_DOUBLE_EQ(paired.difference.mean, 4.0 / 3);
  EXPECT_DOUBLE_EQ(paired.difference.error, 1.0 / 3);
  EXPECT_NEAR(paired.variance_ratio, 0.1, 1e-15);
  // t(2, 97.5%) = 4.303: 1.333 +- 1.434 holds zero; t(2, 90%) = 1.886 does not.
  EXPECT_FALSE(paired.shown(0.95));
  EXPECT_TRUE(paired.shown(0.80));
}

TEST(PairedDifference, OfEqualPointsShowsNothing) {
  const PairedDifference same = paired_difference({1, 2, 3}, {1, 2, 3});
  EXPECT_EQ(same.difference.mean, 0);
  EXPECT_EQ(same.variance_ratio, 0);
  EXPECT_FALSE(same.shown(0.95));
  EXPECT_TRUE(std::isnan(paired_difference({1, 1}, {1, 1}).variance_ratio));
}

TEST(QuantileInterval, WorkedByHand) {
  const std::vector<double> sorted{10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
  const QuantileInterval exact = exact_quantile_interval(sorted, 0.5, 0.95);
  EXPECT_EQ(exact.interval.low, 20);
  EXPECT_EQ(exact.interval.high, 90);
  EXPECT_NEAR(exact.coverage, 1 - 22.0 / 1024, 1e-14);
  const double lambda = 1 / (1 + 2 * (56.0 / 1024 - 0.025) / (8 * (0.025 - 11.0 / 1024)));
  EXPECT_NEAR(lambda, 0.6577, 5e-5);
  const Interval interval = quantile_interval(sorted, 0.5, 0.95);
  EXPECT_NEAR(interval.low, 20 + 10 * lambda, 1e-12);
  EXPECT_NEAR(interval.high, 90 - 10 * lambda, 1e-12);
}

TEST(QuantileInterval, TooFewValuesSayNothingAboutATail) {
  std::vector<double> sorted;
  for (int i = 1; i <= 367; ++i) sorted.push_back(i);
  EXPECT_EQ(quantile_interval(sorted, 0.99, 0.95).high, kInfinity);
  EXPECT_EQ(exact_quantile_interval(sorted, 0.01, 0.95).interval.low, -kInfinity);
  sorted.push_back(368);
  EXPECT_NEAR(quantile_interval(sorted, 0.99, 0.95).high, 368, 1);
  EXPECT_EQ(exact_quantile_interval(sorted, 0.99, 0.95).interval.high, 368);
  EXPECT_EQ(exact_quantile_interval(sorted, 0.01, 0.95).interval.low, 1);
  EXPECT_EQ(quantile_interval({5}, 0.5, 0.95).low, -kInfinity);
}

TEST(RatioOfMeans, WorkedByHand) {
  const std::vector<double> expected{2.75, 4.25};
  EXPECT_EQ(ratio_pseudo_values({2, 12}, {1, 3}), expected);
  EXPECT_EQ(weighted_pseudo_values({2, 4}, {1, 3}), expected);
}

TEST(RatioOfMeans, ARowWithoutThingsHoldsTheMean) {
  const std::vector<double> values = weighted_pseudo_values({2, kNan, 4}, {1, 0, 3});
  EXPECT_DOUBLE_EQ(values[1], 3.5);
  EXPECT_TRUE(std::isnan(weighted_pseudo_values({kNan, kNan}, {0, 0})[0]));
}

TEST(Summary, QuantilesHaveTheirIntervals) {
  // Ten values, worked by hand in quantile_interval.h: of counts X(2) .. X(9); otherwise further inside.
  const Summary counts = summarise({10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
  EXPECT_EQ(counts.p50_ci95.low, 2);
  EXPECT_EQ(counts.p50_ci95.high, 9);
  EXPECT_TRUE(std::isinf(counts.p95_ci95.high)) << "ten values do not say how large it may be";
  const Summary tenths = summarise({1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1});
  EXPECT_NEAR(tenths.p50_ci95.low, 0.2 + 0.06577, 1e-4);
  EXPECT_NEAR(tenths.p50_ci95.high, 0.9 - 0.06577, 1e-4);
  EXPECT_TRUE(std::isnan(summarise({kNan}).p50_ci95.low));
}

TEST(Summary, OfMeansWeighsByTheirCounts) {
  const Summary summary = summarise({2, kNan, 4}, {1, 0, 3});
  EXPECT_EQ(summary.n, 2u);
  EXPECT_DOUBLE_EQ(summary.mean, 3.5);
  EXPECT_EQ(summary.p50, 3);
  // mean(y) = 4/3: pseudo-values 3.5 - 1.125, 3.5, 3.5 + 1.125; t(2, 97.5%) = 4.3027.
  EXPECT_NEAR(summary.ci95_high, 3.5 + 4.3027 * 1.125 / std::sqrt(3), 1e-4);
  const Summary one = summarise({2, kNan}, {1, 0});
  EXPECT_EQ(one.mean, 2);
  EXPECT_TRUE(std::isnan(one.ci95_low));
  EXPECT_TRUE(std::isnan(summarise({kNan}, {0}).mean));
}

TEST(MetricValues, FollowTheWeightOfTheMetric) {
  const std::vector<MetricName> names{{"repairs", "", ""}, {"mttr", "phase", "gate", "repairs"}};
  const MetricRows rows{{1, 2}, {3, 4}};
  EXPECT_EQ(weight_of(names, 0), std::nullopt);
  EXPECT_EQ(weight_of(names, 1), 0u);
  EXPECT_EQ(metric_values(names, rows, 0), (std::vector<double>{1, 3}));
  EXPECT_EQ(metric_values(names, rows, 1), (std::vector<double>{2.75, 4.25}));
  EXPECT_EQ(summaries(names, rows)[0].mean, 2);
  EXPECT_EQ(summaries(names, rows)[1].mean, 3.5);
}

TEST(ControlVariate, WorkedByHand) {
  const ControlledMean controlled = controlled_mean({1, 2, 4}, {1, 2, 3}, 2.5);
  EXPECT_DOUBLE_EQ(controlled.beta, 1.5);
  EXPECT_DOUBLE_EQ(controlled.estimate.mean, 37.0 / 12);
  EXPECT_NEAR(controlled.estimate.error, std::sqrt((1.0 / 3 + 0.125) / 6), 1e-15);
  EXPECT_EQ(controlled.estimate.degrees, 1);
  EXPECT_NEAR(controlled.variance_reduction, (14.0 / 18) / ((1.0 / 3 + 0.125) / 6), 1e-12);
}

TEST(ControlVariate, ThatDoesNotVaryChangesNothing) {
  const ControlledMean controlled = controlled_mean({1, 2, 4}, {5, 5, 5}, 4);
  EXPECT_DOUBLE_EQ(controlled.estimate.mean, 7.0 / 3);
  EXPECT_EQ(controlled.estimate.degrees, 2);
  EXPECT_EQ(controlled.variance_reduction, 1);
}

MeanEstimate with_half_width(double mean, double half_width) {
  return {.n = 100, .mean = mean, .error = half_width / two_sided_t(0.95, 99), .degrees = 99};
}

TEST(SequentialStopping, LooksWhereTheSpreadSays) {
  const StoppingRule rule{.precision = {.half_width = 0.1, .relative = false}};
  EXPECT_EQ(first_look(rule), 100u);
  const StoppingLook there = look(rule, 100, with_half_width(5, 0.0999));
  EXPECT_TRUE(there.reached);
  EXPECT_EQ(there.next, 100u);
  // Half again as wide needs (1.5)^2 as many; a little too wide costs an eighth more; far off, four
  // times.
  EXPECT_EQ(look(rule, 100, with_half_width(5, 0.1499)).next, 225u);
  EXPECT_EQ(look(rule, 100, with_half_width(5, 0.1001)).next, 113u);
  EXPECT_EQ(look(rule, 100, with_half_width(5, 3)).next, 400u);
  EXPECT_EQ(look(rule, 100, mean_estimate({})).next, 400u);
}

TEST(SequentialStopping, RelativeToTheMean) {
  const StoppingRule rule{.precision = {.half_width = 0.01, .relative = true}};
  EXPECT_TRUE(look(rule, 100, with_half_width(-5, 0.0499)).reached);
  EXPECT_FALSE(look(rule, 100, with_half_width(-5, 0.0501)).reached);
  // A metric that is always zero is known exactly.
  EXPECT_TRUE(look(rule, 100, with_half_width(0, 0)).reached);
}

TEST(SequentialStopping, SaysWhenTheCapIsSpent) {
  const StoppingRule rule{.precision = {.half_width = 0.1, .relative = false}, .cap = 300};
  EXPECT_EQ(look(rule, 100, with_half_width(5, 3)).next, 300u);
  const StoppingLook spent = look(rule, 300, with_half_width(5, 0.2));
  EXPECT_TRUE(spent.capped);
  EXPECT_FALSE(spent.reached);
  EXPECT_EQ(spent.next, 300u);
  EXPECT_EQ(first_look({.cap = 7}), 7u);
}

TEST(Selection, WorkedByHand) {
  // Differences to the first: 1, 2, 3 (mean 2, error 1/sqrt(3)) and 0.1, 0, -0.1 (mean 0, error
  // 0.1/sqrt(3)); W with t(2, 97.5%) = 4.3027 (k = 3: 5% / 2 in each tail): 2.4841, 0.2484; between
  // the last two: 0.9, 2, 3.1, error 1.1/sqrt(3), W 2.7326.
  const std::vector<std::vector<double>> systems{{1, 2, 3}, {0, 0, 0}, {0.9, 2, 3.1}};
  const Selection selection = select_best(systems, 0.95, true);
  EXPECT_EQ(selection.ranked, (std::vector<std::size_t>{0, 2, 1}));
  EXPECT_EQ(selection.may_be_best, (std::vector<bool>{true, true, true}));
  EXPECT_NEAR(selection.to_best_other[0].low, -0.4841, 1e-4);
  EXPECT_NEAR(selection.to_best_other[0].high, 0.2484, 1e-4);
  EXPECT_NEAR(selection.to_best_other[1].low, -4.7326, 1e-4);
  EXPECT_NEAR(selection.to_best_other[1].high, 0.4841, 1e-4);
}

TEST(Selection, OneThatIsWorseIsOut) {
  const std::vector<std::vector<double>> systems{
      {10, 12, 11, 13}, {5, 7, 6, 8.1}, {10, 12, 11, 13}};
  const Selection larger = select_best(systems, 0.95, true);
  EXPECT_EQ(larger.may_be_best, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(larger.to_best_other[1].high, 0);
  EXPECT_LT(larger.to_best_other[1].low, -4.9);
  const Selection smaller = select_best(systems, 0.95, false);
  EXPECT_EQ(smaller.may_be_best, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(smaller.ranked.front(), 1u);
  EXPECT_EQ(smaller.to_best_other[1].low, 0);
  EXPECT_GT(smaller.to_best_other[1].high, 4.9);
}

TEST(Selection, OfOne) {
  const Selection selection = select_best({{1, 2}}, 0.95, true);
  EXPECT_EQ(selection.may_be_best, std::vector<bool>{true});
  EXPECT_EQ(selection.to_best_other[0].low, 0);
  EXPECT_EQ(selection.to_best_other[0].high, 0);
}

}  // namespace
}  // namespace faultline
