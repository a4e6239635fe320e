// What `--reps auto` came to, in a sentence.
//
//   Stopped at 412 replications: the 95% interval of ettr is +- 0.098 pp; asked for was 0.1 pp.
//
// Thread rule: pure function.
#pragma once

#include <string>

#include "sim/lab/expression/expression.h"
#include "sim/lab/stats/sequential_stopping.h"

namespace faultline {

// `what`: "ettr", "B - A in ettr".
std::string stopping_text(const StoppingOutcome& outcome, const std::string& what,
                          Expression::Unit unit);

}  // namespace faultline
