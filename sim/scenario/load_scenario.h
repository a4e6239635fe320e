// Scenarios by name: the entrance for everything that runs one.
//
//   load_scenario("llama3", {{"policy.gate=off"}}, files)
//
// A bare name ("llama3") is traces/scenarios/llama3.yaml below the project root; what holds a `/`
// or ends with .yaml is a path from the working directory.
//
// Errors: Diagnostics, ready to print; nothing is thrown for bad input.
// Thread rule: pure functions of their arguments and of the files.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/scenario/changes.h"
#include "sim/scenario/diagnostics.h"
#include "sim/scenario/files.h"
#include "sim/scenario/override.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/tree.h"

namespace faultline {

tl::expected<Scenario, Diagnostics> load_scenario(const std::string& name_or_path,
                                                  const std::vector<Override>& overrides,
                                                  const FileSystem& files);

// The same in two steps, for those who look at where values come from or change them in place: the tree of
// values with the marks of their places, and the scenario that a tree means.
tl::expected<Tree, Diagnostics> load_scenario_tree(const std::string& name_or_path,
                                                   const std::vector<Override>& overrides,
                                                   const FileSystem& files);
tl::expected<Scenario, Diagnostics> read_scenario(const Tree& tree, const FileSystem& files);

// The names that `load_scenario` knows, sorted.
std::vector<std::string> scenario_names(const FileSystem& files);

// The effective scenario as YAML that loads back to the same one: only what differs from the
// defaults, or every field.
std::string show_scenario(const Scenario& scenario, bool every_field);

// Every field that differs, name and description apart: they change nothing.
std::vector<FieldChange> scenario_changes(const Scenario& from, const Scenario& to);

// What the field at a path means (explain.h); the error has a suggestion.
tl::expected<std::string, std::string> explain_scenario(const std::string& path, bool recursive);

// JSON Schema of the file format, for editors and pipelines.
std::string scenario_json_schema();

// The reference page: every field, as Markdown.
std::string scenario_reference();

}  // namespace faultline
