// How the report of `spares` writes a number that was asked for, with all its digits, in the unit of the target:
//
//   95%   99.95%   3m20s   12.3
//
// Estimates and differences are written as everywhere: quantity_text.h.
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "sim/lab/experiments/spares.h"
#include "sim/lab/expression/expression.h"

namespace faultline {

std::string quantity_text(double value, Expression::Unit unit);

// "with 200 replications", "with 10,000 replications, the most that --max-reps allows".
std::string after_how_many(const SparesQuestion& question, std::size_t replications);

}  // namespace faultline
