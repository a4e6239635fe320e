#include "models/base/time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace faultline {
namespace {

TEST(BaseTime, LiteralsAreWholeNanoseconds) {
  EXPECT_EQ((1_us).ns(), 1'000);
  EXPECT_EQ((1_ms).ns(), 1'000'000);
  EXPECT_EQ((1_s).ns(), 1'000'000'000);
  EXPECT_EQ(1_min, 60_s);
  EXPECT_EQ(1_h, 60_min);
  EXPECT_EQ(1_d, 24_h);
}

TEST(BaseTime, SumsAreExactWhereDoublesDrift) {
  // 256 days of 1 ms steps would be 2.2e10 additions; a million show the same: not one bit is lost.
  Duration sum;
  for (int i = 0; i < 1'000'000; ++i) sum += 1_ms;
  EXPECT_EQ(sum, 1000_s);
}

TEST(BaseTime, FromSecondsTakesTheNearestNanosecond) {
  EXPECT_EQ(Duration::from_seconds(1.5), 1500_ms);
  EXPECT_EQ(Duration::from_seconds(1.4e-9), 1_ns);
  EXPECT_EQ(Duration::from_seconds(1.6e-9), 2_ns);
  EXPECT_EQ(Duration::from_seconds(-1.6e-9), -2_ns);
  EXPECT_EQ(Duration::from_seconds(0), Duration::zero());
}

TEST(BaseTime, FromSecondsIsInfiniteWhereThereIsNoNumber) {
  EXPECT_TRUE(Duration::from_seconds(9.2e9).is_infinite());
  EXPECT_TRUE(Duration::from_seconds(HUGE_VAL).is_infinite());
  EXPECT_TRUE(Duration::from_seconds(std::numeric_limits<double>::quiet_NaN()).is_infinite());
  EXPECT_FALSE(Duration::from_seconds(9.19e9).is_infinite());
}

TEST(BaseTime, InfinityAbsorbs) {
  const Duration never = Duration::infinite();
  EXPECT_TRUE((never + 1_h).is_infinite());
  EXPECT_TRUE((1_h + never).is_infinite());
  EXPECT_TRUE((never - 1_h).is_infinite());
  EXPECT_TRUE((never * 2).is_infinite());
  EXPECT_TRUE((SimTime::never() + 1_h).is_never());
  EXPECT_LT(SimTime::at(100'000_d), SimTime::never());
}

TEST(BaseTime, ASumOutOfRangeIsInfinite) {
  const Duration nearly = Duration::nanoseconds(std::numeric_limits<std::int64_t>::max() - 1);
  EXPECT_TRUE((nearly + 2_ns).is_infinite());
  EXPECT_TRUE((100'000_d * 2).is_infinite());
}

TEST(BaseTime, DivisionCountsWholeParts) {
  EXPECT_EQ(10_min / 3_min, 3);
  EXPECT_EQ(10_min % 3_min, 1_min);
}

TEST(BaseTime, InstantsAndLengths) {
  const SimTime noon = SimTime::start() + 12_h;
  EXPECT_EQ(noon - SimTime::start(), 12_h);
  EXPECT_EQ(noon - 1_h, SimTime::at(11_h));
  EXPECT_EQ(noon.seconds(), 43'200.0);
}

TEST(BaseTime, TextOfADuration) {
  EXPECT_EQ(to_string(Duration::zero()), "0s");
  EXPECT_EQ(to_string(54_d), "54d");
  EXPECT_EQ(to_string(2_h + 30_min), "2h30m");
  EXPECT_EQ(to_string(1_min + 30'500_ms), "1m30.5s");
  EXPECT_EQ(to_string(250_ms), "250ms");
  EXPECT_EQ(to_string(1_us + 500_ns), "1.5us");
  EXPECT_EQ(to_string(7_ns), "7ns");
  EXPECT_EQ(to_string(1_h + 1_ns), "1h0.000000001s");
  EXPECT_EQ(to_string(-5_min), "-5m");
  EXPECT_EQ(to_string(Duration::infinite()), "infinite");
}

TEST(BaseTime, TextOfAnInstant) {
  EXPECT_EQ(to_string(SimTime::at(12_d + 3_h + 4_min + 5'678_ms)), "12d 03:04:05.678");
  EXPECT_EQ(to_string(SimTime::never()), "never");
}

}  // namespace
}  // namespace faultline
