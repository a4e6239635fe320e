// What a user reads when a value is wrong: units, ranges, spelling.
// Whole texts: they are part of the product.
#include <gtest/gtest.h>

#include "test/support/scenario_errors.h"

namespace faultline::demo {
namespace {

TEST(ScenarioValueErrors, DurationWithoutUnit) {
  EXPECT_EQ(errors_of(R"(name: demo
policy: !repair
  tolerations:
    Ready: 10
)"),
            R"(a.yaml:4:12: policy.tolerations.Ready: a duration needs a unit: write 10s, 10m or 10h
        Ready: 10
               ^~
)");
}

TEST(ScenarioValueErrors, NegativeDuration) {
  EXPECT_EQ(errors_of(R"(name: demo
horizon: -5m
)"),
            R"(a.yaml:2:10: horizon: a duration cannot be negative (got -5m)
    horizon: -5m
             ^~~
)");
}

// They would act on the terminal that prints the name.
TEST(ScenarioValueErrors, ControlCharacters) {
  EXPECT_EQ(errors_of("name: \"a\\e[31mred\"\n"),
            "a.yaml:1:7: name: has a control character (got \"a?[31mred\")\n"
            "    name: \"a\\e[31mred\"\n"
            "          ^~~~~~~~~~~\n");
  EXPECT_NE(errors_of("name: \"a\\u009B31mred\"\n").find("name: has a control character"),
            std::string::npos);
  EXPECT_EQ(errors_of("name: \"caf\\u00E9 \\u0414\"\n"), "fine");
}

TEST(ScenarioValueErrors, DurationOfZero) {
  EXPECT_EQ(errors_of(R"(name: demo
horizon: 0
)"),
            R"(a.yaml:2:10: horizon: is out of range (got 0, expected more than 0)
    horizon: 0
             ^
)");
}

TEST(ScenarioValueErrors, DurationInWords) {
  EXPECT_EQ(errors_of(R"(name: demo
horizon: 5 minutes
)"),
            R"(a.yaml:2:10: horizon: `5 minutes` is not a duration: write 5m
    horizon: 5 minutes
             ^~~~~~~~~
)");
}

TEST(ScenarioValueErrors, DurationWithTrailingText) {
  EXPECT_EQ(errors_of(R"(name: demo
horizon: 5m sharp
)"),
            R"(a.yaml:2:10: horizon: `5m sharp` is not a duration: write 10s, 10m or 10h
    horizon: 5m sharp
             ^~~~~~~~
)");
}

TEST(ScenarioValueErrors, PoolOfZeroNodes) {
  EXPECT_EQ(errors_of(R"(name: demo
fleet:
  pools:
    - {name: train, nodes: 0}
)"),
            R"(a.yaml:4:28: fleet.pools[train].nodes: is out of range (got 0, expected more than 0)
        - {name: train, nodes: 0}
                               ^
)");
}

TEST(ScenarioValueErrors, NegativeCount) {
  EXPECT_EQ(errors_of(R"(name: demo
fleet: {pools: [{name: train, nodes: -3}]}
)"),
            R"(a.yaml:2:38: fleet.pools[train].nodes: a count cannot be negative (got -3)
    fleet: {pools: [{name: train, nodes: -3}]}
                                         ^~
)");
}

TEST(ScenarioValueErrors, OctalLookingCount) {
  EXPECT_EQ(
      errors_of(R"(name: demo
fleet: {pools: [{name: train, nodes: 010}]}
)"),
      R"(a.yaml:2:38: fleet.pools[train].nodes: `010` has a leading 0: write the count without it
    fleet: {pools: [{name: train, nodes: 010}]}
                                         ^~~
)");
}

TEST(ScenarioValueErrors, CountWithFraction) {
  EXPECT_EQ(
      errors_of(R"(name: demo
fleet: {pools: [{name: train, nodes: 1e3}]}
)"),
      R"(a.yaml:2:38: fleet.pools[train].nodes: `1e3` is not a count: write digits only, as in 1000
    fleet: {pools: [{name: train, nodes: 1e3}]}
                                         ^~~
)");
}

TEST(ScenarioValueErrors, QuotedCount) {
  EXPECT_EQ(
      errors_of(R"(name: demo
fleet: {pools: [{name: train, nodes: "16"}]}
)"),
      R"(a.yaml:2:38: fleet.pools[train].nodes: is in quotes, so it is text (got "16", expected a count such as 12)
    fleet: {pools: [{name: train, nodes: "16"}]}
                                         ^~~~
)");
}

TEST(ScenarioValueErrors, YesForBoolean) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {latching: yes}
)"),
      R"(a.yaml:2:19: parts.latching: is not a boolean (got yes, expected true or false); did you mean true?
    parts: {latching: yes}
                      ^~~
)");
}

