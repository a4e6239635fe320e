// Defaults that follow from `kubernetes`: in the loader, the writer, explain, the reference and the schema.
#include "sim/scenario/kubernetes_defaults.h"

#include <gtest/gtest.h>

#include "sim/scenario/load.h"
#include "sim/scenario/memory_files.h"
#include "sim/scenario/write.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

const std::string kGrace = "detectors.channels[kubelet].by.grace";

Duration grace_of(const Scenario& scenario) {
  for (const ChannelConfig& channel : scenario.detectors.channels) {
    if (const auto* lease = std::get_if<LeaseChannel>(&channel.by)) return lease->grace;
  }
  ADD_FAILURE() << "no lease";
  return {};
}

TEST(ScenarioKubernetes, AnAbsentGraceFollowsTheRelease) {
  EXPECT_EQ(grace_of(project_scenario("small")), 50_s);
  EXPECT_EQ(grace_of(project_scenario("small", {"kubernetes=1.30"})), 40_s);
  EXPECT_EQ(grace_of(project_scenario("small", {"kubernetes=1.31"})), 40_s);
  EXPECT_EQ(grace_of(project_scenario("small", {"kubernetes=1.32"})), 50_s);
  EXPECT_EQ(grace_of(project_scenario("failslow-512", {"kubernetes=1.31"})), 40_s);
}

TEST(ScenarioKubernetes, AGraceThatIsGivenHolds) {
  EXPECT_EQ(grace_of(project_scenario("small", {"kubernetes=1.30", kGrace + "=50s"})), 50_s);
  EXPECT_EQ(grace_of(project_scenario("small", {kGrace + "=40s"})), 40_s);
}

// The map of a variant that is written without any field, read before the release is.
TEST(ScenarioKubernetes, TheReleaseMayStandAnywhere) {
  std::string text = show_scenario(project_scenario("small"), false);
  const std::string lease = "!lease {}";
  ASSERT_NE(text.find(lease), std::string::npos) << text;
  text += "kubernetes: 1.31\n";
  const auto scenario = load_scenario("a.yaml", {}, MemoryFiles({{"a.yaml", text}}));
  ASSERT_TRUE(scenario) << scenario.error().render();
  EXPECT_EQ(grace_of(*scenario), 40_s);
}

struct Shown {
  std::vector<std::string> settings;
  std::string sparse;  // what `show` says of the grace; empty: nothing
  std::string full;
};

TEST(ScenarioKubernetes, ShowLeavesOutWhatTheReleaseSays) {
  for (const Shown& each : {Shown{{}, "", "grace: 50s"},
                            {{"kubernetes=1.31"}, "", "grace: 40s"},
                            {{"kubernetes=1.31", kGrace + "=50s"}, "grace: 50s", "grace: 50s"},
                            {{"kubernetes=1.31", kGrace + "=40s"}, "", "grace: 40s"},
                            {{kGrace + "=40s"}, "grace: 40s", "grace: 40s"}}) {
    const Scenario scenario = project_scenario("small", each.settings);
    const std::string full = show_scenario(scenario, true);
    const std::string sparse = show_scenario(scenario, false);
    EXPECT_NE(full.find(each.full), std::string::npos) << full;
    EXPECT_NE(full.find("kubernetes: 1."), std::string::npos);
    EXPECT_EQ(sparse.find("grace") != std::string::npos, !each.sparse.empty()) << sparse;
    EXPECT_NE(sparse.find(each.sparse), std::string::npos) << sparse;
    EXPECT_EQ(sparse.find("kubernetes: 1.31") != std::string::npos,
              scenario.kubernetes.minor == 31);
    for (const std::string& text : {full, sparse}) {
      const auto again = load_scenario("a.yaml", {}, MemoryFiles({{"a.yaml", text}}));
      ASSERT_TRUE(again) << again.error().render();
      EXPECT_EQ(show_scenario(*again, true), full);
    }
  }
}

