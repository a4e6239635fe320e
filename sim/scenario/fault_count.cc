#include "sim/scenario/fault_count.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "models/base/limits.h"
#include "models/faults/fault_classes.h"

namespace faultline {
namespace {

Population parts_of(const FaultClassConfig& fault_class, const Scenario& scenario,
                    const Fleet& fleet) {
  Population parts = all_parts(fleet, scenario.workloads.size());
  if (fault_class.clock == FaultClock::kAlways) return parts;
  parts.gpus = parts.nodes = 0;
  for (const WorkloadConfig& workload : scenario.workloads) {
    const auto& job = std::get<TrainingConfig>(workload);
    for (const Fleet::Pool& pool : fleet.pools()) {
      if (!job.pool.empty() && pool.name != job.pool) continue;
      parts.nodes += static_cast<std::uint64_t>(job.nodes);
      parts.gpus += static_cast<std::uint64_t>(job.nodes) * pool.gpus_per_node;
      break;
    }
  }
  return parts;
}

}  // namespace

void check_fault_count(const FaultClassConfig& fault_class, const Scenario& scenario,
                       const Fleet& fleet, FieldProblems& problems) {
  FaultCatalogueConfig catalogue;
  catalogue.classes = {fault_class};
  const FaultClass compiled = compile_fault_classes(catalogue, scenario.horizon).front();
  double parts = static_cast<double>(parts_of(fault_class, scenario, fleet).parts(compiled.unit));
  if (fault_class.victims != FaultVictims::kAll && scenario.faults.lemons) {
    const double lemons = scenario.faults.lemons->share;
    parts *= fault_class.victims == FaultVictims::kLemons ? lemons : 1 - lemons;
  }
  const double rate = compiled.bounding_rate_per_part;
  // A rate without bounds has no hazard either.
  const double expected = std::isfinite(rate) ? parts * rate * scenario.horizon.seconds()
                                              : std::numeric_limits<double>::infinity();
  if (parts == 0 || expected <= kMostFaults) return;
  const bool ages = compiled.weibull_scale > 0;
  problems.add(
      fmt::format("faults.classes[{}].rate", fault_class.name),
      fmt::format("comes to {:.4g} faults within the horizon of {}{}; at most {:.4g} are possible",
                  expected, to_string(scenario.horizon),
                  ages ? ", at the highest hazard of `weibull_shape`" : "", kMostFaults));
}

}  // namespace faultline
