#include "sim/cli/load_or_complain.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "sim/scenario/idle_knobs.h"

namespace faultline {

std::vector<Override> overrides_of(const std::vector<std::string>& sets) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) overrides.push_back({.text = set});
  return overrides;
}

std::optional<Scenario> load_or_complain(const std::string& name,
                                         const std::vector<Override>& overrides,
                                         const World& world) {
  auto scenario = load_scenario(name, overrides, world.files);
  if (scenario) return std::move(*scenario);
  fmt::print(world.err, "{}", scenario.error().render());
  return std::nullopt;
}

void warn_of_idle_knobs(const Scenario& scenario, const std::string& name,
                        const std::vector<Override>& overrides, const World& world) {
  // The scenario has forgotten where its values came from; the tree of the same files has not.
  const auto tree = load_scenario_tree(name, overrides, world.files);
  if (tree) fmt::print(world.err, "{}", idle_knobs(scenario, *tree).render());
}

}  // namespace faultline
