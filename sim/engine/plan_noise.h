// What the agent's bursts cost a job, as models/detectors/charged_noise.h judges it: by a closed form
// or by a replay; at full speed and at the speed of every class of faults that slows a node.
//
// A slow fault is taken as one slow node. A fault that slows the whole job, and several nodes that
// are slow by as much, hide less noise than that. A degraded part of the fabric slows all ranks at once:
// it hides none (its speed is not in the table, which then has the noise of the next faster one).
//
// Example: 2,048 nodes that meet after 50 ms of work, one task of 5 ms every 10 s, independent. At
// full speed 5.000 ms a meeting: 100,000 millionths. Beside a node at 80% the others wait for 12.5 ms,
// which no burst exceeds: the slow node's own bursts are left, 500 millionths.
//
// Thread rule: a pure function.
#pragma once

#include <optional>

#include "models/detectors/charged_noise.h"
#include "models/workloads/noise_by_speed.h"
#include "models/workloads/training_config.h"
#include "sim/scenario/scenario.h"

namespace faultline {

// Empty without `detectors.monitoring`.
struct JobNoise {
  NoiseBySpeed by_speed;
  std::optional<noise::ChargedNoise> at_full_speed;
};
JobNoise noise_of(const Scenario& scenario, const TrainingConfig& job);

}  // namespace faultline
