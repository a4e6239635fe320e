// What differs between two scenarios.
#include "sim/scenario/changes.h"

#include <gtest/gtest.h>

#include "test/support/run_scenario.h"

namespace faultline {
namespace {

std::vector<std::string> changed(const std::vector<std::string>& settings) {
  std::vector<std::string> lines;
  const std::string kNothing = "(not there)";
  for (const FieldChange& change :
       scenario_changes(project_scenario("small"), project_scenario("small", settings))) {
    lines.push_back(change.path + ": " + change.from.value_or(kNothing).substr(0, 40) + " -> " +
                    change.to.value_or(kNothing).substr(0, 40));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(ScenarioChanges, NothingAndNames) {
  EXPECT_EQ(changed({}), Lines{});
  EXPECT_EQ(changed({"scenario=other", "description=Something else."}), Lines{});
}

TEST(ScenarioChanges, FieldsOfNamedElementsAndMaps) {
  EXPECT_EQ(
      changed({"policy.tolerations.AcceleratedHardwareReady=0s", "policy.gate=off",
               "workloads[job].checkpoint.every=5m", "capacity.warm_spares=2"}),
      (Lines{"policy.tolerations.AcceleratedHardwareReady: 10m -> 0s", "policy.gate: 20% -> off",
             "capacity.warm_spares: 0 -> 2", "workloads[job].checkpoint.every: 10m -> 5m"}));
}

TEST(ScenarioChanges, AnotherKindIsOneChange) {
  const Lines lines = changed({"policy=policies/restart-in-place/default.yaml"});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.front().substr(0, 19), "policy: !karpenter ");
  EXPECT_NE(lines.front().find(" -> !restart-in-place {"), std::string::npos) << lines.front();
}

TEST(ScenarioChanges, ElementsThatOneOfThemHas) {
  Tree from = make_tree(Tree::Kind::kMap);
  Tree list = make_tree(Tree::Kind::kList);
  const auto element = [](const std::string& name) {
    Tree tree = make_tree(Tree::Kind::kMap);
    Tree text = make_tree(Tree::Kind::kScalar);
    text.text = name;
    tree.entries.push_back({"name", {}, text});
    return tree;
  };
  list.items = {element("a"), element("b")};
  from.entries.push_back({"list", {}, list});
  Tree to = from;
  to.entries[0].value.items = {element("b"), element("c")};
  const std::vector<FieldChange> found = changes(from, to);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].path, "list[a]");
  EXPECT_EQ(found[0].from, "{name: a}");
  EXPECT_EQ(found[0].to, std::nullopt);
  EXPECT_EQ(found[1].path, "list[c]");
  EXPECT_EQ(found[1].from, std::nullopt);
}

}  // namespace
}  // namespace faultline
