// How a report writes an estimate of an expression: in the expression's own unit, with the
// half-width of its 95% interval.
//
//   estimate_text   95.1% +- 0.1      3m20s +- 5.0s     12.3 +- 0.4
//   change_text     +0.31pp +- 0.04   -20s +- 5.0s      +12.3 +- 0.4      of a difference; pp: hundredths
//   quantity_text   95%               3m20s             12.3              a number without an error
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "sim/lab/expression/expression.h"
#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

std::string estimate_text(const MeanEstimate& estimate, Expression::Unit unit);
std::string change_text(const MeanEstimate& difference, Expression::Unit unit);
std::string quantity_text(double value, Expression::Unit unit);

}  // namespace faultline
