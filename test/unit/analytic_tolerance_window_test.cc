#include "models/analytic/tolerance_window.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/base/distribution.h"

namespace faultline::analytic {
namespace {

// The worked example of the header: 1/4 last, the others clear after 300 s on average, acting costs
// 1500 s.
constexpr AlarmMix kExample{.lasting = 0.25, .act = 25_min, .clears_mean = 5_min};

std::function<double(double)> cdf_of(const Distribution& distribution) {
  return [distribution](double x) { return distribution.cdf(Duration::from_seconds(x)); };
}

TEST(AnalyticToleranceWindow, TheWorkedExample) {
  const double best = best_window_seconds(kExample);
  EXPECT_NEAR(best, 745.47, 0.005);
  EXPECT_NEAR(window_cost_seconds(kExample, Duration::zero()), 1500, 1e-9);
  EXPECT_NEAR(window_cost_seconds(kExample, Duration::from_seconds(best)), 861.37, 0.005);
  EXPECT_NEAR(window_cost_derivative(kExample, Duration::zero()), -2.75, 1e-12);
  EXPECT_NEAR(window_cost_derivative(kExample, Duration::from_seconds(best)), 0, 1e-9);
}

TEST(AnalyticToleranceWindow, TheDerivativeIsTheSlopeOfTheCost) {
  for (const Duration window : {1_s, 1_min, 5_min, 1_h}) {
    const double slope = (window_cost_seconds(kExample, window + 10_ms) -
                          window_cost_seconds(kExample, window - 10_ms)) /
                         0.02;
    EXPECT_NEAR(window_cost_derivative(kExample, window), slope, 1e-6) << to_string(window);
  }
}

TEST(AnalyticToleranceWindow, TheEndsOfTheRange) {
  // Nothing clears, or clearing takes longer than acting: act at once.
  EXPECT_EQ(best_window_seconds({.lasting = 1, .act = 25_min, .clears_mean = 5_min}), 0);
  EXPECT_EQ(best_window_seconds({.lasting = 0, .act = 5_min, .clears_mean = 5_min}), 0);
  EXPECT_EQ(best_window_seconds({.lasting = 0.8, .act = 25_min, .clears_mean = 5_min}), 0);
  // Everything clears soon: never act.
  EXPECT_EQ(best_window_seconds({.lasting = 0, .act = 25_min, .clears_mean = 5_min}),
            std::numeric_limits<double>::infinity());
}

TEST(AnalyticToleranceWindow, QuadratureAgreesWithTheClosedForm) {
  const auto cdf = cdf_of(Distribution::make_exponential(5_min).value());
  for (const Duration window : {0_s, 1_s, 5_min, 1_h}) {
    EXPECT_NEAR(window_cost_seconds(0.25, 25_min, cdf, window),
                window_cost_seconds(kExample, window), 1e-6)
        << to_string(window);
  }
  // The mutant: clearing that takes 5% longer costs more than the error of the quadrature.
  const auto slower = cdf_of(Distribution::make_exponential(5_min + 15_s).value());
  EXPECT_GT(window_cost_seconds(0.25, 25_min, slower, 5_min),
            window_cost_seconds(kExample, 5_min) + 1);
}

// D = 2 min exactly. A window of 1 min waits for nothing: C = 1 min + act. A window of 2 min or
// more sees every transient clear: C = pi_h (T + act) + pi_t 2 min.
TEST(AnalyticToleranceWindow, QuadratureOverAStep) {
  const auto cdf = cdf_of(Distribution::fixed(2_min));
  EXPECT_NEAR(window_cost_seconds(0.25, 25_min, cdf, 1_min), 60 + 1500, 1e-9);
  EXPECT_NEAR(window_cost_seconds(0.25, 25_min, cdf, 5_min), 0.25 * 1800 + 0.75 * 120, 0.01);
}

// Uniform on 0..10 min: E[min(D,T)] = T - T^2/20 min, S(T) = 1 - T/10 min. At T = 5 min:
// 0.25 (300 + 1500) + 0.75 (225 + 750) = 1181.25 s.
TEST(AnalyticToleranceWindow, QuadratureOverAStraightLine) {
  const auto cdf = cdf_of(Distribution::make_uniform(0_s, 10_min).value());
  EXPECT_NEAR(window_cost_seconds(0.25, 25_min, cdf, 5_min), 1181.25, 1e-6);
}

}  // namespace
}  // namespace faultline::analytic
