// Checks the words of a command line against the known commands and options, before CLI11 parses them:
// its own texts neither suggest a name nor always blame the right word.
//
// Thread rule: pure function.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace faultline {

// One line that says what is wrong with the words, or nothing.
std::optional<std::string> usage_problem(const CLI::App& app,
                                         const std::vector<std::string>& arguments);

}  // namespace faultline
