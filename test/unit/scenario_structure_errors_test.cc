// What a user reads when the shape of the file is wrong: keys, types, tags, cross-checks.
// Whole texts: they are part of the product.
#include <gtest/gtest.h>

#include "test/support/scenario_errors.h"

namespace faultline::demo {
namespace {

TEST(ScenarioStructureErrors, UnknownKeyWithSuggestion) {
  EXPECT_EQ(errors_of(R"(name: demo
horizn: 3d
)"),
            R"(a.yaml:2:1: horizn: unknown key; did you mean horizon?
    horizn: 3d
    ^~~~~~
)");
}

TEST(ScenarioStructureErrors, UnknownKeyWithoutSuggestion) {
  EXPECT_EQ(errors_of(R"(name: demo
fleet:
  pools: []
  colour: red
)"),
            R"(a.yaml:4:3: fleet.colour: unknown key (expected pools)
      colour: red
      ^~~~~~
)");
}

TEST(ScenarioStructureErrors, ManyMissingAtOnePlace) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {launch: !uniform {}}
)"),
      R"(a.yaml:2:17: parts.launch.lo: is required, but missing (expected a duration such as 10m)
a.yaml:2:17: parts.launch.hi: is required, but missing (expected a duration such as 10m)
    parts: {launch: !uniform {}}
                    ^~~~~~~~
)");
}

TEST(ScenarioStructureErrors, PolicyAsABareWord) {
  EXPECT_EQ(
      errors_of(R"(name: demo
policy: repair
)"),
      R"(a.yaml:2:9: policy: needs a tag that says which kind it is (got repair, expected !repair or !nothing); did you mean !repair?
    policy: repair
            ^~~~~~
)");
}

TEST(ScenarioStructureErrors, MissingRequiredInList) {
  EXPECT_EQ(
      errors_of(R"(name: demo
fleet:
  pools:
    - name: train
      gpu: A100
)"),
      R"(a.yaml:4:7: fleet.pools[train].nodes: is required, but missing (expected a count such as 12)
        - name: train
          ^
)");
}

TEST(ScenarioStructureErrors, MissingRequiredAtTop) {
  EXPECT_EQ(errors_of("horizon: 3d\n"),
            R"(a.yaml:1:1: name: is required, but missing (expected a text)
    horizon: 3d
    ^
)");
}

TEST(ScenarioStructureErrors, ListWhereScalarIsExpected) {
  EXPECT_EQ(
      errors_of(R"(name: demo
horizon: [3d]
)"),
      R"(a.yaml:2:10: horizon: has the wrong type (got a list, expected a duration such as 10m)
    horizon: [3d]
             ^
)");
}

TEST(ScenarioStructureErrors, MapWhereScalarIsExpected) {
  EXPECT_EQ(errors_of(R"(name: demo
horizon: {days: 3}
)"),
            R"(a.yaml:2:10: horizon: has the wrong type (got a map, expected a duration such as 10m)
    horizon: {days: 3}
             ^
)");
}

TEST(ScenarioStructureErrors, MapWhereListIsExpected) {
  EXPECT_EQ(
      errors_of(R"(name: demo
fleet:
  pools: {name: train}
)"),
      R"(a.yaml:3:10: fleet.pools: has the wrong type (got a map, expected a list such as [a, b])
      pools: {name: train}
             ^
)");
}

TEST(ScenarioStructureErrors, ScalarWhereListIsExpected) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {xids: 79}
)"),
            R"(a.yaml:2:15: parts.xids: has the wrong type (got 79, expected a list such as [a, b])
    parts: {xids: 79}
                  ^~
)");
}

TEST(ScenarioStructureErrors, ScalarWhereStructIsExpected) {
  EXPECT_EQ(
      errors_of(R"(name: demo
fleet: 16
)"),
      R"(a.yaml:2:8: fleet: has the wrong type (got 16, expected a map, or the path of a YAML file)
    fleet: 16
           ^~
)");
}

