#include "sim/lab/stats/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/lab/stats/quantile_interval.h"
#include "sim/lab/stats/ratio_of_means.h"

namespace faultline {
namespace {

constexpr double kConfidence = 0.95;

}  // namespace

double student_t(double confidence, std::size_t n) {
  return two_sided_t(confidence, static_cast<double>(n) - 1);
}

double quantile_of_sorted(const std::vector<double>& sorted, double q) {
  const double rank = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Summary summarise(const std::vector<double>& values) {
  std::vector<double> known;
  known.reserve(values.size());
  for (const double value : values) {
    if (!std::isnan(value)) known.push_back(value);
  }
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const MeanEstimate estimate = mean_estimate(known);
  const Interval interval = estimate.interval(kConfidence);
  Summary summary{.n = known.size(),
                  .mean = estimate.mean,
                  .ci95_low = interval.low,
                  .ci95_high = interval.high,
                  .p5 = kNan,
                  .p50 = kNan,
                  .p95 = kNan,
                  .p5_ci95 = {kNan, kNan},
                  .p50_ci95 = {kNan, kNan},
                  .p95_ci95 = {kNan, kNan}};
  if (known.empty()) return summary;
  std::sort(known.begin(), known.end());
  summary.p5 = quantile_of_sorted(known, 0.05);
  summary.p50 = quantile_of_sorted(known, 0.50);
  summary.p95 = quantile_of_sorted(known, 0.95);
  const bool counts = std::all_of(known.begin(), known.end(),
                                  [](double value) { return value == std::round(value); });
  const auto around = [&](double q) {
    return counts ? exact_quantile_interval(known, q, kConfidence).interval
                  : quantile_interval(known, q, kConfidence);
  };
  summary.p5_ci95 = around(0.05);
  summary.p50_ci95 = around(0.50);
  summary.p95_ci95 = around(0.95);
  return summary;
}

Summary summarise(const std::vector<double>& values, const std::vector<double>& weights) {
  Summary summary = summarise(values);
  const MeanEstimate estimate = mean_estimate(weighted_pseudo_values(values, weights));
  summary.mean = estimate.mean;
  // One replication alone says nothing about the spread between them.
  if (summary.n > 1) {
    const Interval interval = estimate.interval(kConfidence);
    summary.ci95_low = interval.low;
    summary.ci95_high = interval.high;
  }
  return summary;
}

}  // namespace faultline
