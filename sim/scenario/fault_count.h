// Whether a class strikes so often that a replication would not end (models/base/limits.h).
//
//   expected <= parts x rate x horizon
//
// The parts are those that the class can strike: of the fleet with its warm spares, or of the jobs
// where only those count (`clock: running`, which at most all of the time is); of the machines the
// lemons, or the others. The rate of an ageing class is the highest that its hazard reaches, because
// so many candidates are drawn (models/faults/fault_classes.h).
//
// Worked example: 1e9 per 1 gpu-hours, one node of 8 GPUs, 10 h: 8 x 1e9 x 10 = 8e10.
//
// Thread rule: a pure function.
#pragma once

#include "models/base/fields.h"
#include "models/fleet/fleet.h"
#include "sim/scenario/scenario.h"

namespace faultline {

void check_fault_count(const FaultClassConfig& fault_class, const Scenario& scenario,
                       const Fleet& fleet, FieldProblems& problems);

}  // namespace faultline