TEST(ScenarioStructureErrors, ListWhereMapIsExpected) {
  EXPECT_EQ(
      errors_of(R"(name: demo
policy: !repair {tolerations: [Ready]}
)"),
      R"(a.yaml:2:31: policy.tolerations: has the wrong type (got a list, expected a map such as {name: value})
    policy: !repair {tolerations: [Ready]}
                                  ^
)");
}

TEST(ScenarioStructureErrors, BadElementOfList) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {xids: [79, seven, 94]}
)"),
            R"(a.yaml:2:20: parts.xids[1]: `seven` is not a count: write digits only, as in 1000
    parts: {xids: [79, seven, 94]}
                       ^~~~~
)");
}

TEST(ScenarioStructureErrors, NoValue) {
  EXPECT_EQ(errors_of(R"(name: demo
horizon:
)"),
            R"(a.yaml:2:1: horizon: has no value (expected a duration such as 10m)
    horizon:
    ^~~~~~~
)");
}

TEST(ScenarioStructureErrors, UnexpectedTag) {
  EXPECT_EQ(errors_of(R"(name: demo
horizon: !!str 3d
)"),
            R"(a.yaml:2:10: horizon: takes no tag (got !!str, expected a duration such as 10m)
    horizon: !!str 3d
             ^~~~~~~~
)");
}

TEST(ScenarioStructureErrors, UnknownTag) {
  EXPECT_EQ(
      errors_of(R"(name: demo
policy: !repare {}
)"),
      R"(a.yaml:2:9: policy: unknown tag (got !repare, expected !repair or !nothing); did you mean !repair?
    policy: !repare {}
            ^~~~~~~
)");
}

TEST(ScenarioStructureErrors, MissingTag) {
  EXPECT_EQ(
      errors_of(R"(name: demo
policy: {gate: off}
)"),
      R"(a.yaml:2:9: policy: needs a tag that says which kind it is (got a map, expected !repair or !nothing)
    policy: {gate: off}
            ^
)");
}

TEST(ScenarioStructureErrors, NameGivenTwice) {
  EXPECT_EQ(errors_of(R"(name: demo
fleet:
  pools:
    - {name: train, nodes: 4}
    - {name: train, nodes: 5}
)"),
            R"(a.yaml:5:14: fleet.pools: name `train` is given twice (first in line 4)
        - {name: train, nodes: 5}
                 ^~~~~
)");
}

TEST(ScenarioStructureErrors, OwnCheckOfStruct) {
  EXPECT_EQ(errors_of(R"(name: demo
workloads:
  - !training {name: llama3, checkpoint: {every: 5m, blocks: 6m}}
)"),
            R"(a.yaml:3:62: workloads[llama3].checkpoint.blocks: is longer than `every`
      - !training {name: llama3, checkpoint: {every: 5m, blocks: 6m}}
                                                                 ^~
)");
}

TEST(ScenarioStructureErrors, JobLargerThanFleet) {
  EXPECT_EQ(errors_of(R"(name: demo
fleet: {pools: [{name: train, nodes: 16}]}
workloads:
  - !training
    name: llama3
    nodes: 17
)"),
            R"(a.yaml:6:12: workloads[llama3].nodes: is more than the fleet has (16)
        nodes: 17
               ^~
)");
}

TEST(ScenarioStructureErrors, AllErrorsAtOnce) {
  EXPECT_EQ(errors_of(R"(nam: demo
horizon: 10
fleet:
  pools:
    - {name: train, nodes: 0}
parts:
  latching: on
)"),
            R"(a.yaml:1:1: nam: unknown key; did you mean name?
    nam: demo
    ^~~
a.yaml:2:10: horizon: a duration needs a unit: write 10s, 10m or 10h
    horizon: 10
             ^~
a.yaml:5:28: fleet.pools[train].nodes: is out of range (got 0, expected more than 0)
        - {name: train, nodes: 0}
                               ^
a.yaml:7:13: parts.latching: is not a boolean (got on, expected true or false); did you mean true?
      latching: on
                ^~
)");
}

}  // namespace
}  // namespace faultline::demo
