// Loads a scenario; what is wrong with it goes to stderr.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/world.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {

// Values of --set.
std::vector<Override> overrides_of(const std::vector<std::string>& sets);

// Nothing after an error (exit code kUsage).
std::optional<Scenario> load_or_complain(const std::string& name,
                                         const std::vector<Override>& overrides,
                                         const World& world);

}  // namespace faultline
