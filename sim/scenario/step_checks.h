// Whether jobs whose step follows from the fabric fit it, and whether what degrades can be costed.
//
// Thread rule: pure function.
#pragma once

#include "sim/scenario/scenario.h"

namespace faultline {

void check_steps(const Scenario& scenario, FieldProblems& problems);

}  // namespace faultline
