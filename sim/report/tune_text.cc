#include "sim/report/tune_text.h"

#include <cmath>

#include "sim/report/format.h"

namespace faultline::tune_text {
namespace {

using Unit = Objective::Unit;

}  // namespace

std::string level(const MeanEstimate& estimate, Unit unit, double confidence) {
  const double margin = estimate.interval(confidence).half_width();
  switch (unit) {
    case Unit::kRatio: return with_margin(100 * estimate.mean, 100 * margin, "%");
    case Unit::kSeconds: return brief_with_margin(estimate.mean, margin);
    case Unit::kGpuHours: return with_margin(estimate.mean, margin, "", 0);
    case Unit::kPlain: break;
  }
  return with_margin(estimate.mean, margin, "");
}

std::string change(const MeanEstimate& estimate, Unit unit, double confidence) {
  if (unit != Unit::kRatio) return level(estimate, unit, confidence);
  const double margin = estimate.interval(confidence).half_width();
  return with_margin(100 * estimate.mean, 100 * margin, " pp", 2);
}

std::string width(double value, Unit unit) {
  if (unit != Unit::kRatio) return tune_text::value(value, unit);
  return value_text(100 * value, Expression::Unit::kPlain) + " pp";
}

std::string value(double value, Unit unit) {
  return level({.n = 1, .mean = value, .error = std::nan(""), .degrees = 0}, unit, 0.95);
}

std::string title(const Objective& objective) {
  return objective.unit() == Unit::kGpuHours ? "cost in GPU-hours" : objective.text();
}

}  // namespace faultline::tune_text
