#include "sim/engine/plan_noise.h"

#include <algorithm>
#include <set>

#include "models/detectors/charged_noise.h"
#include "models/workloads/work_clock.h"

namespace faultline {

JobNoise noise_of(const Scenario& scenario, const TrainingConfig& job) {
  JobNoise noise;
  if (!scenario.detectors.monitoring) return noise;
  const MonitoringConfig& agent = *scenario.detectors.monitoring;
  const auto at = [&](double speed) {
    return noise::charged_noise({.nodes = job.nodes,
                                 .step = job.step_length(),
                                 .meetings = job.meetings_per_step,
                                 .slowest = speed},
                                noise::monitoring_of(agent, job.spare_cores), agent.inside_node,
                                agent.across_nodes);
  };
  const auto add = [&](double speed, const noise::ChargedNoise& charged) {
    const double most = NoiseBySpeed::kMost;
    noise.by_speed.set(WorkClock::speed_of(speed),
                       static_cast<std::int64_t>(std::min(charged.slowdown * 1e6 + 0.5, most)));
  };
  noise.at_full_speed = at(1);
  add(1, *noise.at_full_speed);
  std::set<double> speeds;
  for (const FaultClassConfig& fault_class : scenario.faults.classes) {
    if (fault_class.effect == FaultEffect::kSlow && !fault_class.degrades &&
        fault_class.slow_speed() > 0 && fault_class.slow_speed() < 1) {
      speeds.insert(fault_class.slow_speed());
    }
  }
  for (const double speed : speeds) add(speed, at(speed));
  return noise;
}

}  // namespace faultline
