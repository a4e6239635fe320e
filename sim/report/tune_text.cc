#include "sim/report/tune_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/format.h"

namespace faultline::tune_text {
namespace {

using Unit = Objective::Unit;

// One digit of the margin more than it deserves would be noise; none less than `least`.
int decimals_for(double margin, int least) {
  constexpr int kMost = 3;
  if (!(margin > 0)) return least;
  return std::clamp(-static_cast<int>(std::floor(std::log10(margin))), least, kMost);
}

std::string with_margin_text(double mean, double margin, int least, const char* unit) {
  const int decimals = decimals_for(margin, least);
  const std::string text = number(mean, decimals) + unit;
  return margin > 0 ? fmt::format("{} +- {}", text, number(margin, decimals)) : text;
}

}  // namespace

std::string level(const MeanEstimate& estimate, Unit unit, double confidence) {
  const double margin = estimate.interval(confidence).half_width();
  switch (unit) {
    case Unit::kRatio: return with_margin_text(100 * estimate.mean, 100 * margin, 1, "%");
    case Unit::kSeconds:
      return margin > 0 ? fmt::format("{} +- {}", brief(estimate.mean), brief(margin))
                        : brief(estimate.mean);
    case Unit::kGpuHours: return with_margin_text(estimate.mean, margin, 0, "");
    case Unit::kPlain: break;
  }
  return with_margin_text(estimate.mean, margin, 1, "");
}

std::string change(const MeanEstimate& estimate, Unit unit, double confidence) {
  if (unit != Unit::kRatio) return level(estimate, unit, confidence);
  const double margin = estimate.interval(confidence).half_width();
  return with_margin_text(100 * estimate.mean, 100 * margin, 2, " pp");
}

std::string value(double value, Unit unit) {
  return level({.n = 1, .mean = value, .error = std::nan(""), .degrees = 0}, unit, 0.95);
}

std::string title(const Objective& objective) {
  return objective.unit() == Unit::kGpuHours ? "cost in GPU-hours" : objective.text();
}

}  // namespace faultline::tune_text
