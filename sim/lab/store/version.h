// Which program made a result.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

// Of the project, as `faultline --version` prints it.
inline constexpr std::string_view kVersion = "0.1.0";

// "0.1.0-5f0c1e2ab7d4": with a fingerprint of all code that decides what a replication comes to (models/,
// policies/, sim/scenario, sim/engine), made by the build. Two builds of the same code, by any compiler, have
// the same one, and results of one are never mixed with those of changed code.
std::string engine_version();

}  // namespace faultline
