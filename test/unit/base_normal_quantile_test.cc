#include <gtest/gtest.h>

#include <cmath>

#include "models/base/distribution.h"

namespace faultline {
namespace {

// The check values that Wichura prints for AS 241 (PPND16).
TEST(BaseNormalQuantile, GivesThePublishedCheckValues) {
  EXPECT_DOUBLE_EQ(normal_quantile(0.25), -0.6744897501960817);
  EXPECT_DOUBLE_EQ(normal_quantile(0.001), -3.090232306167814);
  EXPECT_DOUBLE_EQ(normal_quantile(1e-20), -9.262340089798408);
}

TEST(BaseNormalQuantile, GivesTheTabledPercentiles) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_DOUBLE_EQ(normal_quantile(0.95), 1.6448536269514722);
  EXPECT_DOUBLE_EQ(normal_quantile(0.975), 1.959963984540054);
}

TEST(BaseNormalQuantile, InvertsTheErrorFunction) {
  // An error of 1e-16 in z is one of z^2 times as much in u.
  for (double u = 1e-300; u < 0.5; u *= 1.37) {
    const double z = normal_quantile(u);
    EXPECT_NEAR(std::erfc(-z / std::sqrt(2.0)) / 2 / u, 1, 1e-15 * (1 + z * z)) << u;
  }
}

TEST(BaseNormalQuantile, IsOddAndRisesOverTheSeamsOfItsPieces) {
  EXPECT_EQ(normal_quantile(0.125), -normal_quantile(0.875));
  for (const double seam : {0.075, 0.925, std::exp(-25.0)}) {
    EXPECT_LT(normal_quantile(seam * (1 - 1e-9)), normal_quantile(seam)) << seam;
    EXPECT_LT(normal_quantile(seam), normal_quantile(seam * (1 + 1e-9))) << seam;
    EXPECT_NEAR(normal_quantile(seam * (1 - 1e-12)), normal_quantile(seam * (1 + 1e-12)), 1e-10);
  }
}

TEST(BaseNormalQuantile, IsFiniteAtTheEndsOfTheUniforms) {
  EXPECT_NEAR(normal_quantile(0x1p-54), -8.2923610758135953, 1e-9);
  EXPECT_NEAR(normal_quantile(1 - 0x1p-53), 8.2095361516013856, 1e-9);
}

}  // namespace
}  // namespace faultline
