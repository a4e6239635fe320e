// quantile and cdf are inverse to each other in the sense of Galois: quantile(u) <= x if and only
// if u <= cdf(x). Samples are whole nanoseconds, so it holds up to one of them, and up to the
// rounding of the cdf.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "models/base/distribution.h"

namespace faultline {
namespace {

constexpr double kRounding = 1e-12;

Duration any_length() { return *rc::gen::inRange<std::int64_t>(1, 1'000'000'000) * 10_us; }
double any_shape() { return *rc::gen::inRange(30, 1000) / 100.0; }
double any_uniform() {
  return (static_cast<double>(*rc::gen::inRange<std::int64_t>(0, 1LL << 50)) + 0.5) * 0x1p-50;
}

Distribution any_simple_distribution() {
  const Duration length = any_length();
  switch (*rc::gen::inRange(0, 7)) {
    case 0: return Distribution::fixed(length);
    case 1: return Distribution::make_uniform(length, length + any_length()).value();
    case 2: return Distribution::make_exponential(length).value();
    case 3: return Distribution::make_weibull(any_shape(), length).value();
    case 4:
      return Distribution::make_lognormal_with_percentiles(length, length + any_length()).value();
    case 5: return Distribution::make_gamma(any_shape(), length).value();
    default: {
      std::vector<Duration> values{length};
      for (int more = *rc::gen::inRange(0, 20); more > 0; --more) values.push_back(any_length());
      return Distribution::make_empirical(values).value();
    }
  }
}

Distribution any_distribution() {
  if (*rc::gen::inRange(0, 4) != 0) return any_simple_distribution();
  std::vector<std::pair<double, Distribution>> parts;
  for (int more = *rc::gen::inRange(1, 4); more > 0; --more) {
    parts.emplace_back(any_shape(), any_simple_distribution());
  }
  return Distribution::make_mixture(parts).value();
}

RC_GTEST_PROP(BaseQuantile, CdfReachesUAtTheQuantileAndNotBefore, ()) {
  const Distribution distribution = any_distribution();
  const double u = any_uniform();
  const Duration at = distribution.quantile(u);
  RC_LOG() << distribution.text() << " u " << u << " quantile " << to_string(at);
  RC_ASSERT(distribution.cdf(at + 1_ns) >= u - kRounding);
  RC_ASSERT(distribution.cdf(at - 2_ns) <= u + kRounding);
}

RC_GTEST_PROP(BaseQuantile, AQuantileBelowXMeansThatXIsReached, ()) {
  const Distribution distribution = any_distribution();
  const double u = any_uniform();
  const Duration x = any_length();
  RC_LOG() << distribution.text() << " u " << u << " x " << to_string(x);
  if (distribution.quantile(u) <= x) {
    RC_ASSERT(u <= distribution.cdf(x + 1_ns) + kRounding);
  } else {
    RC_ASSERT(u >= distribution.cdf(x - 1_ns) - kRounding);
  }
}

RC_GTEST_PROP(BaseQuantile, CdfAndQuantileRise, ()) {
  const Distribution distribution = any_distribution();
  const double u = any_uniform();
  const double v = any_uniform();
  RC_ASSERT(distribution.quantile(std::min(u, v)) <= distribution.quantile(std::max(u, v)) + 1_ns);
  const Duration x = any_length();
  const Duration y = any_length();
  RC_ASSERT(distribution.cdf(std::min(x, y)) <= distribution.cdf(std::max(x, y)));
}

RC_GTEST_PROP(BaseQuantile, SamplesLieInTheRangeOfTheLaw, ()) {
  const Distribution distribution = any_distribution();
  const Duration sample = distribution.sample(any_uniform());
  RC_ASSERT(sample >= Duration::zero());
  RC_ASSERT(sample >= distribution.quantile(0x1p-53) - 1_ns);
  RC_ASSERT(sample <= distribution.quantile(1 - 0x1p-53) + 1_ns);
}

}  // namespace
}  // namespace faultline
