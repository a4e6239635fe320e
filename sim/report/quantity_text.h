// Estimates and differences as a report writes them, by the unit of the quantity.
//
//              a value            a difference
//   a share    83.1% +- 0.2       +1.21 pp +- 0.05
//   seconds    11m38s +- 12s      -2m10s +- 5.0s
//   plain      419.7 +- 4.0       +12.3 +- 1.5
//
// The margin is the half-width of the 95% interval, left out where there is none.
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "sim/lab/expression/expression.h"
#include "sim/lab/stats/mean_estimate.h"
#include "sim/lab/stats/statistics.h"

namespace faultline {

// As the helpers of format.h take it.
Summary summary_of(const MeanEstimate& estimate);

// By its suffix: ettr_ratio is a share, mttr_seconds are seconds.
Expression::Unit unit_of(const MetricName& metric);

std::string estimate_text(Expression::Unit unit, const MeanEstimate& estimate);
std::string difference_text(Expression::Unit unit, const MeanEstimate& difference);
// With an interval of any other confidence around the difference.
std::string difference_text(Expression::Unit unit, double difference, const Interval& interval);

// Without a margin: "+1.21 pp". (Of a value: format.h.)
std::string change_text(Expression::Unit unit, double change);

// "-0.91 to -0.75 pp", of a difference or of a value ("82.9% to 83.3%").
std::string interval_text(Expression::Unit unit, const Interval& interval, bool of_difference);

}  // namespace faultline