TEST(ScenarioValueErrors, CapitalBoolean) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {latching: False}
)"),
      R"(a.yaml:2:19: parts.latching: is not a boolean (got False, expected true or false); did you mean false?
    parts: {latching: False}
                      ^~~~~
)");
}

TEST(ScenarioValueErrors, NotABoolean) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {latching: maybe}
)"),
            R"(a.yaml:2:19: parts.latching: is not a boolean (got maybe, expected true or false)
    parts: {latching: maybe}
                      ^~~~~
)");
}

TEST(ScenarioValueErrors, QuotedBoolean) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {latching: 'true'}
)"),
      R"(a.yaml:2:19: parts.latching: is in quotes, so it is text (got "true", expected true or false)
    parts: {latching: 'true'}
                      ^~~~~~
)");
}

TEST(ScenarioValueErrors, NotANumber) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {factor: NaN}
)"),
            R"(a.yaml:2:17: parts.factor: `NaN` is not a number: write 12, 0.5 or 1e-3
    parts: {factor: NaN}
                    ^~~
)");
}

TEST(ScenarioValueErrors, InfiniteNumber) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {factor: .inf}
)"),
            R"(a.yaml:2:17: parts.factor: `.inf` is not a number: write 12, 0.5 or 1e-3
    parts: {factor: .inf}
                    ^~~~
)");
}

TEST(ScenarioValueErrors, NumberTooSmall) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {factor: 0.1}
)"),
            R"(a.yaml:2:17: parts.factor: is out of range (got 0.1, expected at least 0.2)
    parts: {factor: 0.1}
                    ^~~
)");
}

TEST(ScenarioValueErrors, NumberTooLarge) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {factor: 11}
)"),
            R"(a.yaml:2:17: parts.factor: is out of range (got 11, expected at most 10)
    parts: {factor: 11}
                    ^~
)");
}

TEST(ScenarioValueErrors, RatioAboveOne) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {coverage: 120%}
)"),
            R"(a.yaml:2:19: parts.coverage: a ratio cannot be more than 100% (got 120%)
    parts: {coverage: 120%}
                      ^~~~
)");
}

TEST(ScenarioValueErrors, RatioWithoutPercent) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {coverage: 20}
)"),
            R"(a.yaml:2:19: parts.coverage: a ratio is at most 1: write 20% for 20 of 100
    parts: {coverage: 20}
                      ^~
)");
}

TEST(ScenarioValueErrors, SizeInBits) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {memory: 64Gb}
)"),
            R"(a.yaml:2:17: parts.memory: `64Gb` is not a size: write 64GB or 64GiB
    parts: {memory: 64Gb}
                    ^~~~
)");
}

TEST(ScenarioValueErrors, SizeWithoutUnit) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {memory: 64}
)"),
            R"(a.yaml:2:17: parts.memory: a size needs a unit: write 64GB or 64GiB
    parts: {memory: 64}
                    ^~
)");
}

TEST(ScenarioValueErrors, BandwidthWithoutUnit) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {link: 400}
)"),
      R"(a.yaml:2:15: parts.link: a bandwidth needs a unit: write 400Gbps (bits) or 50GB/s (bytes)
    parts: {link: 400}
                  ^~~
)");
}

TEST(ScenarioValueErrors, LimitInWords) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {spares: infinite}
)"),
      R"(a.yaml:2:17: parts.spares: `infinite` is not a limit: write a count such as 12, or unlimited
    parts: {spares: infinite}
                    ^~~~~~~~
)");
}

TEST(ScenarioValueErrors, RateWithBadUnit) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {rate: 6.5 per 1000 box-days}
)"),
      R"(a.yaml:2:15: parts.rate: `box-days` is not an exposure: write gpu, node, rack, block, zone, region or job and hours, days, weeks or years, as in node-days
    parts: {rate: 6.5 per 1000 box-days}
                  ^~~~~~~~~~~~~~~~~~~~~
)");
}

TEST(ScenarioValueErrors, RateWithoutExposure) {
  EXPECT_EQ(errors_of(R"(name: demo
parts: {rate: 6.5}
)"),
            R"(a.yaml:2:15: parts.rate: a rate needs its exposure: write 6.5 per 1000 node-days
    parts: {rate: 6.5}
                  ^~~
)");
}

TEST(ScenarioValueErrors, MisspeltEnum) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {effect: crsh}
)"),
      R"(a.yaml:2:17: parts.effect: is not a known name (got crsh, expected crash, hang or slow); did you mean crash?
    parts: {effect: crsh}
                    ^~~~
)");
}

TEST(ScenarioValueErrors, UnknownEnum) {
  EXPECT_EQ(
      errors_of(R"(name: demo
parts: {effect: explosion}
)"),
      R"(a.yaml:2:17: parts.effect: is not a known name (got explosion, expected crash, hang or slow)
    parts: {effect: explosion}
                    ^~~~~~~~~
)");
}

}  // namespace
}  // namespace faultline::demo
