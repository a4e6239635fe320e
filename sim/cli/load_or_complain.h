// Loads a scenario; what is wrong with it, and what in it has no effect, goes to stderr.
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

// The knobs of a scenario that cannot matter (idle_knobs.h); `scenario` is what `name` and `overrides` load to.
void warn_of_idle_knobs(const Scenario& scenario, const std::string& name,
                        const std::vector<Override>& overrides, const World& world);

}  // namespace faultline
