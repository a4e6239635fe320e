// Whether an output would be written over a file that the scenario is read from: the scenario
// itself, or whatever it includes. Nothing else keeps an earlier version of those.
//
// Thread rule: reads files; changes nothing.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/cli/world.h"
#include "sim/scenario/override.h"

namespace faultline {

// `outputs`: an option, and the path that it names; empty: none. A sentence about the first of them
// that is an input: "--journal would overwrite `my.yaml`, which the scenario is read from".
std::optional<std::string> overwritten_input(
    const std::string& scenario, const std::vector<Override>& overrides,
    const std::vector<std::pair<std::string, std::string>>& outputs, const World& world);

}  // namespace faultline
