#include "models/base/laws.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>

#include "models/base/distribution.h"

namespace faultline::laws {
namespace {

namespace policies = boost::math::policies;

// Plain doubles (the default computes in long double, and not alike on every machine), and NaN or
// infinity instead of exceptions: the parameters were checked before.
using DoublesThatDoNotThrow =
    policies::policy<policies::promote_double<false>, policies::promote_float<false>,
                     policies::domain_error<policies::ignore_error>,
                     policies::pole_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>>;

}  // namespace

double weibull_mean_factor(double shape) {
  return boost::math::tgamma(1 + 1 / shape, DoublesThatDoNotThrow());
}

double Fixed::mean() const {
  return value.is_infinite() ? std::numeric_limits<double>::infinity() : value.seconds();
}

Duration Uniform::quantile(double u) const {
  return lo + Duration::from_seconds((hi - lo).seconds() * u);
}
double Uniform::cdf(Duration x) const {
  if (x < lo) return 0;
  return x >= hi ? 1 : (x - lo).seconds() / (hi - lo).seconds();
}

// log(1-u) is three times as fast as log1p(-u). It differs by 1e-16 of the mean, at most.
Duration Exponential::quantile(double u) const {
  return Duration::from_seconds(-mean_s * std::log(1 - u));
}
double Exponential::cdf(Duration x) const {
  return x <= Duration::zero() ? 0 : -std::expm1(-x.seconds() / mean_s);
}

Duration Weibull::quantile(double u) const {
  return Duration::from_seconds(scale * std::pow(-std::log(1 - u), 1 / shape));
}
double Weibull::cdf(Duration x) const {
  return x <= Duration::zero() ? 0 : -std::expm1(-std::pow(x.seconds() / scale, shape));
}
double Weibull::mean() const { return scale * weibull_mean_factor(shape); }

Duration Lognormal::quantile(double u) const {
  return Duration::from_seconds(std::exp(mu + sigma * normal_quantile(u)));
}
double Lognormal::cdf(Duration x) const {
  if (x <= Duration::zero()) return 0;
  return std::erfc((mu - std::log(x.seconds())) / (sigma * std::sqrt(2.0))) / 2;
}
double Lognormal::mean() const { return std::exp(mu + sigma * sigma / 2); }

Duration Gamma::quantile(double u) const {
  return Duration::from_seconds(scale *
                                boost::math::gamma_p_inv(shape, u, DoublesThatDoNotThrow()));
}
double Gamma::cdf(Duration x) const {
  if (x <= Duration::zero()) return 0;
  return boost::math::gamma_p(shape, x.seconds() / scale, DoublesThatDoNotThrow());
}

Duration Empirical::quantile(double u) const {
  const auto n = static_cast<double>(sorted->size());
  const double rank = std::clamp(std::ceil(u * n), 1.0, n);
  return (*sorted)[static_cast<std::size_t>(rank) - 1];
}
double Empirical::cdf(Duration x) const {
  const auto seen = std::upper_bound(sorted->begin(), sorted->end(), x) - sorted->begin();
  return static_cast<double>(seen) / static_cast<double>(sorted->size());
}
double Empirical::mean() const {
  double sum = 0;
  for (const Duration value : *sorted) sum += value.seconds();
  return sum / static_cast<double>(sorted->size());
}

Duration Mixture::sample(double u) const {
  constexpr double kSmallest = 0x1.0p-54;
  constexpr double kLargest = 1 - 0x1.0p-53;
  double left = u;
  const MixturePart* part = &parts->front();
  while (left >= part->weight && part != &parts->back()) {
    left -= part->weight;
    ++part;
  }
  return part->of.sample(std::clamp(left / part->weight, kSmallest, kLargest));
}

Duration Mixture::quantile(double u) const {
  // Each part reaches u at its own quantile, so the mixture does between the least and the
  // greatest.
  Duration lo = Duration::infinite();
  Duration hi = Duration::zero();
  for (const MixturePart& part : *parts) {
    const Duration at = part.of.quantile(u);
    lo = std::min(lo, at);
    hi = std::max(hi, at);
  }
  while (lo < hi) {
    const Duration middle = Duration::nanoseconds(lo.ns() + (hi.ns() - lo.ns()) / 2);
    if (cdf(middle) >= u) {
      hi = middle;
    } else {
      lo = middle + Duration::nanoseconds(1);
    }
  }
  return hi;
}
double Mixture::cdf(Duration x) const {
  double sum = 0;
  for (const MixturePart& part : *parts) sum += part.weight * part.of.cdf(x);
  return std::min(sum, 1.0);
}
double Mixture::mean() const {
  double sum = 0;
  for (const MixturePart& part : *parts) sum += part.weight * part.of.mean_seconds();
  return sum;
}

}  // namespace faultline::laws
