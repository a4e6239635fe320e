// Whether a fault class fits the rest of its scenario: the reasons that its signals name, what its rate counts,
// the places that its strikes name, and how often it strikes.
//
// Thread rule: a pure function.
#pragma once

#include "models/fleet/fleet.h"
#include "sim/scenario/scenario.h"

namespace faultline {

// `fleet`: the scenario's, warm spares included.
void check_fault_class(const FaultClassConfig& fault_class, const Scenario& scenario,
                       const Fleet& fleet, FieldProblems& problems);

}  // namespace faultline
