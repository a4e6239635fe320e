// The histogram's promises: within 2.2%, whole counts, merges in any order.
#include <gtest/gtest.h>

#include "sim/engine/histogram.h"

namespace faultline {
namespace {

TEST(Histogram, EmptyIsZero) {
  EXPECT_EQ(Histogram().count(), 0U);
  EXPECT_EQ(Histogram().quantile_seconds(0.5), 0);
}

// One value over all sizes: from a millisecond to years, the median is within the bucket.
TEST(Histogram, OneValueIsFoundWithinItsBucket) {
  for (std::int64_t ms = 1; ms < 300'000'000'000; ms = ms * 17 / 13 + 1) {
    Histogram histogram;
    histogram.add(Duration::nanoseconds(ms * 1'000'000));
    const double seconds = static_cast<double>(ms) * 1e-3;
    EXPECT_NEAR(histogram.quantile_seconds(0.5), seconds, 0.022 * seconds + 1e-3) << ms;
  }
}

TEST(Histogram, QuantilesOfALine) {
  Histogram histogram;
  for (int s = 1; s <= 1000; ++s) histogram.add(Duration::nanoseconds(s * 1'000'000'000LL));
  for (const double q : {0.01, 0.1, 0.5, 0.9, 0.99}) {
    EXPECT_NEAR(histogram.quantile_seconds(q), 1000 * q, 22 * q + 1) << q;
  }
  EXPECT_LE(histogram.quantile_seconds(1), 1022);
  EXPECT_GE(histogram.quantile_seconds(0), 0.97);
}

TEST(Histogram, AddsUpInAnyOrder) {
  Histogram a;
  Histogram b;
  Histogram both;
  for (int n = 0; n < 1000; ++n) {
    const Duration value = Duration::nanoseconds(n * 7'919'000'000LL % 1'000'000'000'000);
    (n % 3 == 0 ? a : b).add(value);
    both.add(value);
  }
  Histogram ab = a;
  ab.add(b);
  Histogram ba = b;
  ba.add(a);
  for (const double q : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    EXPECT_EQ(ab.quantile_seconds(q), both.quantile_seconds(q));
    EXPECT_EQ(ba.quantile_seconds(q), both.quantile_seconds(q));
  }
  EXPECT_EQ(ab.count(), 1000U);
}

TEST(Histogram, NothingIsTooSmallOrTooLarge) {
  Histogram histogram;
  histogram.add(Duration::zero());
  histogram.add(Duration::infinite());
  EXPECT_EQ(histogram.count(), 2U);
  EXPECT_LT(histogram.quantile_seconds(0), 1e-3);
  EXPECT_GT(histogram.quantile_seconds(1), 1e8);
}

}  // namespace
}  // namespace faultline
