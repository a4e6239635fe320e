// Why no number of spares meets a target: the ceiling, and what holds it down.
//
// Spares give back at most the time in which a job waits for a machine (`provision`,
// `no_capacity`). All other accounts are out of their reach; the report names the largest ones, and
// the field that moves each.
//
// Thread rule: pure function.
#pragma once

#include <string>
#include <vector>

#include "sim/lab/experiments/spares.h"

namespace faultline {

// Of an answer that has a curve and no `fewest`. Adds sentences.
void tell_the_ceiling(const SparesAnswer& answer, const Scenario& scenario,
                      std::vector<std::string>& lines);

}  // namespace faultline
