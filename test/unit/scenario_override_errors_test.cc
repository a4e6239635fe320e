// What a user reads when `--set` is wrong.
// Whole texts: they are part of the product.
#include <gtest/gtest.h>

#include "test/support/scenario_errors.h"

namespace faultline::demo {
namespace {

const Files kFiles{{"a.yaml", R"(name: demo
fleet:
  pools:
    - {name: train, nodes: 16}
policy: p.yaml
workloads:
  - !training {name: llama3, nodes: 16}
)"},
                   {"p.yaml", R"(--- !repair
tolerations: {Ready: 30m}
gate: 20%
)"}};

TEST(ScenarioOverrideErrors, UnknownField) {
  EXPECT_EQ(
      errors_of(kFiles, {"policy.tolerationz.Ready=5m"}),
      R"(--set policy.tolerationz.Ready=5m: policy.tolerationz: unknown key; did you mean tolerations?
    policy.tolerationz.Ready=5m
           ^~~~~~~~~~~
)");
}

TEST(ScenarioOverrideErrors, UnknownTopField) {
  EXPECT_EQ(errors_of(kFiles, {"polcy.gate=off"}),
            R"(--set polcy.gate=off: polcy: unknown key; did you mean policy?
    polcy.gate=off
    ^~~~~
)");
}

TEST(ScenarioOverrideErrors, BadValue) {
  EXPECT_EQ(errors_of(kFiles, {"policy.gate=120%"}),
            R"(--set policy.gate=120%: policy.gate: a ratio cannot be more than 100% (got 120%)
    policy.gate=120%
                ^~~~
)");
}

TEST(ScenarioOverrideErrors, ValueWithoutUnit) {
  EXPECT_EQ(
      errors_of(kFiles, {"workloads[llama3].checkpoint.every=10"}),
      R"(--set workloads[llama3].checkpoint.every=10: workloads[llama3].checkpoint.every: a duration needs a unit: write 10s, 10m or 10h
    workloads[llama3].checkpoint.every=10
                                       ^~
)");
}

TEST(ScenarioOverrideErrors, UnknownElement) {
  EXPECT_EQ(
      errors_of(kFiles, {"workloads[lama3].checkpoint.every=5m"}),
      R"(--set workloads[lama3].checkpoint.every=5m: workloads: has no such element (got lama3); did you mean llama3?
    workloads[lama3].checkpoint.every=5m
              ^~~~~
)");
}

TEST(ScenarioOverrideErrors, UnknownElementWithoutSuggestion) {
  EXPECT_EQ(
      errors_of(kFiles, {"fleet.pools[gpu].nodes=5"}),
      R"(--set fleet.pools[gpu].nodes=5: fleet.pools: has no such element (got gpu, expected train)
    fleet.pools[gpu].nodes=5
                ^~~
)");
}

TEST(ScenarioOverrideErrors, ListWithoutBrackets) {
  EXPECT_EQ(
      errors_of(kFiles, {"workloads.checkpoint.every=5m"}),
      R"(--set workloads.checkpoint.every=5m: workloads: is a list: its elements stand in brackets (got checkpoint); did you mean workloads[llama3]?
    workloads.checkpoint.every=5m
              ^~~~~~~~~~
)");
}

TEST(ScenarioOverrideErrors, BelowAValue) {
  EXPECT_EQ(errors_of(kFiles, {"horizon.days=3"}),
            R"(--set horizon.days=3: horizon: is one value (duration), so nothing is below it
    horizon.days=3
            ^~~~
)");
}

TEST(ScenarioOverrideErrors, NoEqualsSign) {
  EXPECT_EQ(errors_of(kFiles, {"policy.gate"}), "--set policy.gate: needs the form PATH=VALUE\n");
}

TEST(ScenarioOverrideErrors, NoPath) {
  EXPECT_EQ(errors_of(kFiles, {"=5m"}),
            R"(--set =5m: the path is empty
    =5m
    ^
)");
}

TEST(ScenarioOverrideErrors, OpenBracketInPath) {
  EXPECT_EQ(errors_of(kFiles, {"fleet.pools[train.nodes=5"}),
            R"(--set fleet.pools[train.nodes=5: the `[` in the path is not closed
    fleet.pools[train.nodes=5
               ^
)");
}

TEST(ScenarioOverrideErrors, NoValue) {
  EXPECT_EQ(errors_of(kFiles, {"horizon="}),
            R"(--set horizon=: horizon: has no value (expected a duration such as 10m)
    horizon=
            ^
)");
}

TEST(ScenarioOverrideErrors, BadYaml) {
  EXPECT_EQ(errors_of(kFiles, {"parts.xids=[79, 94"}),
            R"(--set parts.xids=[79, 94: the `[` before it is not closed: `,` or `]` is missing
    parts.xids=[79, 94
               ^
)");
}

TEST(ScenarioOverrideErrors, BadParameter) {
  EXPECT_EQ(
      errors_of(kFiles, {"parts.launch=!lognormal {median: 4m, p95: 90s}"}),
      R"(--set parts.launch=!lognormal {median: 4m, p95: 90s}: parts.launch: p95 must be more than the median (got median 4m and p95 1m30s)
    parts.launch=!lognormal {median: 4m, p95: 90s}
                                              ^~~
)");
}

TEST(ScenarioOverrideErrors, BelowADistributionWithoutKind) {
  EXPECT_EQ(
      errors_of(kFiles, {"parts.launch.p95=6m"}),
      R"(--set parts.launch.p95=6m: parts.launch: has no kind yet, so nothing is below it (expected a value with a tag first: !uniform, !exponential, !weibull, !lognormal, !gamma, !empirical or !mixture)
    parts.launch.p95=6m
                 ^~~
)");
}

TEST(ScenarioOverrideErrors, MissingFile) {
  EXPECT_EQ(
      errors_of(kFiles, {"policy=policies/none.yaml"}),
      R"(--set policy=policies/none.yaml: policy: there is no such file (got policies/none.yaml, expected a path from this folder or from the project's)
    policy=policies/none.yaml
           ^~~~~~~~~~~~~~~~~~
)");
}

TEST(ScenarioOverrideErrors, CheckAfterChange) {
  EXPECT_EQ(
      errors_of(kFiles, {"fleet.pools[train].nodes=8"}),
      R"(a.yaml:7:37: workloads[llama3].nodes: is more than the fleet has (8) (with --set fleet.pools[train].nodes=8)
      - !training {name: llama3, nodes: 16}
                                        ^~
)");
}

TEST(ScenarioOverrideErrors, Alias) {
  EXPECT_EQ(
      errors_of(kFiles, {"parts.xids=[*a]"}),
      R"(--set parts.xids=[*a]: aliases (`*name`) are not supported: write the values, or share them with `extends: FILE`
    parts.xids=[*a]
                ^
)");
}

}  // namespace
}  // namespace faultline::demo
