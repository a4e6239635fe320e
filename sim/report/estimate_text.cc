#include "sim/report/estimate_text.h"

#include <fmt/format.h>

#include "sim/report/format.h"

namespace faultline {
namespace {

// As the helpers of format.h take it.
Summary summary_of(const MeanEstimate& estimate, double scale) {
  const Interval ends = estimate.interval(0.95);
  return {.n = estimate.n,
          .mean = estimate.mean * scale,
          .ci95_low = ends.low * scale,
          .ci95_high = ends.high * scale};
}

std::string seconds_text(const MeanEstimate& estimate) {
  const double margin = estimate.interval(0.95).half_width();
  const std::string mean = brief(estimate.mean);
  return margin > 0 ? fmt::format("{} +- {}", mean, brief(margin)) : mean;
}

}  // namespace

std::string estimate_text(const MeanEstimate& estimate, Expression::Unit unit) {
  switch (unit) {
    case Expression::Unit::kRatio: return percent_with_margin(summary_of(estimate, 1));
    case Expression::Unit::kSeconds: return seconds_text(estimate);
    case Expression::Unit::kPlain: return with_margin(summary_of(estimate, 1));
  }
  return {};
}

std::string change_text(const MeanEstimate& difference, Expression::Unit unit) {
  const std::string sign = difference.mean > 0 ? "+" : "";
  if (unit != Expression::Unit::kRatio) return sign + estimate_text(difference, unit);
  std::string text = with_margin(summary_of(difference, 100));
  const std::size_t end = text.find(' ');
  text.insert(end == std::string::npos ? text.size() : end, "pp");
  return sign + text;
}

std::string quantity_text(double value, Expression::Unit unit) {
  switch (unit) {
    case Expression::Unit::kRatio: return fmt::format("{:.4g}%", 100 * value);
    case Expression::Unit::kSeconds: return brief(value);
    case Expression::Unit::kPlain: return fmt::format("{:.4g}", value);
  }
  return {};
}

}  // namespace faultline
