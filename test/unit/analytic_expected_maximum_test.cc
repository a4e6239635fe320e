#include "models/analytic/expected_maximum.h"

#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>

namespace faultline::analytic {
namespace {

// E[max of n] = integral over u in 0..1 of Q(u^(1/n)), by the upper tail 1 - u^(1/n).
template <typename Law>
double by_quadrature(double n, const Law& law) {
  boost::math::quadrature::tanh_sinh<double> rule;
  return rule.integrate(
      [&](double u, double from_one) {
        // from_one is 1 - u near 1, and -u near 0
        const double log_u = from_one > 0 ? std::log1p(-from_one) : std::log(u);
        return quantile(complement(law, -std::expm1(log_u / n)));
      },
      0.0, 1.0);
}

TEST(AnalyticExpectedMaximum, TheWorkedExample) {
  EXPECT_NEAR(expected_maximum_of_exponentials(2, 1), 1.5, 1e-12);
  EXPECT_NEAR(expected_maximum_of_paretos(2, 1, 2), 8.0 / 3, 1e-12);
  EXPECT_NEAR(expected_maximum_of_normals(2048, 0, 1), 3.468670, 1e-6);
  EXPECT_NEAR(expected_maximum_of_normals(2048, 10, 2), 10 + 2 * 3.468670, 2e-6);
}

TEST(AnalyticExpectedMaximum, OneIsItsMean) {
  EXPECT_NEAR(expected_maximum_of_exponentials(1, 3), 3, 1e-12);
  EXPECT_NEAR(expected_maximum_of_paretos(1, 2, 3), 2 * 3.0 / 2, 1e-12);
}

TEST(AnalyticExpectedMaximum, TheExactFormsAgreeWithQuadrature) {
  double harmonic = 0;
  for (int i = 1; i <= 2048; ++i) harmonic += 1.0 / i;
  EXPECT_NEAR(expected_maximum_of_exponentials(2048, 2), 2 * harmonic, 1e-10);
  const double exact = by_quadrature(2048, boost::math::pareto_distribution<double>(1, 3));
  EXPECT_NEAR(expected_maximum_of_paretos(2048, 1, 3), exact, 1e-6 * exact);
}

// The limits at n = 2048: within the errors that the header gives.
TEST(AnalyticExpectedMaximum, TheLimitsAreAsFarOffAsTheHeaderSays) {
  const auto off = [](double limit, double exact) { return 100 * (limit / exact - 1); };
  EXPECT_NEAR(off(expected_maximum_of_normals(2048, 0, 1),
                  by_quadrature(2048, boost::math::normal_distribution<double>(0, 1))),
              0.8, 0.05);
  EXPECT_NEAR(off(expected_maximum_of_weibulls(2048, 0.7, 1),
                  by_quadrature(2048, boost::math::weibull_distribution<double>(0.7, 1))),
              -0.9, 0.05);
  EXPECT_NEAR(off(expected_maximum_of_lognormals(2048, 0, 0.5),
                  by_quadrature(2048, boost::math::lognormal_distribution<double>(0, 0.5))),
              1.3, 0.05);
}

}  // namespace
}  // namespace faultline::analytic
