#include "sim/engine/pooled_durations.h"

namespace faultline {

PooledDurations::PooledDurations(const SimulationPlan& plan)
    : fault_to_ready_by_channel(plan.scenario().detectors.channels.size()),
      fault_to_ready_by_class(plan.classes().size()),
      phases(5),
      stalls(plan.classes().size()) {
  for (std::size_t c = 0; c < plan.classes().size(); ++c) {
    first_of_class.push_back(static_cast<std::uint32_t>(detections.size()));
    for (const SimulationPlan::Signal& signal : plan.signals(FaultClassId(c))) {
      detections.push_back(
          {.fault_class = FaultClassId(c), .reason = signal.reason, .since_fault = {}});
    }
  }
}

void PooledDurations::add(const PooledDurations& other) {
  const auto add_all = [](std::vector<Histogram>& into, const std::vector<Histogram>& from) {
    for (std::size_t h = 0; h < into.size(); ++h) into[h].add(from[h]);
  };
  for (std::size_t d = 0; d < detections.size(); ++d) {
    detections[d].since_fault.add(other.detections[d].since_fault);
  }
  add_all(fault_to_ready_by_channel, other.fault_to_ready_by_channel);
  add_all(fault_to_ready_by_class, other.fault_to_ready_by_class);
  add_all(phases, other.phases);
  stalls.add(other.stalls);
}

}  // namespace faultline
