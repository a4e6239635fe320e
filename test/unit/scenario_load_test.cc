// What the loader accepts, and what it makes of it.
#include <gtest/gtest.h>

#include <variant>

#include "test/support/scenario_errors.h"

namespace faultline::demo {
namespace {

Demo loaded(const Files& files, const std::vector<std::string>& sets = {}) {
  auto demo = load_files(files, sets);
  if (!demo) {
    ADD_FAILURE() << demo.error().render();
    return {};
  }
  return *demo;
}
Demo loaded(const std::string& content) { return loaded(Files{{"a.yaml", content}}); }

TEST(ScenarioLoad, ValuesArriveInTheirFields) {
  const Demo demo = loaded(R"(name: demo
horizon: 54d
fleet: {pools: [{name: train, nodes: 16}, {name: spare, nodes: 2, gpu: A100}]}
policy: !repair
  tolerations: {Ready: 30m, nvidia.com/gpu: 0}
  gate: 3
  pause: 1m30s
parts:
  latching: false
  factor: 2.5e-1
  coverage: 99.5%
  memory: 64GiB
  link: 400Gbps
  spares: 12
  rate: 148 per 884736 gpu-days
  effect: slow
  xids: [79, 94]
  launch: !lognormal {median: 90s, p95: 4m}
workloads:
  - !training {name: llama3, nodes: 16, checkpoint: {every: 5m}}
  - !inference
    name: chat
)");
  EXPECT_EQ(demo.horizon, 54_d);
  ASSERT_EQ(demo.fleet.pools.size(), 2U);
  EXPECT_EQ(demo.fleet.pools[0].gpu, "H100-80GB");  // the default
  EXPECT_EQ(demo.fleet.pools[1].gpu, "A100");
  const auto& repair = std::get<Repair>(demo.policy);
  EXPECT_EQ(repair.tolerations.at("Ready"), 30_min);
  EXPECT_EQ(repair.tolerations.at("nvidia.com/gpu"), Duration::zero());
  EXPECT_EQ(repair.gate, (Gate{Gate::Kind::kCount, 3}));
  EXPECT_EQ(repair.pause, 90_s);
  EXPECT_FALSE(demo.parts.latching);
  EXPECT_EQ(demo.parts.factor, 0.25);
  EXPECT_EQ(demo.parts.coverage, 0.995);
  EXPECT_EQ(demo.parts.memory.value, 0x1p36);
  EXPECT_EQ(demo.parts.link.bytes_per_second, 5e10);
  EXPECT_EQ(demo.parts.spares.count, 12);
  EXPECT_EQ(demo.parts.rate.count, 148);
  EXPECT_EQ(demo.parts.effect, Effect::kSlow);
  EXPECT_EQ(demo.parts.xids, (std::vector<std::int64_t>{79, 94}));
  EXPECT_EQ(demo.parts.launch.text(), "!lognormal {median: 1m30s, p95: 4m}");
  ASSERT_EQ(demo.workloads.size(), 2U);
  EXPECT_EQ(std::get<Training>(demo.workloads[0]).checkpoint.every, 5_min);
  EXPECT_EQ(std::get<Training>(demo.workloads[0]).checkpoint.blocks, 5_s);
  EXPECT_EQ(std::get<Inference>(demo.workloads[1]).replicas, 2);
}

TEST(ScenarioLoad, QuotesAroundQuantitiesAndNames) {
  const Demo demo = loaded(R"(name: "yes"
horizon: '3d'
parts: {coverage: "20%", effect: "hang", launch: "10m"}
)");
  EXPECT_EQ(demo.name, "yes");
  EXPECT_EQ(demo.horizon, 3_d);
  EXPECT_EQ(demo.parts.effect, Effect::kHang);
  EXPECT_EQ(demo.parts.launch, Distribution::fixed(10_min));
}

TEST(ScenarioLoad, TextsStayAsTheyAreWritten) {
  EXPECT_EQ(loaded("name: 010\n").name, "010");
  EXPECT_EQ(loaded("name: no\n").name, "no");
  EXPECT_EQ(loaded("name: >\n  two\n  lines\n").name, "two lines\n");
}

TEST(ScenarioLoad, NullMeansAbsentForAnOptional) {
  EXPECT_EQ(std::get<Repair>(loaded("name: a\npolicy: !repair {pause: null}\n").policy).pause,
            std::nullopt);
  EXPECT_EQ(std::get<Repair>(loaded("name: a\npolicy: !repair {pause: 0}\n").policy).pause,
            Duration::zero());
}

TEST(ScenarioLoad, TagAloneTakesEveryDefault) {
  EXPECT_TRUE(std::holds_alternative<Nothing>(loaded("name: a\npolicy: !nothing\n").policy));
  EXPECT_TRUE(std::holds_alternative<Repair>(loaded("name: a\npolicy: !repair {}\n").policy));
}

TEST(ScenarioLoad, WindowsFileWithByteOrderMark) {
  const Demo demo = loaded("\xEF\xBB\xBFname: demo\r\nhorizon: 3d\r\n");
  EXPECT_EQ(demo.name, "demo");
  EXPECT_EQ(demo.horizon, 3_d);
}

TEST(ScenarioLoad, JsonIsYaml) {
  const Demo demo = loaded(R"({"name": "demo", "horizon": "3d", "parts": {"xids": [79, 94]}})");
  EXPECT_EQ(demo.horizon, 3_d);
  EXPECT_EQ(demo.parts.xids.size(), 2U);
}

TEST(ScenarioLoad, EveryNotationOfADistribution) {
  const auto text = [](const std::string& written) {
    return loaded(Files{{"a.yaml", "name: a\nparts:\n  launch: " + written + "\n"},
                        {"sample.csv", "# repair times\n5s\n\n1s\r\n2s\n"}})
        .parts.launch.text();
  };
  EXPECT_EQ(text("90s"), "1m30s");
  EXPECT_EQ(text("!uniform {lo: 0, hi: 10s}"), "!uniform {lo: 0s, hi: 10s}");
  EXPECT_EQ(text("!exponential {mean: 4m}"), "!exponential {mean: 4m}");
  EXPECT_EQ(text("!weibull {shape: 0.75, mean: 10h}"), "!weibull {shape: 0.75, mean: 10h}");
  EXPECT_EQ(text("!weibull {shape: 0.75, scale: 10h}"), "!weibull {shape: 0.75, scale: 10h}");
  EXPECT_EQ(text("!lognormal {mu: -1.5, sigma: 0.5}"), "!lognormal {mu: -1.5, sigma: 0.5}");
  EXPECT_EQ(text("!gamma {shape: 2, mean: 1h}"), "!gamma {shape: 2, mean: 1h}");
  EXPECT_EQ(text("!gamma {shape: 2, scale: 1h}"), "!gamma {shape: 2, scale: 1h}");
  EXPECT_EQ(text("!empirical {values: [5s, 1s]}"), "!empirical {values: [1s, 5s]}");
  EXPECT_EQ(text("!empirical {file: sample.csv}"), "!empirical {values: [1s, 2s, 5s]}");
  EXPECT_EQ(
      text("!mixture {parts: [{weight: 1, of: 1m}, {weight: 3, of: !exponential {mean: 1h}}]}"),
      "!mixture {parts: [{weight: 1, of: 1m}, {weight: 3, of: !exponential {mean: 1h}}]}");
}

TEST(ScenarioLoad, ManyErrorsAreCutOff) {
  std::string content = "name: demo\nparts:\n  xids:\n";
  for (int i = 0; i < 60; ++i) content += "    - x\n";
  const auto demo = load_files({{"a.yaml", content}});
  ASSERT_FALSE(demo);
  EXPECT_EQ(demo.error().size(), 60U);
  EXPECT_TRUE(demo.error().render().ends_with("\n... and 10 more errors\n"));
}

}  // namespace
}  // namespace faultline::demo
