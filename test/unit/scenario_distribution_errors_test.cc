// What a user reads when a distribution is wrong.
// Whole texts: they are part of the product.
#include <gtest/gtest.h>

#include "test/support/scenario_errors.h"

namespace faultline::demo {
namespace {

TEST(ScenarioDistributionErrors, UnknownDistribution) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {launch: !lognorm {median: 90s}}
)"),
      R"(a.yaml:2:17: parts.launch: unknown tag (got !lognorm, expected !uniform, !exponential, !weibull, !lognormal, !gamma, !empirical or !mixture); did you mean !lognormal?
    parts: {launch: !lognorm {median: 90s}}
                    ^~~~~~~~
)");
}

TEST(ScenarioDistributionErrors, UnknownParameter) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {launch: !exponential {average: 4m}}
)"),
      R"(a.yaml:2:17: parts.launch.mean: is required, but missing (expected a duration such as 10m)
    parts: {launch: !exponential {average: 4m}}
                    ^~~~~~~~~~~~
a.yaml:2:31: parts.launch.average: unknown key (expected mean)
    parts: {launch: !exponential {average: 4m}}
                                  ^~~~~~~
)");
}

TEST(ScenarioDistributionErrors, ParameterWithoutUnit) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {launch: !exponential {mean: 4}}
)"),
            R"(a.yaml:2:37: parts.launch.mean: a duration needs a unit: write 4s, 4m or 4h
    parts: {launch: !exponential {mean: 4}}
                                        ^
)");
}

TEST(ScenarioDistributionErrors, PercentileBelowMedian) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts:
  launch: !lognormal
    median: 4m
    p95: 90s
)"),
      R"(a.yaml:5:10: parts.launch: p95 must be more than the median (got median 4m and p95 1m30s)
        p95: 90s
             ^~~
)");
}

TEST(ScenarioDistributionErrors, HalfOfAPair) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {launch: !lognormal {median: 90s}}
)"),
            R"(a.yaml:2:17: parts.launch: needs either `median` and `p95`, or `mu` and `sigma`
    parts: {launch: !lognormal {median: 90s}}
                    ^~~~~~~~~~
)");
}

TEST(ScenarioDistributionErrors, BothMeanAndScale) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {launch: !weibull {shape: 0.75, mean: 1h, scale: 1h}}
)"),
            R"(a.yaml:2:17: parts.launch: needs exactly one of `mean` and `scale`
    parts: {launch: !weibull {shape: 0.75, mean: 1h, scale: 1h}}
                    ^~~~~~~~
)");
}

TEST(ScenarioDistributionErrors, ShapeOfZero) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {launch: !weibull {shape: 0, mean: 1h}}
)"),
            R"(a.yaml:2:34: parts.launch.shape: is out of range (got 0, expected more than 0)
    parts: {launch: !weibull {shape: 0, mean: 1h}}
                                     ^
)");
}

TEST(ScenarioDistributionErrors, EmptyRange) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {launch: !uniform {lo: 10s, hi: 5s}}
)"),
            R"(a.yaml:2:40: parts.launch: hi must be more than lo (got lo 10s and hi 5s)
    parts: {launch: !uniform {lo: 10s, hi: 5s}}
                                           ^~
)");
}

TEST(ScenarioDistributionErrors, MapWithoutTag) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {launch: {median: 90s, p95: 4m}}
)"),
      R"(a.yaml:2:17: parts.launch: has the wrong type (got a map without a tag, expected a duration such as 10m, or one of !uniform, !exponential, !weibull, !lognormal, !gamma, !empirical or !mixture)
    parts: {launch: {median: 90s, p95: 4m}}
                    ^
)");
}

TEST(ScenarioDistributionErrors, EmptySample) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {launch: !empirical {values: []}}
)"),
            R"(a.yaml:2:17: parts.launch: needs exactly one of `values` and `file`
    parts: {launch: !empirical {values: []}}
                    ^~~~~~~~~~
)");
}

TEST(ScenarioDistributionErrors, MissingSampleFile) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {launch: !empirical {file: repairs.csv}}
)"),
            R"(a.yaml:2:35: parts.launch: file repairs.csv does not exist
    parts: {launch: !empirical {file: repairs.csv}}
                                      ^~~~~~~~~~~
)");
}

TEST(ScenarioDistributionErrors, BadLineInSampleFile) {
  EXPECT_EQ(
      errors_of(Files{{"a.yaml", R"(name: demo
parts: {launch: !empirical {file: repairs.csv}}
)"},
                      {"repairs.csv", R"(# seconds
90s

95
)"}}),
      R"(a.yaml:2:35: parts.launch: file repairs.csv line 4: a duration needs a unit: write 95s, 95m or 95h
    parts: {launch: !empirical {file: repairs.csv}}
                                      ^~~~~~~~~~~
)");
}

TEST(ScenarioDistributionErrors, BadPartOfMixture) {
  EXPECT_EQ(errors_of(R"(name: demo
parts:
  launch: !mixture
    parts:
      - {weight: 0.9, of: 1m}
      - {weight: 0.1, of: !gamma {shape: 2}}
)"),
            R"(a.yaml:6:27: parts.launch.parts[1].of: needs exactly one of `mean` and `scale`
          - {weight: 0.1, of: !gamma {shape: 2}}
                              ^~~~~~
)");
}

}  // namespace
}  // namespace faultline::demo
