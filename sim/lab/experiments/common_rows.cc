#include "sim/lab/experiments/common_rows.h"

#include <algorithm>
#include <iterator>

namespace faultline {
namespace {

std::vector<MetricName>::const_iterator find(const std::vector<MetricName>& names,
                                             const MetricName& wanted) {
  return std::find_if(names.begin(), names.end(),
                      [&](const MetricName& name) { return name.text() == wanted.text(); });
}

// The rows of some replications, with the columns of `names`.
MetricRows selected(const Rows& rows, const std::vector<MetricName>& metrics,
                    const std::vector<std::uint32_t>& replications,
                    const std::vector<MetricName>& names) {
  std::vector<std::size_t> columns;
  for (const MetricName& name : names) {
    columns.push_back(static_cast<std::size_t>(find(metrics, name) - metrics.begin()));
  }
  MetricRows chosen;
  chosen.reserve(replications.size());
  std::size_t at = 0;
  for (const std::uint32_t replication : replications) {
    while (rows.finished[at] != replication) ++at;
    std::vector<double>& row = chosen.emplace_back();
    for (const std::size_t column : columns) row.push_back(rows.values[at][column]);
  }
  return chosen;
}

}  // namespace

std::vector<MetricName> common_metrics(const std::vector<const Point*>& points) {
  std::vector<MetricName> names = points.front()->metrics();
  for (const Point* point : points) {
    std::erase_if(names, [&](const MetricName& name) {
      return find(point->metrics(), name) == point->metrics().end();
    });
  }
  return names;
}

CommonRows common_rows(const std::vector<const Point*>& points,
                       const std::vector<const Rows*>& rows) {
  CommonRows common{.replications = rows.front()->finished, .names = common_metrics(points)};
  for (const Rows* of_point : rows) {
    std::vector<std::uint32_t> both;
    std::set_intersection(common.replications.begin(), common.replications.end(),
                          of_point->finished.begin(), of_point->finished.end(),
                          std::back_inserter(both));
    common.replications = std::move(both);
  }
  for (std::size_t p = 0; p < points.size(); ++p) {
    common.rows.push_back(
        selected(*rows[p], points[p]->metrics(), common.replications, common.names));
  }
  return common;
}

}  // namespace faultline
