#include "sim/engine/plan_noise.h"

#include <algorithm>
#include <set>

#include "models/detectors/charged_noise.h"
#include "models/workloads/work_clock.h"

namespace faultline {

NoiseBySpeed noise_of(const Scenario& scenario, const TrainingConfig& job) {
  NoiseBySpeed table;
  if (!scenario.detectors.monitoring) return table;
  const MonitoringConfig& agent = *scenario.detectors.monitoring;
  const auto add = [&](double speed) {
    const double slowdown = noise::charged_noise({.nodes = job.nodes,
                                                  .step = job.step_length(),
                                                  .meetings = job.meetings_per_step,
                                                  .slowest = speed},
                                                 noise::monitoring_of(agent, job.spare_cores),
                                                 agent.inside_node, agent.across_nodes)
                                .slowdown;
    const double most = NoiseBySpeed::kMost;
    table.set(WorkClock::speed_of(speed),
              static_cast<std::int64_t>(std::min(slowdown * 1e6 + 0.5, most)));
  };
  std::set<double> speeds{1.0};
  for (const FaultClassConfig& fault_class : scenario.faults.classes) {
    if (fault_class.effect == FaultEffect::kSlow && !fault_class.degrades &&
        fault_class.slow_speed() > 0) {
      speeds.insert(fault_class.slow_speed());
    }
  }
  for (const double speed : speeds) add(speed);
  return table;
}

}  // namespace faultline
