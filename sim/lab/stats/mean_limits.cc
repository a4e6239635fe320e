#include "sim/lab/stats/mean_limits.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace faultline {
namespace {

constexpr std::size_t kFew = 20;

struct Common {
  double value = 0;
  std::size_t others = 0;
};

Common most_common(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  Common common{.others = values.size()};
  for (auto first = values.begin(); first != values.end();) {
    const auto last = std::upper_bound(first, values.end(), *first);
    const std::size_t others = values.size() - static_cast<std::size_t>(last - first);
    if (others < common.others) common = {.value = *first, .others = others};
    first = last;
  }
  return common;
}

// 0 times infinity is 0: an end of the range that the value has reached.
double beyond(double value, double chance, double end) {
  return end == value ? value : value + chance * (end - value);
}

// Third central moment over the standard deviation cubed.
double skewness(const std::vector<double>& values, const MeanEstimate& estimate) {
  const auto n = static_cast<double>(values.size());
  const double deviation = estimate.error * std::sqrt(n);
  double sum = 0;
  for (const double value : values) sum += std::pow((value - estimate.mean) / deviation, 3);
  return sum / n;
}

}  // namespace

MeanLimits mean_limits(const std::vector<double>& values, double error, const ValueRange& range) {
  const MeanEstimate estimate = mean_estimate(values);
  if (values.size() < 2) return {.ends = estimate.interval(1 - 2 * error)};
  const Common common = most_common(values);
  if (common.others < kFew && 2 * common.others < values.size()) {
    using Binomial = boost::math::binomial_distribution<>;
    const double chance = Binomial::find_upper_bound_on_p(
        static_cast<double>(values.size()), static_cast<double>(common.others), error);
    return {
        .ends = {beyond(common.value, chance, range.low), beyond(common.value, chance, range.high)},
        .rare = true,
        .others = common.others,
        .common = common.value};
  }
  const double t = two_sided_t(1 - 2 * error, estimate.degrees);
  const double shift = skewness(values, estimate) * (1 + 2 * t * t) /
                       (6 * std::sqrt(static_cast<double>(values.size())));
  return {.ends = {estimate.mean - estimate.error * (t + std::max(0.0, -shift)),
                   estimate.mean + estimate.error * (t + std::max(0.0, shift))}};
}

}  // namespace faultline
