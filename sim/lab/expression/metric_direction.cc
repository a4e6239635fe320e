#include "sim/lab/expression/metric_direction.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace faultline {

Direction direction_of(const MetricName& metric) {
  constexpr std::array<std::string_view, 2> kLarger{"ettr_ratio", "goodput_ratio"};
  constexpr std::array<std::string_view, 6> kNeither{
      "faults_total",    "replacements_total",          "repairs_in_place_total",
      "spares_used_max", "faulty_nodes_replaced_total", "job_restarts_total"};
  const auto among = [&](const auto& names) {
    return std::find(names.begin(), names.end(), metric.name) != names.end();
  };
  if (among(kLarger) || metric.value == "productive") return Direction::kLargerIsBetter;
  return among(kNeither) ? Direction::kNeither : Direction::kSmallerIsBetter;
}

}  // namespace faultline
