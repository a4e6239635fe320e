// Objects to YAML and back.
#include <gtest/gtest.h>

#include "sim/scenario/write.h"
#include "test/support/scenario_errors.h"

namespace faultline::demo {
namespace {

const std::string kFull = R"(name: "a: tricky, \"name\" # 1"
horizon: 54d
fleet: {pools: [{name: train, nodes: 16}, {name: spare, nodes: 2, gpu: A100}]}
policy: !repair {tolerations: {Ready: 30m, "odd key: x": 0}, gate: off, pause: 1m30.5s}
parts:
  latching: false
  factor: 0.30000000000000004
  coverage: 33.3%
  memory: 1.5GiB
  link: 370GB/s
  spares: 12
  rate: 148 per 884736 gpu-days
  effect: slow
  xids: [79, 94]
  launch: !mixture {parts: [{weight: 1, of: 1m}, {weight: 3, of: !exponential {mean: 1h}}]}
workloads:
  - !training {name: llama3, nodes: 16, checkpoint: {every: 5m}}
  - !inference {name: chat}
)";

Demo demo_of(const std::string& content) {
  auto demo = load_files({{"a.yaml", content}});
  if (!demo) {
    ADD_FAILURE() << demo.error().render() << content;
    return {};
  }
  return *demo;
}
std::string written(const Demo& demo, WriteStyle style) {
  return write_yaml(*describe<Demo>(), &demo, style);
}

TEST(ScenarioWrite, ChangedFieldsOnly) {
  EXPECT_EQ(written(demo_of(kFull), WriteStyle::kChangedFields),
            R"(name: "a: tricky, \"name\" # 1"
horizon: 54d
fleet:
  pools:
    - name: train
      nodes: 16
    - name: spare
      nodes: 2
      gpu: A100
policy: !repair
  tolerations:
    Ready: 30m
    "odd key: x": 0s
  gate: off
  pause: 1m30.5s
parts:
  latching: false
  factor: 0.30000000000000004
  coverage: 33.3%
  memory: 1.5GiB
  link: 370GB/s
  spares: 12
  rate: 148 per 884736 gpu-days
  effect: slow
  xids: [79, 94]
  launch: !mixture {parts: [{weight: 1, of: 1m}, {weight: 3, of: !exponential {mean: 1h}}]}
workloads:
  - !training
    name: llama3
    nodes: 16
    checkpoint:
      every: 5m
  - !inference
    name: chat
)");
}

TEST(ScenarioWrite, DefaultsAreLeftOut) {
  EXPECT_EQ(
      written(demo_of("name: a\nhorizon: 24h\nparts: {factor: 0.5}\n"), WriteStyle::kChangedFields),
      "name: a\n");
}

TEST(ScenarioWrite, EveryField) {
  EXPECT_EQ(written(demo_of("name: a\n"), WriteStyle::kEveryField), R"(name: a
horizon: 1d
fleet:
  pools: []
policy: !repair
  tolerations: {}
  gate: 20%
  pause: null
parts:
  latching: true
  factor: 0.5
  coverage: 100%
  memory: 0
  link: 0
  spares: unlimited
  rate: 0 per node-day
  effect: crash
  xids: []
  launch: 0s
workloads: []
)");
}

TEST(ScenarioWrite, BothStylesLoadBackToAnEqualObject) {
  for (const std::string& content : {kFull, std::string("name: a\npolicy: !nothing\n")}) {
    const Demo demo = demo_of(content);
    const std::string all = written(demo, WriteStyle::kEveryField);
    const std::string changed = written(demo, WriteStyle::kChangedFields);
    EXPECT_EQ(written(demo_of(all), WriteStyle::kEveryField), all);
    EXPECT_EQ(written(demo_of(changed), WriteStyle::kEveryField), all);
  }
}

TEST(ScenarioWrite, TextsThatYamlWouldMisread) {
  for (const std::string text :
       {"",   " ",           "null", "~",   "true",      "- a",         "a: b", "a #b", "#",
        "[x", "{x",          "*x",   "&x",  "!x",        "|",           ">",    "'",    "\"",
        "\\", "%x",          "@x",   "`x`", "tab\there", "line\nbreak", "...",  "---",  "x ",
        "10", "caf\xC3\xA9", "=",    "?",   "a,b",       "x]"}) {
    Demo demo;
    demo.name = text;
    EXPECT_EQ(demo_of(written(demo, WriteStyle::kChangedFields)).name, text);
  }
}

TEST(ScenarioWrite, TaggedRootIsADocumentOfItsOwn) {
  const std::variant<Repair, Nothing> policy =
      Repair{.tolerations = {}, .gate = Gate{}, .pause = {}};
  const std::string text =
      write_yaml(*describe<std::variant<Repair, Nothing>>(), &policy, WriteStyle::kChangedFields);
  EXPECT_EQ(text, "--- !repair\ngate: off\n");
  const auto loaded =
      load<std::variant<Repair, Nothing>>({"a.yaml", {}, ""}, MemoryFiles({{"a.yaml", text}}));
  ASSERT_TRUE(loaded) << loaded.error().render();
  EXPECT_EQ(std::get<Repair>(*loaded).gate, Gate{});
}

}  // namespace
}  // namespace faultline::demo
