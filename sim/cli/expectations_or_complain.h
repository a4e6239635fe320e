// Reads the expectations of a scenario; what is wrong with them goes to stderr, with its place in the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/world.h"
#include "sim/lab/experiments/expectations.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {

// `scenario` is what `name` and `overrides` load to. Nothing after an error (exit code kUsage).
std::optional<std::vector<Expected>> expectations_or_complain(
    const Scenario& scenario, const std::vector<MetricName>& metrics, const std::string& name,
    const std::vector<Override>& overrides, const World& world);

}  // namespace faultline
