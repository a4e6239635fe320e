// What a run's report says of steps that follow from the fabric: their parts, and what each class with
// `degrades` makes of them, by the place of the fault. Empty where the scenario has no such job.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/plan.h"
#include "sim/report/document.h"
#include "sim/report/run_results.h"

namespace faultline {

// One fault class over all places of a job.
struct DegradedStep {
  FaultClassId fault_class;
  std::uint64_t untouched = 0;  // places: GPUs, or nodes if it is not counted per GPU
  std::uint64_t slowed = 0;
  std::uint64_t cut = 0;
  double slowest = 1;  // speed of the job, of those that are slowed
  double fastest = 0;
};
// The job's step follows from the fabric.
std::vector<DegradedStep> degraded_steps(const SimulationPlan& plan,
                                         const SimulationPlan::Job& job);

Section training_step(const RunResults& results);
Section degraded_parts(const RunResults& results);

}  // namespace faultline
