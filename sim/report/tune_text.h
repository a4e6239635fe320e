// How a tuning's numbers are written: levels and differences in the unit of the objective.
//
//   level_text    83.59% +- 0.08    3m20s +- 5.0s    1,234 +- 20 (GPU-hours and plain numbers)
//   change_text   0.57 pp +- 0.02   12s +- 1.0s      120,000 +- 4,000
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "sim/lab/experiments/objective.h"
#include "sim/lab/stats/mean_estimate.h"

namespace faultline::tune_text {

std::string level(const MeanEstimate& estimate, Objective::Unit unit, double confidence);
std::string change(const MeanEstimate& estimate, Objective::Unit unit, double confidence);
// A number alone; a ratio as a percentage with two decimals.
std::string value(double value, Objective::Unit unit);
// Half of the width of an interval: "0.001 pp".
std::string width(double value, Objective::Unit unit);
// "ettr", "cost in GPU-hours"; for titles.
std::string title(const Objective& objective);

}  // namespace faultline::tune_text
