#include "sim/report/run_results.h"

#include <algorithm>

namespace faultline {

std::uint64_t RunResults::parts(FaultClassId fault_class) const {
  return plan.everything().parts(plan.classes()[fault_class.index()].unit);
}

std::optional<double> RunResults::expected_faults(FaultClassId fault_class) const {
  const FaultClass& compiled = plan.classes()[fault_class.index()];
  const FaultClassConfig& config = *compiled.config;
  if (config.clock == FaultClock::kRunning || config.weibull_shape ||
      config.victims != FaultVictims::kAll) {
    return std::nullopt;
  }
  const auto scripted = std::count_if(
      config.strikes.begin(), config.strikes.end(),
      [&](const ScriptedStrikeConfig& strike) { return strike.at < scenario().horizon; });
  return static_cast<double>(parts(fault_class)) * compiled.rate_per_part * horizon_seconds() +
         static_cast<double>(scripted);
}

const Summary* RunResults::find(std::string_view metric) const {
  const auto found = std::find_if(table.names.begin(), table.names.end(), [&](const MetricName& n) {
    return n.label.empty() && n.name == metric;
  });
  return found == table.names.end()
             ? nullptr
             : &summaries[static_cast<std::size_t>(found - table.names.begin())];
}

double RunResults::run_seconds() const {
  const Summary* done = find("completion_seconds");
  if (done == nullptr || done->n == 0) return horizon_seconds();
  const auto runs = static_cast<double>(replications());
  const auto ended = static_cast<double>(done->n);
  return (ended * done->mean + (runs - ended) * horizon_seconds()) / runs;
}

double RunResults::published_share(const PooledDurations::Detection& detection) const {
  const bool per_rack = plan.classes()[detection.fault_class.index()].unit == ExposureUnit::kRack;
  const double nodes_per_fault =
      per_rack ? static_cast<double>(plan.fleet().slots()) / plan.fleet().racks() : 1;
  const double struck =
      faults(detection.fault_class).mean * static_cast<double>(replications()) * nodes_per_fault;
  return static_cast<double>(detection.since_fault.count()) / struck;
}

}  // namespace faultline
