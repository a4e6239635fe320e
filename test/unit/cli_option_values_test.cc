#include "sim/cli/option_values.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(CliOptionValuesTest, WholeNumbersInTheirRange) {
  EXPECT_EQ(whole_number("--n", "1", 1, 5), 1);
  EXPECT_EQ(whole_number("--n", "5", 1, 5), 5);
  for (const char* text : {"", "0", "6", "-1", "+1", "1.0", "1e0", "0x1", "one", " 1"}) {
    EXPECT_FALSE(whole_number("--n", text, 1, 5)) << text;
  }
}

TEST(CliOptionValuesTest, InstantsAsPrintedAndAsDurations) {
  const SimTime at = SimTime::at(12_d + 3_h + 4_min + 5_s + 678_ms);
  EXPECT_EQ(instant("12d3h4m5.678s"), at);
  EXPECT_EQ(instant("12d 03:04:05.678"), at);
  EXPECT_EQ(instant(to_string(at)), at);
  EXPECT_EQ(instant("0d 00:00:00.000"), SimTime::start());
  EXPECT_EQ(instant("01:30:00"), SimTime::at(90_min));
  EXPECT_EQ(instant("3d 23:59:59.9"), SimTime::at(4_d - 100_ms));
  EXPECT_EQ(instant("36:00:00"), SimTime::at(36_h));
  for (const char* text :
       {"", "5", "-5m", "infinite", "12d 03:04", "::", "1:2:", "a:b:c", "12d 03:04:05:06",
        "3d 25:00:00", "3d 24:00:00", "3d 04:61:00", "3d 04:60:00", "04:05:60", "3d 04:05:99.5"}) {
    EXPECT_FALSE(instant(text)) << text;
  }
}

}  // namespace
}  // namespace faultline
