// What a user reads when a file that another one takes is wrong.
// Whole texts: they are part of the product.
#include <gtest/gtest.h>

#include "test/support/scenario_errors.h"

namespace faultline::demo {
namespace {

TEST(ScenarioIncludeErrors, MissingInclude) {
  EXPECT_EQ(
      errors_of(Files{{"a.yaml", R"(name: demo
policy: policies/awz.yaml
)"},
                      {"home/policies/aws.yaml", R"(--- !repair
gate: off
)"}}),
      R"(a.yaml:2:9: policy: there is no such file (got policies/awz.yaml); did you mean policies/aws.yaml?
    policy: policies/awz.yaml
            ^~~~~~~~~~~~~~~~~
)");
}

TEST(ScenarioIncludeErrors, MisspeltFolder) {
  EXPECT_EQ(
      errors_of(Files{{"a.yaml", R"(name: demo
policy: polices/karpentr/aws.yml
)"},
                      {"home/policies/karpenter/aws.yaml", "--- !repair\n"}}),
      R"(a.yaml:2:9: policy: there is no such file (got polices/karpentr/aws.yml); did you mean policies/karpenter/aws.yaml?
    policy: polices/karpentr/aws.yml
            ^~~~~~~~~~~~~~~~~~~~~~~~
)");
}

TEST(ScenarioIncludeErrors, MissingExtends) {
  EXPECT_EQ(
      errors_of(R"(name: demo
policy: {extends: policies/awz.yaml, gate: off}
)"),
      R"(a.yaml:2:19: policy.extends: there is no such file (got policies/awz.yaml, expected a path from this folder or from the project's)
    policy: {extends: policies/awz.yaml, gate: off}
                      ^~~~~~~~~~~~~~~~~
)");
}

TEST(ScenarioIncludeErrors, ExtendsUnknownName) {
  EXPECT_EQ(
      errors_of(Files{{"a.yaml", "extends: lama3\n"}, {"home/named/llama3.yaml", "name: demo\n"}}),
      R"(a.yaml:1:10: extends: there is no such file (got lama3); did you mean llama3?
    extends: lama3
             ^~~~~
)");
}

TEST(ScenarioIncludeErrors, Cycle) {
  EXPECT_EQ(errors_of(Files{{"a.yaml", "extends: b.yaml\n"},
                            {"b.yaml", "extends: c.yaml\n"},
                            {"c.yaml", "extends: b.yaml\n"}}),
            R"(c.yaml:1:10: extends: takes itself: b.yaml -> c.yaml -> b.yaml
    extends: b.yaml
             ^~~~~~
)");
}

TEST(ScenarioIncludeErrors, ErrorNamesTheIncludedFile) {
  EXPECT_EQ(errors_of(Files{{"a.yaml", R"(name: demo
policy: p/aws.yaml
horizon: 3
)"},
                            {"p/aws.yaml", R"(--- !repair
gate: 120%
)"}}),
            R"(p/aws.yaml:2:7: policy.gate: a ratio cannot be more than 100% (got 120%)
    gate: 120%
          ^~~~
a.yaml:3:10: horizon: a duration needs a unit: write 3s, 3m or 3h
    horizon: 3
             ^
)");
}

TEST(ScenarioIncludeErrors, SyntaxErrorInIncludedFile) {
  EXPECT_EQ(errors_of(Files{{"a.yaml", R"(name: demo
policy: p.yaml
horizn: 3d
)"},
                            {"p.yaml", R"(--- !repair
gate: [
)"}}),
            R"(p.yaml:2:7: the `[` before it is not closed: `,` or `]` is missing
    gate: [
          ^
a.yaml:3:1: horizn: unknown key; did you mean horizon?
    horizn: 3d
    ^~~~~~
)");
}

TEST(ScenarioIncludeErrors, EmptyIncludedFile) {
  EXPECT_EQ(errors_of(Files{{"a.yaml", R"(name: demo
policy: p.yaml
)"},
                            {"p.yaml", ""}}),
            "p.yaml: is empty (expected a map of fields)\n");
}

TEST(ScenarioIncludeErrors, ExtendsAnotherKind) {
  EXPECT_EQ(
      errors_of(Files{{"a.yaml", R"(name: demo
policy: !nothing {extends: p.yaml}
)"},
                      {"p.yaml", R"(--- !repair
gate: off
)"}}),
      R"(a.yaml:2:9: policy: has another tag than the file that it extends (got !nothing, expected !repair)
    policy: !nothing {extends: p.yaml}
            ^~~~~~~~
)");
}

TEST(ScenarioIncludeErrors, ExtendsIsNoText) {
  EXPECT_EQ(errors_of(R"(name: demo
policy: {extends: [p.yaml]}
)"),
            R"(a.yaml:2:19: policy.extends: needs the path of a file (got a list)
    policy: {extends: [p.yaml]}
                      ^
)");
}

TEST(ScenarioIncludeErrors, ErrorInChange) {
  EXPECT_EQ(errors_of(Files{{"a.yaml", R"(name: demo
policy: {extends: p.yaml, gat: off}
)"},
                            {"p.yaml", R"(--- !repair
gate: off
)"}}),
            R"(a.yaml:2:27: policy.gat: unknown key; did you mean gate?
    policy: {extends: p.yaml, gat: off}
                              ^~~
)");
}

}  // namespace
}  // namespace faultline::demo
