// How the report of `spares` writes a number that was asked for, with all its digits, in the unit of the target:
//
//   95%   99.95%   3m20s   12.3
//
// Estimates and differences are written as everywhere: quantity_text.h.
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "sim/lab/expression/expression.h"

namespace faultline {

std::string quantity_text(double value, Expression::Unit unit);

}  // namespace faultline
