// How the report of `spares` writes a difference and a number without an error, in the unit of the target.
//
//   change_text     +0.31pp +- 0.04   -20s +- 5.0s   +12.3 +- 0.4      pp: hundredths
//   quantity_text   95%               3m20s          12.3
//
// Estimates are written as everywhere: estimate_text in quantity_text.h.
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "sim/lab/expression/expression.h"
#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

std::string change_text(const MeanEstimate& difference, Expression::Unit unit);
std::string quantity_text(double value, Expression::Unit unit);

}  // namespace faultline
