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

double RunResults::nodes_struck(FaultClassId fault_class) const {
  const double per_fault = plan.nodes_per_fault(fault_class);
  double nodes = faults(fault_class).mean * per_fault;
  const DomainTree& domains = plan.fleet().domains();
  for (const ScriptedStrikeConfig& strike : plan.classes()[fault_class.index()].config->strikes) {
    if (strike.domain.empty() || strike.at >= scenario().horizon) continue;
    nodes += static_cast<double>(domains.nodes(*domains.find(strike.domain))) - per_fault;
  }
  return nodes;
}

double RunResults::published_share(const PooledDurations::Detection& detection) const {
  return static_cast<double>(detection.since_fault.count()) /
         (nodes_struck(detection.fault_class) * static_cast<double>(replications()));
}

}  // namespace faultline
