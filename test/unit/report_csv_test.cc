#include "sim/report/csv.h"

#include <gtest/gtest.h>

#include <limits>

namespace faultline {
namespace {

TEST(ReportCsvTest, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_text("policy.gate"), "policy.gate");
  EXPECT_EQ(csv_text("lost_ratio{cause=\"redo\"}"), "\"lost_ratio{cause=\"\"redo\"\"}\"");
  EXPECT_EQ(csv_text("!normal {a: 1, b: 2}"), "\"!normal {a: 1, b: 2}\"");
  EXPECT_EQ(csv_text("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_text(""), "");
}

TEST(ReportCsvTest, ARowOfTexts) {
  EXPECT_EQ(csv_row({"a", "b,c", "d\"e", ""}), "a,\"b,c\",\"d\"\"e\",\n");
  EXPECT_EQ(csv_row({""}), "\n");
}

TEST(ReportCsvTest, NumbersReadBack) {
  EXPECT_EQ(csv_number(0.1), "0.1");
  EXPECT_EQ(csv_number(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(csv_number(12), "12");
  EXPECT_EQ(csv_number(std::numeric_limits<double>::quiet_NaN()), "");
}

}  // namespace
}  // namespace faultline
