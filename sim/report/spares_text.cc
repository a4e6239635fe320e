#include "sim/report/spares_text.h"

#include <fmt/format.h>

#include "sim/report/format.h"
#include "sim/report/quantity_text.h"

namespace faultline {

std::string change_text(const MeanEstimate& difference, Expression::Unit unit) {
  const std::string sign = difference.mean > 0 ? "+" : "";
  if (unit != Expression::Unit::kRatio) return sign + estimate_text(unit, difference);
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
