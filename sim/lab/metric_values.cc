#include "sim/lab/metric_values.h"

#include <algorithm>

#include "models/base/check.h"
#include "sim/lab/stats/ratio_of_means.h"

namespace faultline {

std::optional<std::size_t> weight_of(const std::vector<MetricName>& names, std::size_t m) {
  if (names[m].weight.empty()) return std::nullopt;
  const auto weight = std::find_if(names.begin(), names.end(), [&](const MetricName& name) {
    return name.text() == names[m].weight;
  });
  FAULTLINE_CHECK(weight != names.end(), "no metric {}", names[m].weight);
  return static_cast<std::size_t>(weight - names.begin());
}

std::vector<double> column(const MetricRows& rows, std::size_t m) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const std::vector<double>& row : rows) values.push_back(row[m]);
  return values;
}

std::vector<double> metric_values(const std::vector<MetricName>& names, const MetricRows& rows,
                                  std::size_t m) {
  const auto weight = weight_of(names, m);
  if (!weight) return column(rows, m);
  return weighted_pseudo_values(column(rows, m), column(rows, *weight));
}

std::vector<Summary> summaries(const std::vector<MetricName>& names, const MetricRows& rows) {
  std::vector<Summary> all;
  all.reserve(names.size());
  for (std::size_t m = 0; m < names.size(); ++m) {
    const auto weight = weight_of(names, m);
    all.push_back(weight ? summarise(column(rows, m), column(rows, *weight))
                         : summarise(column(rows, m)));
  }
  return all;
}

}  // namespace faultline
