#include "models/analytic/poisson.h"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline::analytic {
namespace {

TEST(AnalyticPoisson, TheWorkedExample) {
  const Interval nothing_seen = poisson_interval(0);
  EXPECT_EQ(nothing_seen.lo, 0);
  EXPECT_NEAR(nothing_seen.hi, std::log(40.0), 1e-12);
}

// One seen: P(X >= 1 | lo) = 1 - e^-lo = 0.025, and P(X <= 1 | hi) = (1 + hi) e^-hi = 0.025.
TEST(AnalyticPoisson, OneEvent) {
  const Interval one = poisson_interval(1);
  EXPECT_NEAR(one.lo, -std::log(0.975), 1e-12);
  EXPECT_NEAR((1 + one.hi) * std::exp(-one.hi), 0.025, 1e-12);
}

// Exact 95% limits as printed in tables of the Poisson distribution.
TEST(AnalyticPoisson, TabledLimits) {
  struct Row {
    std::int64_t count;
    double lo, hi;
  };
  for (const Row& row : {Row{2, 0.2422, 7.2247}, Row{3, 0.6187, 8.7673}, Row{6, 2.2019, 13.0595},
                         Row{7, 2.8144, 14.4227}, Row{10, 4.7954, 18.3904}}) {
    EXPECT_NEAR(poisson_interval(row.count).lo, row.lo, 6e-5) << row.count;
    EXPECT_NEAR(poisson_interval(row.count).hi, row.hi, 6e-5) << row.count;
  }
}

// Llama 3's counts per 1000 node-days, 2,048 nodes for 54 days (arXiv 2407.21783, table 5), with
// intervals that were computed elsewhere to four digits, by Byar's approximation. It agrees with
// the exact ones to 1e-3 from a count of 17 on; below 8 its lower limits are up to 7% too low.
TEST(AnalyticPoisson, IntervalsOfTheLlama3Counts) {
  struct Row {
    std::int64_t count;
    double rate, lo, hi;
  };
  for (const Row& row : {Row{148, 1.338, 1.131, 1.572}, Row{72, 0.651, 0.5094, 0.8199},
                         Row{54, 0.4883, 0.3668, 0.6371}, Row{35, 0.3165, 0.2204, 0.4402},
                         Row{32, 0.2894, 0.1979, 0.4085}, Row{19, 0.1718, 0.1034, 0.2683},
                         Row{17, 0.1537, 0.08949, 0.2461}}) {
    const Interval interval = poisson_interval(row.count);
    const double thousands_of_node_days = 2048 * 54 / 1000.0;
    EXPECT_NEAR(static_cast<double>(row.count) / thousands_of_node_days / row.rate, 1, 1e-3);
    EXPECT_NEAR(interval.lo / thousands_of_node_days / row.lo, 1, 1e-3) << row.count;
    EXPECT_NEAR(interval.hi / thousands_of_node_days / row.hi, 1, 1e-3) << row.count;
    // The mutant: an exposure that is 5% off is far outside of the rounding.
    EXPECT_GT(std::abs(interval.hi / thousands_of_node_days * 1.05 / row.hi - 1), 1e-3);
  }
}

TEST(AnalyticPoisson, MoreConfidenceIsWider) {
  const Interval narrow = poisson_interval(419, 0.95);
  const Interval wide = poisson_interval(419, 0.99);
  EXPECT_LT(wide.lo, narrow.lo);
  EXPECT_GT(wide.hi, narrow.hi);
  EXPECT_TRUE(narrow.holds(419));
  EXPECT_FALSE(narrow.holds(370));
  EXPECT_NEAR(narrow.hi - 419, 42, 1);
}

}  // namespace
}  // namespace faultline::analytic
