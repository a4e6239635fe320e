#include "sim/report/quantity_text.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/report/format.h"

namespace faultline {
namespace {

using Unit = Expression::Unit;

std::string signed_text(double value, std::string text) { return value > 0 ? "+" + text : text; }

}  // namespace

Summary summary_of(const MeanEstimate& estimate) {
  const Interval interval = estimate.interval(0.95);
  return {
      .n = estimate.n, .mean = estimate.mean, .ci95_low = interval.low, .ci95_high = interval.high};
}

Unit unit_of(const MetricName& metric) {
  if (metric.name.ends_with("_ratio")) return Unit::kRatio;
  return metric.name.ends_with("_seconds") ? Unit::kSeconds : Unit::kPlain;
}

std::string estimate_text(Unit unit, const MeanEstimate& estimate) {
  return with_margin(summary_of(estimate), unit);
}

std::string difference_text(Unit unit, const MeanEstimate& difference) {
  return difference_text(unit, difference.mean, difference.interval(0.95));
}

std::string difference_text(Unit unit, double difference, const Interval& interval) {
  if (std::isnan(difference)) return "-";
  std::string text =
      unit == Unit::kRatio
          ? with_margin(100 * difference, 100 * interval.half_width(), " pp")
          : with_margin({.mean = difference, .ci95_low = interval.low, .ci95_high = interval.high},
                        unit);
  return signed_text(difference, std::move(text));
}

std::string change_text(Unit unit, double change) {
  if (std::isnan(change)) return "-";
  if (unit == Unit::kRatio) {
    return signed_text(change, value_text(100 * change, Unit::kPlain) + " pp");
  }
  return signed_text(change, value_text(change, unit));
}

std::string interval_text(Unit unit, const Interval& interval, bool of_difference) {
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return "unknown";
  const auto text = [&](double value) {
    return of_difference ? change_text(unit, value) : value_text(value, unit);
  };
  return fmt::format("{} to {}", text(interval.low), text(interval.high));
}

}  // namespace faultline
