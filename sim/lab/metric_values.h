// The columns of a table of replications, by the rules of their metrics.
//
// Most metrics weigh every replication the same. One that is a mean over things counted in the
// replication (MetricName::weight) is summed up by the ratio estimator.
//
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/engine/metrics.h"
#include "sim/lab/stats/statistics.h"

namespace faultline {

using MetricRows = std::vector<std::vector<double>>;  // rows[i][m]: metric m of replication i

// The metric that counts what metric m is a mean over; none if replications weigh the same.
std::optional<std::size_t> weight_of(const std::vector<MetricName>& names, std::size_t m);

std::vector<double> column(const MetricRows& rows, std::size_t m);

// One value per row, whose mean estimates the metric and whose spread is that of its error: the
// column itself, where NaN marks a row that says nothing, or the pseudo-values of the ratio, which
// have no such rows (all of them are NaN if no row says anything).
std::vector<double> metric_values(const std::vector<MetricName>& names, const MetricRows& rows,
                                  std::size_t m);

// Over the replications, in the order of `names`.
std::vector<Summary> summaries(const std::vector<MetricName>& names, const MetricRows& rows);

}  // namespace faultline
