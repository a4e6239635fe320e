// The scenarios that the project ships, and scenarios by name.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "policies/registry.h"
#include "sim/scenario/load_scenario.h"
#include "sim/scenario/memory_files.h"

namespace faultline {
namespace {

DiskFiles project_files() {
  const char* const home = std::getenv("FAULTLINE_HOME");
  return DiskFiles(home == nullptr ? "." : home);
}

TEST(ScenarioProjectFiles, EveryScenarioLoadsAndLoadsBackTheSame) {
  const DiskFiles files = project_files();
  const std::vector<std::string> names = scenario_names(files);
  EXPECT_GE(names.size(), 4U);
  for (const std::string& name : names) {
    const auto scenario = load_scenario(name, {}, files);
    ASSERT_TRUE(scenario) << scenario.error().render();
    const std::string all = show_scenario(*scenario, true);
    for (const std::string& text : {all, show_scenario(*scenario, false)}) {
      const auto again = load_scenario("a.yaml", {}, MemoryFiles({{"a.yaml", text}}));
      ASSERT_TRUE(again) << name << "\n" << again.error().render();
      EXPECT_EQ(show_scenario(*again, true), all);
    }
  }
}

TEST(ScenarioProjectFiles, PathsOfTheCommandLine) {
  const DiskFiles files = project_files();
  const auto scenario = load_scenario("llama3",
                                      {{"policy.tolerations.AcceleratedHardwareReady=0s"},
                                       {"workloads[llama3].checkpoint.every=5m"},
                                       {"policy.gate=off"},
                                       {"capacity.spares=12"}},
                                      files);
  ASSERT_TRUE(scenario) << scenario.error().render();
  const auto& policy = std::get<KarpenterConfig>(scenario->policy);
  EXPECT_EQ(policy.tolerations.at("AcceleratedHardwareReady"), Duration::zero());
  EXPECT_EQ(policy.gate, Gate{});
  EXPECT_EQ(std::get<TrainingConfig>(scenario->workloads.at(0)).checkpoint.every, 5_min);
  EXPECT_EQ(scenario->capacity.spares.count, 12);
}

TEST(ScenarioProjectFiles, AnotherPolicyByItsFile) {
  const auto scenario = load_scenario(
      "llama3", {{"policy=policies/restart-in-place/default.yaml", "--with"}}, project_files());
  ASSERT_TRUE(scenario) << scenario.error().render();
  EXPECT_TRUE(std::holds_alternative<RestartInPlaceConfig>(scenario->policy));
}

// A list in place of a policy, from its file; single controllers are addressed and merged by their tag.
TEST(ScenarioProjectFiles, AListOfControllersByItsFile) {
  const auto scenario =
      load_scenario("llama3",
                    {{"controllers=policies/control-planes/aws-2026-08.yaml"},
                     {"controllers[node-repair].tolerations.AcceleratedHardwareReady=0s"}},
                    project_files());
  ASSERT_TRUE(scenario) << scenario.error().render();
  ASSERT_EQ(scenario->controllers.size(), 8U);
  const auto& repair = std::get<NodeRepairConfig>(scenario->controllers.at(3));
  EXPECT_EQ(repair.tolerations.at("AcceleratedHardwareReady"), Duration::zero());
  EXPECT_EQ(repair.tolerations.at("Ready"), 30_min);
}

// The file says, controller by controller, what the short form stands for.
TEST(ScenarioProjectFiles, TheListOfAwsIsItsShortForm) {
  const auto by_policy = load_scenario("llama3", {}, project_files());
  const auto by_list = load_scenario(
      "llama3", {{"controllers=policies/control-planes/aws-2026-08.yaml"}}, project_files());
  ASSERT_TRUE(by_policy && by_list);
  const std::vector<ControllerConfig> short_form = controllers_of(by_policy->policy);
  ASSERT_EQ(by_list->controllers.size(), short_form.size());
  for (std::size_t c = 0; c < short_form.size(); ++c) {
    EXPECT_EQ(by_list->controllers[c].index(), short_form[c].index()) << c;
  }
  const auto& a = std::get<NodeRepairConfig>(by_list->controllers[3]);
  const auto& b = std::get<NodeRepairConfig>(short_form[3]);
  EXPECT_EQ(a.tolerations, b.tolerations);
  EXPECT_EQ(a.unknown_counts, b.unknown_counts);
  EXPECT_EQ(a.gate, b.gate);
  EXPECT_EQ(a.blocked_requeue, b.blocked_requeue);
}

TEST(ScenarioProjectFiles, EveryFieldHasAnExplanationAndAPlaceInTheReference) {
  const auto text = explain_scenario("", true);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("nccl_timeout"), std::string::npos);
  EXPECT_NE(scenario_reference().find("nccl_timeout"), std::string::npos);
  EXPECT_NE(scenario_json_schema().find("nccl_timeout"), std::string::npos);
}

TEST(ScenarioByName, UnknownNames) {
  const std::map<std::string, std::string> content{{"traces/scenarios/llama3.yaml", ""},
                                                   {"traces/scenarios/rsc1.yaml", ""}};
  const MemoryFiles files(content);
  const auto error = [&](const std::string& name) {
    return load_scenario(name, {}, files).error().render();
  };
  EXPECT_EQ(error("lama3"),
            "lama3: there is no scenario of this name (expected llama3 or rsc1, or the path of a "
            "file); did you mean llama3?\n");
  EXPECT_EQ(error("my/own.yaml"), "my/own.yaml: does not exist\n");
  EXPECT_EQ(error("llama3"), "traces/scenarios/llama3.yaml: is empty (expected a map of fields)\n");
}

}  // namespace
}  // namespace faultline
