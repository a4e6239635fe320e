#include "sim/report/format.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/report/quantity_text.h"

namespace faultline {
namespace {

const double kNan = std::nan("");

TEST(ReportFormatTest, NumberGroupsThousands) {
  EXPECT_EQ(number(0, 0), "0");
  EXPECT_EQ(number(999, 0), "999");
  EXPECT_EQ(number(1000, 0), "1,000");
  EXPECT_EQ(number(-1234567.891, 2), "-1,234,567.89");
  EXPECT_EQ(number(-999.4, 0), "-999");
  EXPECT_EQ(number(-0.001, 1), "0.0");  // no negative zero
  EXPECT_EQ(number(kNan, 1), "-");
  EXPECT_EQ(number(INFINITY, 1), "-");
}

TEST(ReportFormatTest, Counted) {
  EXPECT_EQ(counted(0, "run"), "0 runs");
  EXPECT_EQ(counted(1, "run"), "1 run");
  EXPECT_EQ(counted(2000, "run"), "2,000 runs");
}

TEST(ReportFormatTest, Percent) {
  EXPECT_EQ(percent(0.8314), "83.1%");
  EXPECT_EQ(percent(1, 0), "100%");
  EXPECT_EQ(percent(kNan), "-");
}

// Just below each change of form, and at it.
TEST(ReportFormatTest, BriefDurationsNeverShowSixty) {
  EXPECT_EQ(brief(0), "0s");
  EXPECT_EQ(brief(0.0014), "0s");
  EXPECT_EQ(brief(0.35), "350ms");
  EXPECT_EQ(brief(0.9994), "999ms");
  EXPECT_EQ(brief(0.9996), "1.0s");
  EXPECT_EQ(brief(9.94), "9.9s");
  EXPECT_EQ(brief(9.96), "10s");
  EXPECT_EQ(brief(59.4), "59s");
  EXPECT_EQ(brief(59.6), "1m00s");
  EXPECT_EQ(brief(698), "11m38s");
  EXPECT_EQ(brief(3599.4), "59m59s");
  EXPECT_EQ(brief(3599.6), "1h00m");
  EXPECT_EQ(brief(2 * 3600 + 47 * 60), "2h47m");
  EXPECT_EQ(brief(86369), "23h59m");
  EXPECT_EQ(brief(86371), "1.0d");
  EXPECT_EQ(brief(-90), "-1m30s");
  EXPECT_EQ(brief(kNan), "-");
}

Summary summary(double mean, double margin) {
  return {.n = 10, .mean = mean, .ci95_low = mean - margin, .ci95_high = mean + margin};
}

TEST(ReportFormatTest, MarginDecidesTheDecimals) {
  EXPECT_EQ(with_margin(summary(418.94, 2.91)), "418.9 +- 2.9");
  EXPECT_EQ(with_margin(summary(1418.94, 25)), "1,418.9 +- 25.0");
  EXPECT_EQ(with_margin(summary(0.1234, 0.034)), "0.12 +- 0.03");
  EXPECT_EQ(with_margin(summary(0.1234, 0.0000034)), "0.123");
  EXPECT_EQ(with_margin(summary(5, 0)), "5.0");
  EXPECT_EQ(with_margin(summary(5, kNan)), "5.0");
  EXPECT_EQ(with_margin(summary(kNan, kNan)), "-");
  EXPECT_EQ(percent_with_margin(summary(0.831, 0.0021)), "83.1% +- 0.2");
  EXPECT_EQ(with_margin(0.581, 0.02, " pp", 2), "0.58 pp +- 0.02");
  EXPECT_EQ(with_margin(121614.2, 4871.9, "", 0), "121,614 +- 4,872");
  EXPECT_EQ(difference_text(Expression::Unit::kRatio, {.n = 9, .mean = -0.0121, .error = 0}),
            "-1.2 pp");
  const MeanEstimate gain{.n = 100, .mean = 0.0058, .error = 0.00025, .degrees = 99};
  EXPECT_EQ(difference_text(Expression::Unit::kRatio, gain), "+0.58 pp +- 0.05");
  EXPECT_EQ(difference_text(Expression::Unit::kPlain, gain), "+0.006");
}

TEST(ReportFormatTest, BarShowsEverythingAboveZero) {
  EXPECT_EQ(bar(0.5, 8), "####");
  EXPECT_EQ(bar(1, 8), "########");
  EXPECT_EQ(bar(7, 8), "########");
  EXPECT_EQ(bar(0.0001, 8), "#");
  EXPECT_EQ(bar(0, 8), "");
  EXPECT_EQ(bar(kNan, 8), "");
}

}  // namespace
}  // namespace faultline
