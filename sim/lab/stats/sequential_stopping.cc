#include "sim/lab/stats/sequential_stopping.h"

#include <algorithm>
#include <cmath>

namespace faultline {

double Precision::target(double mean) const {
  return relative ? half_width * std::abs(mean) : half_width;
}

std::uint32_t first_look(const StoppingRule& rule) { return std::min(rule.minimum, rule.cap); }

StoppingLook look(const StoppingRule& rule, std::uint32_t n, const MeanEstimate& estimate) {
  const double half_width = estimate.interval(rule.confidence).half_width();
  const double target = rule.precision.target(estimate.mean);
  if (half_width <= target) return {.next = n, .reached = true};
  if (n >= rule.cap) return {.next = n, .capped = true};
  const double most = n * rule.growth;
  const double least = std::max(n * rule.least_growth, n + 1.0);
  const double excess = half_width / target;
  // Nothing is known of the spread, or the target is zero: as far as one may go.
  const double needed = std::isfinite(excess) ? n * excess * excess : most;
  const double next = std::ceil(std::clamp(needed, std::min(least, most), most));
  return {.next = static_cast<std::uint32_t>(std::min<double>(next, rule.cap))};
}

}  // namespace faultline
