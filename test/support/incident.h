// An incident from the field, played again: test/validation/incidents/NAME.yaml, whose comments say
// where the record is and at which time of day the run begins. `Incident` is a micro-world by
// another scenario: it runs, and its journal is checked, in the same way.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "test/support/micro_world.h"
#include "test/support/run_scenario.h"

namespace faultline {

// Times of day as times since the start of a run that begins at one:
// WallClock(10, 0)(10, 30, 42) is 30 min 42 s.
class WallClock {
 public:
  constexpr WallClock(int hours, int minutes, int seconds = 0)
      : start_(of_day(hours, minutes, seconds)) {}
  constexpr Duration operator()(int hours, int minutes, int seconds = 0) const {
    return of_day(hours, minutes, seconds) - start_;
  }

 private:
  static constexpr Duration of_day(int hours, int minutes, int seconds) {
    return Duration::nanoseconds(((hours * 60LL + minutes) * 60 + seconds) * 1'000'000'000);
  }
  Duration start_;
};

// The project's path of an incident, and the settings that put the shipped agent with its own
// delays in place of the exact one.
inline std::string incident_file(const std::string& name) {
  const char* const home = std::getenv("FAULTLINE_HOME");
  return std::string(home == nullptr ? "." : home) + "/test/validation/incidents/" + name + ".yaml";
}
inline const std::string kShippedAgent = "detectors=models/detectors/eks-nma.yaml";

struct Incident : MicroWorld {
  explicit Incident(const std::string& name, const std::vector<std::string>& settings = {}) {
    scenario = project_scenario(incident_file(name), settings);
  }
  std::vector<ScriptedStrikeConfig>& strikes(std::size_t fault_class = 0) {
    return scenario.faults.classes.at(fault_class).strikes;
  }
};

inline ScriptedStrikeConfig strike_gpu(Duration at, int node) {
  return {.at = at, .node = fmt::format("gpu-{}", node), .job = {}};
}

// What happened to one node (the first pool's are the first slots) or to all.
template <class What>
std::vector<Duration> times_of(const MicroRun& run, int node) {
  std::vector<Duration> times;
  for (const auto& found : run.journal.all<What>()) {
    if (found.what.node.slot == NodeSlot(node)) times.push_back(found.time.since_start());
  }
  return times;
}

// When a node was given up, by node.
inline std::map<int, Duration> repaired_at(const MicroRun& run) {
  std::map<int, Duration> repaired;
  for (const auto& found : run.journal.all<RepairDecided>()) {
    repaired.emplace(static_cast<int>(found.what.node.slot.value()), found.time.since_start());
  }
  return repaired;
}

}  // namespace faultline