TEST(ScenarioKubernetes, CompareNamesWhatFollows) {
  const std::vector<FieldChange> changed =
      scenario_changes(project_scenario("small"), project_scenario("small", {"kubernetes=1.31"}));
  ASSERT_EQ(changed.size(), 2U);
  EXPECT_EQ(changed[0].path, "kubernetes");
  EXPECT_EQ(changed[0].from, "1.34");
  EXPECT_EQ(changed[0].to, "1.31");
  EXPECT_EQ(changed[1].path, kGrace);
  EXPECT_EQ(changed[1].from, "50s");
  EXPECT_EQ(changed[1].to, "40s");
}

std::string problem(const std::string& setting) {
  try {
    project_scenario("small", {setting});
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  }
  return "fine";
}

TEST(ScenarioKubernetes, AReleaseThatIsNotKnown) {
  const std::string range = "expected a Kubernetes version from 1.30 to 1.37)";
  EXPECT_EQ(problem("kubernetes=1.29"),
            "--set kubernetes=1.29: kubernetes: is out of range (got 1.29, " + range);
  EXPECT_EQ(problem("kubernetes=1.38"),
            "--set kubernetes=1.38: kubernetes: is out of range (got 1.38, " + range);
  EXPECT_EQ(problem("kubernetes=1.3"),
            "--set kubernetes=1.3: kubernetes: is out of range (got 1.3, " + range +
                "; did you mean 1.30?");
  EXPECT_EQ(problem("kubernetes=v1.34.2"),
            "--set kubernetes=v1.34.2: kubernetes: is no Kubernetes version (got v1.34.2, " +
                range + "; did you mean 1.34?");
  EXPECT_EQ(problem("kubernetes=\"1.34\""), "fine");
}

TEST(ScenarioKubernetes, ErrorsHaveTheirPlaceInAFile) {
  std::string text = show_scenario(project_scenario("small"), false);
  const auto scenario =
      load_scenario("a.yaml", {}, MemoryFiles({{"a.yaml", "kubernetes:   1.29\n" + text}}));
  ASSERT_FALSE(scenario);
  EXPECT_EQ(scenario.error().render(),
            "a.yaml:1:15: kubernetes: is out of range (got 1.29, expected a Kubernetes version "
            "from 1.30 to 1.37)\n"
            "    kubernetes:   1.29\n"
            "                  ^~~~\n");
}

TEST(ScenarioKubernetes, ExplainReferenceAndSchemaTellIt) {
  EXPECT_EQ(*explain_scenario("detectors.channels.by.grace", false),
            "FIELD     detectors.channels.by.grace  (of !lease)\n"
            "TYPE      duration\n"
            "RANGE     0 or more\n"
            "DEFAULT   50s from Kubernetes 1.32 on, 40s before (kubernetes/kubernetes PR 126287, "
            "CHANGELOG-1.32)\n"
            "MEANING   Age of the last renewal at which the node is not healthy any more:\n"
            "          --node-monitor-grace-period of the kube-controller-manager.\n");
  EXPECT_EQ(
      *explain_scenario("kubernetes", false),
      "FIELD     kubernetes\n"
      "TYPE      Kubernetes version\n"
      "DEFAULT   1.34\n"
      "MEANING   Kubernetes release of the cluster, from 1.30 to 1.37. Defaults that are not\n"
      "          the same in all of them follow it: `grace` of a `!lease` channel.\n");
  EXPECT_NE(scenario_reference().find(
                "| `grace` | duration | 0 or more | `50s from Kubernetes 1.32 on, 40s before"),
            std::string::npos);
  const std::string schema = scenario_json_schema();
  EXPECT_NE(schema.find("Default: 50s from Kubernetes 1.32 on, 40s before"), std::string::npos);
  // (an editor's YAML makes the number 1.3 of 1.30)
  const std::size_t at = schema.find("\"kubernetes\": {");
  ASSERT_NE(at, std::string::npos);
  std::string values = schema.substr(at, schema.find(']', at) - at);
  std::erase_if(values, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_NE(values.find("\"enum\":[\"1.30\",1.3,\"1.31\",1.31,\"1.32\",1.32"), std::string::npos)
      << values;
}

// Every default that follows: the struct's own is that of the default release.
void expect_own_default_is_of_the_default_release(const Shape& shape, int& fields) {
  if (shape.element != nullptr)
    expect_own_default_is_of_the_default_release(*shape.element, fields);
  for (const Alternative& each : shape.alternatives) {
    expect_own_default_is_of_the_default_release(*each.shape, fields);
  }
  if (shape.kind != Shape::Kind::kStruct) return;
  const std::shared_ptr<void> own = shape.make();
  const std::shared_ptr<void> of_release = shape.make();
  take_kubernetes_defaults(shape, of_release.get(), KubernetesVersion{});
  EXPECT_EQ(to_yaml(tree_of(shape, of_release.get())), to_yaml(tree_of(shape, own.get())));
  for (const Field& field : shape.fields) {
    fields += field.info.by_kubernetes != nullptr ? 1 : 0;
    expect_own_default_is_of_the_default_release(*field.shape, fields);
  }
}

TEST(ScenarioKubernetes, StructsHoldTheDefaultsOfTheDefaultRelease) {
  int fields = 0;
  expect_own_default_is_of_the_default_release(*describe<Scenario>(), fields);
  EXPECT_GE(fields, 1);
}

// --- Where such a field may stand: in a map that is not written at all, too.

struct Inner {
  Duration grace = 50_s;
  bool other = false;
  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("grace", &Inner::grace, {.help = "Grace.", .by_kubernetes = &kNodeMonitorGracePeriod});
    visit("other", &Inner::other, {.help = "Something else."});
  }
};

