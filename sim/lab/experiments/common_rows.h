// The replications and metrics that several points have in common, side by side: what can be
// paired.
//
// Points with different fault catalogues have different metrics; they are matched by their names.
// After an early end (Ctrl-C) points may have different replications; only those that all of them
// have are paired.
//
// Thread rule: pure function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/lab/metric_values.h"
#include "sim/lab/point.h"
#include "sim/lab/runner.h"

namespace faultline {

// Metrics that all points have, in the order of the first one.
std::vector<MetricName> common_metrics(const std::vector<const Point*>& points);

struct CommonRows {
  std::vector<std::uint32_t> replications;  // ascending
  std::vector<MetricName> names;
  std::vector<MetricRows> rows;  // [point][i][m]: replication replications[i], metric names[m]
};

// `rows[p]`: of points[p].
CommonRows common_rows(const std::vector<const Point*>& points,
                       const std::vector<const Rows*>& rows);

}  // namespace faultline
