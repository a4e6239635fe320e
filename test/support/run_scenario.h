// Runs a scenario inside a test, and reads the table that comes out.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/engine/plan.h"
#include "sim/lab/replications.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {

// A scenario of the project by its name, with settings as `--set` takes them.
inline Scenario project_scenario(const std::string& name,
                                 const std::vector<std::string>& settings = {}) {
  const char* const home = std::getenv("FAULTLINE_HOME");
  std::vector<Override> overrides;
  for (const std::string& setting : settings) overrides.push_back({.text = setting});
  auto scenario = load_scenario(name, overrides, DiskFiles(home == nullptr ? "." : home));
  if (!scenario) throw std::runtime_error(scenario.error().render());
  return *std::move(scenario);
}

inline ReplicationTable run_scenario(const Scenario& scenario, const ReplicationOptions& options) {
  const SimulationPlan plan(scenario);
  return run_replications(plan, options);
}

// The values of one metric, by its text: `lost_ratio{cause="redo"}`.
inline std::vector<double> column(const ReplicationTable& table, const std::string& metric) {
  for (std::size_t m = 0; m < table.names.size(); ++m) {
    if (table.names[m].text() != metric) continue;
    std::vector<double> values;
    values.reserve(table.values.size());
    for (const std::vector<double>& row : table.values) values.push_back(row[m]);
    return values;
  }
  throw std::runtime_error("no metric " + metric);
}

}  // namespace faultline
