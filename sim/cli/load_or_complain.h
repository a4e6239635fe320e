// Loads a scenario; what is wrong with it goes to stderr.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/world.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {

// Nothing after an error (exit code kUsage). `sets`: values of --set.
std::optional<Scenario> load_or_complain(const std::string& name,
                                         const std::vector<std::string>& sets, const World& world);

}  // namespace faultline