struct Outer {
  Inner inner;
  std::optional<Inner> maybe;
  std::vector<Inner> list;
  KubernetesVersion kubernetes;
  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("inner", &Outer::inner, {.help = "A map."});
    visit("maybe", &Outer::maybe, {.help = "A map that may be absent."});
    visit("list", &Outer::list, {.help = "Maps."});
    visit("kubernetes", &Outer::kubernetes, {.help = "The release."});
  }
};

Outer outer_of(const std::string& text) {
  auto outer = load<Outer>({"a.yaml", {}, ""}, MemoryFiles({{"a.yaml", text}}));
  if (outer) return *outer;
  ADD_FAILURE() << outer.error().render();
  return {};
}

TEST(ScenarioKubernetes, MapsThatAreNotWritten) {
  const std::string text = "maybe: {other: true}\nlist: [{other: true}, {grace: 7s}]\n";
  for (const auto& [release, grace] : {std::pair{"1.31", 40_s}, {"1.36", 50_s}}) {
    const Outer outer = outer_of(text + "kubernetes: " + release + "\n");
    EXPECT_EQ(outer.inner.grace, grace);
    EXPECT_EQ(outer.maybe->grace, grace);
    EXPECT_EQ(outer.list[0].grace, grace);
    EXPECT_EQ(outer.list[1].grace, 7_s);
    const std::string written = write_yaml(*describe<Outer>(), &outer, WriteStyle::kChangedFields);
    EXPECT_EQ(written.find("inner"), std::string::npos) << written;
    EXPECT_EQ(to_yaml(tree_of(*describe<Outer>(), &outer)), [&] {
      const Outer again = outer_of(written);
      return to_yaml(tree_of(*describe<Outer>(), &again));
    }()) << written;
  }
}

TEST(ScenarioKubernetes, WhetherAnythingFollows) {
  const auto follows = [](const std::string& text) {
    Diagnostics diagnostics;
    const auto tree = load_tree({"a.yaml", {}, ""}, *describe<Outer>(),
                                MemoryFiles({{"a.yaml", text}}), diagnostics);
    return follows_kubernetes(*tree, *describe<Outer>());
  };
  EXPECT_TRUE(follows("kubernetes: 1.31\n"));
  EXPECT_FALSE(follows("inner: {grace: 5s}\n"));
  EXPECT_TRUE(follows("inner: {grace: 5s}\nmaybe: {other: true}\n"));
  EXPECT_TRUE(follows("inner: {grace: 5s}\nlist: [{grace: 5s}, {}]\n"));
  EXPECT_FALSE(follows("inner: {grace: 5s}\nlist: [{grace: 5s}]\n"));
}

}  // namespace
}  // namespace faultline
