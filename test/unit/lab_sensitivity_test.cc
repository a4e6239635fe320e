#include "sim/lab/experiments/sensitivity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline {
namespace {

Rows rows(const std::vector<double>& values) {
  Rows rows;
  for (std::size_t r = 0; r < values.size(); ++r) {
    rows.finished.push_back(static_cast<std::uint32_t>(r));
    rows.values.push_back({values[r]});
  }
  return rows;
}

Expression metric() { return Expression::parse("x", {{"x_total", "", ""}}).value(); }

TEST(LabSensitivity, ByHand) {
  const Rows base = rows({1, 2, 3});
  const Rows low = rows({1, 2, 3});
  const Rows high = rows({2, 3, 5});
  const auto found = tornado(metric(), base, {{&low, &high}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].low.never);
  EXPECT_EQ(found[0].low.interval.high, 0);
  EXPECT_FALSE(found[0].high.never);
  EXPECT_EQ(found[0].high.n, 3U);
  EXPECT_DOUBLE_EQ(found[0].high.mean, 4.0 / 3);
  EXPECT_NEAR(found[0].high.interval.low, 4.0 / 3 - 1.4342, 1e-4);
  EXPECT_FALSE(found[0].detectable());
  EXPECT_DOUBLE_EQ(found[0].swing, 4.0 / 3);
}

TEST(LabSensitivity, IntervalsHoldTogether) {
  // Two effects that vary: each at 97.5%, t(2, 98.75%) = 6.2053.
  const Rows base = rows({1, 2, 3});
  const Rows high = rows({2, 3, 5});
  const auto found = tornado(metric(), base, {{&base, &high}, {&high, &base}});
  EXPECT_NEAR(found[0].high.interval.high, 4.0 / 3 + 6.2053 / 3, 1e-4);
}

TEST(LabSensitivity, DetectableOnesFirstThenByFallingSwing) {
  const Rows base = rows({1, 2, 3, 4});
  const Rows wild = rows({90, -80, 60, 1});  // a large swing, all of it noise
  const Rows small = rows({1.1, 2.1, 3.1, 4.1001});
  const Rows large = rows({0, 1, 2, 3.0001});  // detectable, downwards
  const auto found =
      tornado(metric(), base, {{&base, &wild}, {&small, &base}, {&base, &base}, {&small, &large}});
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].index, 3U);
  EXPECT_NEAR(found[0].swing, 1.1, 1e-3);  // from -1 to +0.1
  EXPECT_EQ(found[1].index, 1U);
  EXPECT_TRUE(found[1].detectable());
  EXPECT_EQ(found[2].index, 0U);
  EXPECT_FALSE(found[2].detectable());
  EXPECT_EQ(found[3].index, 2U);
  EXPECT_EQ(found[3].swing, 0);
}

TEST(LabSensitivity, PairsByReplicationNumber) {
  // An interrupted experiment: 1 of the base and 0 of the variant are missing.
  const Rows base{.finished = {0, 2, 3}, .values = {{10}, {20}, {30}}};
  const Rows high{.finished = {1, 2, 3}, .values = {{99}, {21}, {32}}};
  const auto found = tornado(metric(), base, {{&base, &high}});
  EXPECT_EQ(found[0].high.n, 2U);
  EXPECT_DOUBLE_EQ(found[0].high.mean, 1.5);
}

// One pair has no interval; those come last, whatever they seem to do.
TEST(LabSensitivity, OnePairTestsNothing) {
  const Rows base = rows({1, 2, 3});
  const Rows one{.finished = {1}, .values = {{70}}};
  const Rows none;
  const auto found = tornado(metric(), base, {{&one, &none}, {&base, &base}});
  EXPECT_EQ(found[0].index, 1U);
  EXPECT_TRUE(found[0].tested());
  EXPECT_FALSE(found[1].tested());
  EXPECT_FALSE(found[1].low.refused);
}

TEST(LabSensitivity, AVariantThatCannotBe) {
  const Rows base = rows({1, 2, 3});
  const Rows high = rows({2, 3, 5});
  const auto found = tornado(metric(), base, {{nullptr, &high}});
  EXPECT_TRUE(std::isnan(found[0].low.mean));
  EXPECT_TRUE(found[0].low.refused);
  EXPECT_FALSE(found[0].low.detectable());
  EXPECT_DOUBLE_EQ(found[0].swing, 4.0 / 3);
  EXPECT_NEAR(found[0].high.interval.low, 4.0 / 3 - 1.4342, 1e-4);  // one effect, not two
}

TEST(LabSensitivity, WithoutRowsNothingIsKnown) {
  const Rows base = rows({1, 2});
  const Rows none;
  const auto found = tornado(metric(), base, {{&none, &base}});
  EXPECT_EQ(found[0].low.n, 0U);
  EXPECT_TRUE(std::isnan(found[0].low.mean));
  EXPECT_FALSE(found[0].detectable());
}

}  // namespace
}  // namespace faultline
