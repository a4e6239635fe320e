#include "models/analytic/poisson.h"

#include <boost/math/distributions/chi_squared.hpp>

#include "models/base/check.h"

namespace faultline::analytic {

Interval poisson_interval(std::int64_t count, double confidence) {
  FAULTLINE_CHECK(count >= 0, "a count of {}", count);
  FAULTLINE_CHECK(confidence > 0 && confidence < 1, "a confidence of {}", confidence);
  using ChiSquared = boost::math::chi_squared_distribution<
      double, boost::math::policies::policy<boost::math::policies::promote_double<false>>>;
  const double tail = (1 - confidence) / 2;
  const double k = static_cast<double>(count);
  Interval interval;
  if (count > 0) interval.lo = quantile(ChiSquared(2 * k), tail) / 2;
  interval.hi = quantile(complement(ChiSquared(2 * k + 2), tail)) / 2;
  return interval;
}

}  // namespace faultline::analytic
