#include "sim/cli/expectations_or_complain.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <utility>

#include "sim/scenario/field_path.h"

namespace faultline {

std::optional<std::vector<Expected>> expectations_or_complain(
    const Scenario& scenario, const std::vector<MetricName>& metrics, const std::string& name,
    const std::vector<Override>& overrides, const World& world) {
  auto expected = read_expectations(scenario, metrics);
  if (expected) return std::move(*expected);
  // The scenario has forgotten where its values came from; the tree of the same files has not.
  const auto tree = load_scenario_tree(name, overrides, world.files);
  Diagnostics diagnostics;
  for (const auto& [index, sentence] : expected.error()) {
    const std::string path = fmt::format("expect[{}]", index);
    Mark mark;
    if (tree) mark = nearest_node(*tree, path + "." + std::string(Expectation::kShortForm)).mark;
    diagnostics.add({.mark = std::move(mark), .path = path, .problem = sentence});
  }
  fmt::print(world.err, "{}", diagnostics.render());
  return std::nullopt;
}

}  // namespace faultline
