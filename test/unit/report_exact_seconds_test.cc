// Times as decimal numbers that lose nothing.
#include "sim/report/exact_seconds.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace faultline {
namespace {

TEST(ExactSeconds, WritesNoDigitTooManyAndNoneTooFew) {
  EXPECT_EQ(exact_seconds(0_s), "0");
  EXPECT_EQ(exact_seconds(10_min), "600");
  EXPECT_EQ(exact_seconds(12100_ms), "12.1");
  EXPECT_EQ(exact_seconds(1_ns), "0.000000001");
  EXPECT_EQ(exact_seconds(-500_ms), "-0.5");
  EXPECT_EQ(exact_seconds(100 * 365_d + 1_ns), "3153600000.000000001");
  EXPECT_EQ(exact_microseconds(12100_ms + 1_ns), "12100000.001");
  EXPECT_EQ(exact_microseconds(1_us), "1");
}

TEST(ExactSeconds, ReadsBackWhatItWrote) {
  for (const Duration d :
       {0_s, 1_ns, -1_ns, 999999999_ns, 54_d + 123456789_ns, Duration::infinite(),
        Duration::nanoseconds(std::numeric_limits<std::int64_t>::max() - 1)}) {
    EXPECT_EQ(parse_exact_seconds(exact_seconds(d)), d) << exact_seconds(d);
  }
  EXPECT_EQ(parse_exact_seconds("12.10"), 12100_ms);
}

TEST(ExactSeconds, RefusesEverythingElse) {
  for (const auto* text : {"", "-", ".", "1.", ".5", "1e9", "+1", "1.2.3", "1,5", "0.0000000001",
                           " 1", "9223372036.854775808", "99999999999", "1.-5"}) {
    EXPECT_FALSE(parse_exact_seconds(text)) << text;
  }
}

}  // namespace
}  // namespace faultline
