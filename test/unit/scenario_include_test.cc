// Files inside files: paths, `extends`, merging.
#include <gtest/gtest.h>

#include <variant>

#include "test/support/scenario_errors.h"

namespace faultline::demo {
namespace {

const std::string kPolicy =
    "--- !repair\ntolerations: {Ready: 30m, Gpu: 10m}\ngate: 20%\npause: 1m\n";
const std::string kBase = R"(name: base
horizon: 54d
fleet: {pools: [{name: train, nodes: 16}, {name: spare, nodes: 2}]}
policy: p.yaml
parts: {xids: [79, 94], launch: !lognormal {median: 90s, p95: 4m}}
workloads: [!training {name: llama3, nodes: 16, checkpoint: {every: 10m, blocks: 7s}}]
)";

Demo loaded(const std::string& content, const std::vector<std::string>& sets = {},
            Files files = {}) {
  files.insert({{"a.yaml", content}, {"base.yaml", kBase}, {"p.yaml", kPolicy}});
  auto demo = load_files(files, sets);
  if (!demo) {
    ADD_FAILURE() << demo.error().render();
    return {};
  }
  return *demo;
}
Repair policy_of(const Demo& demo) { return std::get<Repair>(demo.policy); }

TEST(ScenarioInclude, PathStandsForTheFile) {
  const Repair policy = policy_of(loaded("name: a\npolicy: p.yaml\n"));
  EXPECT_EQ(policy.tolerations.size(), 2U);
  EXPECT_EQ(policy.pause, 1_min);
}

TEST(ScenarioInclude, PathStartsAtTheFolderOfItsFileThenAtTheProject) {
  const Files files{{"sub/b.yaml", "name: b\npolicy: q.yaml\n"},
                    {"sub/q.yaml", "--- !repair\ngate: 1\n"},
                    {"home/q.yaml", "--- !repair\ngate: 2\n"}};
  EXPECT_EQ(policy_of(loaded("extends: sub/b.yaml\n", {}, files)).gate.amount, 1);
  EXPECT_EQ(policy_of(loaded("name: a\npolicy: q.yaml\n", {}, files)).gate.amount, 2);
}

TEST(ScenarioInclude, ExtendsAScenarioByName) {
  EXPECT_EQ(loaded("extends: llama3\n", {}, {{"home/named/llama3.yaml", "name: big\n"}}).name,
            "big");
}

TEST(ScenarioInclude, MapsMergeKeyByKey) {
  const Repair policy =
      policy_of(loaded("name: a\npolicy: {extends: p.yaml, tolerations: {Gpu: 0}, pause: null}\n"));
  EXPECT_EQ(policy.tolerations.at("Ready"), 30_min);
  EXPECT_EQ(policy.tolerations.at("Gpu"), Duration::zero());
  EXPECT_EQ(policy.gate, (Gate{Gate::Kind::kShare, 200'000}));
  EXPECT_EQ(policy.pause, std::nullopt);
}

TEST(ScenarioInclude, ScalarsAndPlainListsReplace) {
  const Demo demo = loaded("extends: base.yaml\nname: mine\nparts: {xids: [13], launch: 5m}\n");
  EXPECT_EQ(demo.name, "mine");
  EXPECT_EQ(demo.horizon, 54_d);
  EXPECT_EQ(demo.parts.xids, std::vector<std::int64_t>{13});
  EXPECT_EQ(demo.parts.launch, Distribution::fixed(5_min));
}

TEST(ScenarioInclude, NamedListsMergeByName) {
  const Demo demo = loaded(R"(extends: base.yaml
fleet: {pools: [{name: extra, nodes: 1}, {name: spare, nodes: 4}]}
workloads: [{name: llama3, checkpoint: {every: 5m}}]
)");
  ASSERT_EQ(demo.fleet.pools.size(), 3U);
  EXPECT_EQ(demo.fleet.pools[0].nodes, 16);
  EXPECT_EQ(demo.fleet.pools[1].nodes, 4);
  EXPECT_EQ(demo.fleet.pools[2].name, "extra");
  const auto& job = std::get<Training>(demo.workloads.at(0));
  EXPECT_EQ(job.nodes, 16);
  EXPECT_EQ(job.checkpoint.every, 5_min);
  EXPECT_EQ(job.checkpoint.blocks, 7_s);
}

TEST(ScenarioInclude, ReplaceTagReplacesTheWholeValue) {
  const Demo demo = loaded(R"(extends: base.yaml
fleet: {pools: !replace [{name: only, nodes: 16}]}
policy: {tolerations: !replace {Ready: 1m}}
)");
  EXPECT_EQ(demo.fleet.pools.size(), 1U);
  EXPECT_EQ(policy_of(demo).tolerations.size(), 1U);
}

TEST(ScenarioInclude, AnotherFileReplacesTheWholeValue) {
  const Demo demo = loaded("extends: base.yaml\npolicy: q.yaml\n", {},
                           {{"q.yaml", "--- !repair\ntolerations: {Ready: 1m}\n"}});
  EXPECT_EQ(policy_of(demo).tolerations.size(), 1U);
  EXPECT_EQ(policy_of(demo).pause, std::nullopt);
}

TEST(ScenarioInclude, AnotherKindReplacesTheWholeValue) {
  EXPECT_TRUE(
      std::holds_alternative<Nothing>(loaded("extends: base.yaml\npolicy: !nothing\n").policy));
}

TEST(ScenarioInclude, ChainOfFiles) {
  const Demo demo = loaded("extends: b.yaml\nhorizon: 1d\n", {},
                           {{"b.yaml", "extends: base.yaml\nname: b\nhorizon: 2d\n"}});
  EXPECT_EQ(demo.name, "b");
  EXPECT_EQ(demo.horizon, 1_d);
  EXPECT_EQ(demo.fleet.pools.size(), 2U);
}

// 2^40 copies if every file were taken; the limits on the chain and on the number of files hold.
TEST(ScenarioInclude, FilesThatMultiplyAreStopped) {
  Files files;
  for (int i = 0; i < 40; ++i) {
    const std::string next = "f" + std::to_string(i + 1) + ".yaml";
    files["f" + std::to_string(i) + ".yaml"] =
        "extends: " + next + "\nfleet: {extends: " + next + "}\n";
  }
  files["a.yaml"] = "extends: f0.yaml\n";
  const auto demo = load_files(files);
  ASSERT_FALSE(demo);
  EXPECT_NE(demo.error().render().find("too many files that take other files"), std::string::npos);
}

TEST(ScenarioSet, ChangesBelowAnIncludedFile) {
  const Repair policy = policy_of(
      loaded("name: a\npolicy: p.yaml\n", {"policy.tolerations.Gpu=0s", "policy.gate=off"}));
  EXPECT_EQ(policy.tolerations.at("Ready"), 30_min);
  EXPECT_EQ(policy.tolerations.at("Gpu"), Duration::zero());
  EXPECT_EQ(policy.gate, Gate{});
}

TEST(ScenarioSet, ElementsByNameAndByNumber) {
  const Demo demo = loaded(
      kBase, {"workloads[llama3].checkpoint.every=5m", "fleet.pools[1].nodes=7", "horizon=1d"});
  EXPECT_EQ(std::get<Training>(demo.workloads.at(0)).checkpoint.every, 5_min);
  EXPECT_EQ(demo.fleet.pools.at(1).nodes, 7);
  EXPECT_EQ(demo.horizon, 1_d);
}

TEST(ScenarioSet, AnyYamlAsValue) {
  const Demo demo = loaded(
      kBase, {"parts.xids=[13, 31]", "policy=!nothing", "parts.launch=!exponential {mean: 4m}",
              "workloads=[!inference {name: chat, replicas: 3}]"});
  EXPECT_EQ(demo.parts.xids, (std::vector<std::int64_t>{13, 31}));
  EXPECT_TRUE(std::holds_alternative<Nothing>(demo.policy));
  EXPECT_EQ(demo.parts.launch.text(), "!exponential {mean: 4m}");
  EXPECT_EQ(std::get<Inference>(demo.workloads.at(0)).replicas, 3);
}

TEST(ScenarioSet, FileAsValueThenAChangeInIt) {
  const Demo demo =
      loaded("name: a\npolicy: !nothing\n", {"policy=p.yaml", "policy.tolerations.Ready=1m"});
  EXPECT_EQ(policy_of(demo).tolerations.at("Ready"), 1_min);
  EXPECT_EQ(policy_of(demo).tolerations.at("Gpu"), 10_min);
}

TEST(ScenarioSet, ParameterOfADistribution) {
  EXPECT_EQ(loaded(kBase, {"parts.launch.p95=6m"}).parts.launch.text(),
            "!lognormal {median: 1m30s, p95: 6m}");
}

TEST(ScenarioSet, MakesTheMapsOnTheWay) {
  EXPECT_TRUE(loaded("name: a\n", {"parts.effect=hang"}).parts.effect == Effect::kHang);
}

TEST(ScenarioSet, KeysWithDotsStandInQuotes) {
  const Demo demo = loaded(kBase, {R"(policy.tolerations["nvidia.com/gpu"]=3m)"});
  EXPECT_EQ(policy_of(demo).tolerations.at("nvidia.com/gpu"), 3_min);
}

TEST(ScenarioSet, OneBadOverrideDoesNotHideTheOthers) {
  const std::string errors = errors_of(kBase, {"horizn=1d", "parts.factor=99"});
  EXPECT_NE(errors.find("did you mean horizon?"), std::string::npos);
  EXPECT_NE(errors.find("at most 10"), std::string::npos);
}

}  // namespace
}  // namespace faultline::demo
