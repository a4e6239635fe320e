#include "sim/lab/stats/mean_limits.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
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

// Those on one side of the most common value.
struct Side {
  std::size_t count = 0;
  double sum = 0;  // of their distances
};

Side side_of(const std::vector<double>& values, double common, double sign) {
  Side side;
  for (const double value : values) {
    if (!(sign * (value - common) > 0)) continue;
    ++side.count;
    side.sum += sign * (value - common);
  }
  return side;
}

// How far the mean may be from the most common value, on that side; `reach`: how far a value can be.
double distance(const Side& side, std::size_t n, double error, double reach) {
  using Binomial = boost::math::binomial_distribution<>;
  const auto count = static_cast<double>(side.count);
  const auto chance = [&](double of_error) {
    return Binomial::find_upper_bound_on_p(static_cast<double>(n), count, of_error);
  };
  const double at_most = reach == 0 ? 0 : chance(error) * reach;
  if (side.count == 0) return at_most;
  const boost::math::chi_squared_distribution<> sizes(2 * count);
  const double size = 2 * side.sum / quantile(sizes, error / 2);
  return std::min(at_most, chance(error / 2) * size);
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
    const auto away = [&](double sign, double reach) {
      return distance(side_of(values, common.value, sign), values.size(), error, reach);
    };
    return {.ends = {common.value - away(-1, common.value - range.low),
                     common.value + away(1, range.high - common.value)},
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
