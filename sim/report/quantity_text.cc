#include "sim/report/quantity_text.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/report/format.h"

namespace faultline {
namespace {

using Unit = Expression::Unit;

Summary summary_of(const MeanEstimate& estimate, double scale = 1) {
  const Interval interval = estimate.interval(0.95);
  return {.n = estimate.n,
          .mean = scale * estimate.mean,
          .ci95_low = scale * interval.low,
          .ci95_high = scale * interval.high};
}

std::string seconds_text(const MeanEstimate& estimate) {
  const double margin = estimate.interval(0.95).half_width();
  const std::string mean = brief(estimate.mean);
  return margin >= 0.0015 ? fmt::format("{} +- {}", mean, brief(margin)) : mean;
}

std::string signed_text(double value, std::string text) { return value > 0 ? "+" + text : text; }

// As many decimals as a number of this size deserves beside others.
int decimals(double value) { return std::abs(value) < 0.1 ? 3 : std::abs(value) < 10 ? 2 : 1; }

}  // namespace

Unit unit_of(const MetricName& metric) {
  if (metric.name.ends_with("_ratio")) return Unit::kRatio;
  return metric.name.ends_with("_seconds") ? Unit::kSeconds : Unit::kPlain;
}

std::string estimate_text(Unit unit, const MeanEstimate& estimate) {
  if (unit == Unit::kSeconds) return seconds_text(estimate);
  return unit == Unit::kRatio ? percent_with_margin(summary_of(estimate))
                              : with_margin(summary_of(estimate));
}

std::string difference_text(Unit unit, const MeanEstimate& difference) {
  if (std::isnan(difference.mean)) return "-";
  std::string text;
  switch (unit) {
    case Unit::kSeconds: text = seconds_text(difference); break;
    case Unit::kRatio: text = with_margin(summary_of(difference, 100)) + " pp"; break;
    case Unit::kPlain: text = with_margin(summary_of(difference)); break;
  }
  return signed_text(difference.mean, std::move(text));
}

std::string value_text(Unit unit, double value) {
  if (unit == Unit::kSeconds) return brief(value);
  if (unit == Unit::kRatio) return percent(value, decimals(100 * value));
  return number(value, value == std::round(value) ? 0 : decimals(value));
}

std::string change_text(Unit unit, double change) {
  if (std::isnan(change)) return "-";
  if (unit == Unit::kRatio) {
    return signed_text(change, number(100 * change, decimals(100 * change)) + " pp");
  }
  return signed_text(change, value_text(unit, change));
}

std::string interval_text(Unit unit, const Interval& interval, bool of_difference) {
  if (std::isnan(interval.low) || std::isnan(interval.high)) return "unknown";
  const auto text = [&](double value) {
    return of_difference ? change_text(unit, value) : value_text(unit, value);
  };
  return fmt::format("{} to {}", text(interval.low), text(interval.high));
}

}  // namespace faultline
