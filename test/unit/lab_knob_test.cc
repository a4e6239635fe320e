#include "sim/lab/knob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/lab/knob_range.h"

namespace faultline {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> values(const std::string& text) {
  const auto knob = Knob::parse("p=" + text);
  return knob ? knob->values : std::vector<std::string>{knob.error()};
}

TEST(LabKnobTest, RangesOfDurationsMixTheirUnits) {
  const auto knob = Knob::parse("policy.tolerations.Ready=0s..30m/1m");
  ASSERT_TRUE(knob);
  EXPECT_EQ(knob->path, "policy.tolerations.Ready");
  EXPECT_EQ(knob->name(), "Ready");
  ASSERT_EQ(knob->values.size(), 31U);
  EXPECT_EQ(knob->values[0], "0s");
  EXPECT_EQ(knob->values[1], "1m");
  EXPECT_EQ(knob->values[30], "30m");
  EXPECT_EQ(knob->numbers[30], 1800);
  EXPECT_EQ(knob->set(2).text, "policy.tolerations.Ready=2m");
  EXPECT_EQ(knob->set(2).option, "--vary");
  EXPECT_THAT(values("30s..1m30s/30s"), ElementsAre("30s", "1m", "1m30s"));
  EXPECT_THAT(values("0..3h/1h30m"), ElementsAre("0s", "1h30m", "3h"));
}

TEST(LabKnobTest, RangesOfNumbersAddExactly) {
  EXPECT_THAT(values("0..64/16"), ElementsAre("0", "16", "32", "48", "64"));
  // In binary, 0.1 + 0.1 + 0.1 is more than 0.3.
  EXPECT_THAT(values("0.1..0.3/0.1"), ElementsAre("0.1", "0.2", "0.3"));
  EXPECT_THAT(values("0..1/0.25"), ElementsAre("0", "0.25", "0.5", "0.75", "1"));
  EXPECT_THAT(values("10%..50%/20%"), ElementsAre("10%", "30%", "50%"));
  EXPECT_THAT(values("0..1%/0.5%"), ElementsAre("0%", "0.5%", "1%"));
  EXPECT_THAT(values("1GiB..3GiB/1GiB"), ElementsAre("1GiB", "2GiB", "3GiB"));
}

TEST(LabKnobTest, ARangeEndsWithTheLastStepThatFits) {
  EXPECT_THAT(values("0..10/4"), ElementsAre("0", "4", "8"));
  EXPECT_THAT(values("5..5/1"), ElementsAre("5"));
}

TEST(LabKnobTest, ListsHoldAnything) {
  EXPECT_THAT(values("off,10%,20%"), ElementsAre("off", "10%", "20%"));
  EXPECT_THAT(values("off,10%..30%/10%,50%"), ElementsAre("off", "10%", "20%", "30%", "50%"));
  EXPECT_THAT(values("policies/a.yaml,../b.yaml"), ElementsAre("policies/a.yaml", "../b.yaml"));
  EXPECT_THAT(values("!lognormal {median: 90s, p95: 4m},fixed"),
              ElementsAre("!lognormal {median: 90s, p95: 4m}", "fixed"));
  EXPECT_THAT(values("\"a,b\",c"), ElementsAre("\"a,b\"", "c"));
}

TEST(LabKnobTest, NumbersWhereAllAreOfOneKind) {
  const auto numbers = [](const char* text) { return Knob::parse(text)->numbers; };
  EXPECT_THAT(numbers("p=0,30s,2h"), ElementsAre(0, 30, 7200));
  EXPECT_THAT(numbers("p=0%..20%/10%"), ElementsAre(0, DoubleEq(0.1), DoubleEq(0.2)));
  EXPECT_THAT(numbers("p=off,10%"), IsEmpty());
  EXPECT_THAT(numbers("p=1,10%"), IsEmpty());
}

TEST(LabKnobTest, ProblemsHaveTheirColumn) {
  const auto error = [](const char* text) { return Knob::parse(text).error(); };
  const std::string form = "column 1: write PATH=VALUES, such as `policy.gate=off,10%..50%/10%`";
  EXPECT_EQ(error("policy.gate"), form);
  EXPECT_EQ(error("=1,2"), form);
  EXPECT_EQ(error("a=1,,2"), "column 5: a value is missing");
  EXPECT_EQ(error("a="), "column 3: a value is missing");
  EXPECT_EQ(error("a=0s..30m"), "column 10: a range needs a step: `0s..30m/1m`");
  EXPECT_EQ(error("a=0s..x/1m"), "column 7: `x` is no quantity such as 30m, 64 or 10%");
  EXPECT_EQ(error("a=0s../1m"), "column 7: `` is no quantity such as 30m, 64 or 10%");
  EXPECT_EQ(error("a=0s..30m/"), "column 11: `` is no quantity such as 30m, 64 or 10%");
  EXPECT_EQ(error("a=0s..64/8"), "column 3: `0s`, `64` and `8` are not quantities of one kind");
  EXPECT_EQ(error("a=10%..50%/5"), "column 3: `10%`, `50%` and `5` are not quantities of one kind");
  EXPECT_EQ(error("a=0s..30m/0s"), "column 11: the step is zero");
  EXPECT_EQ(error("a=9..1/1"), "column 6: the range ends below its start: `1..9/1`");
  EXPECT_EQ(error("a=0..1000000/1"),
            "column 3: the range has 1000001 values; at most 10000 make sense");
  EXPECT_EQ(error("a=1,0..2/1"), "column 5: the value `1` comes twice");
}

TEST(LabKnobTest, SeveralKnobsMakeAGrid) {
  const auto knobs = parse_knobs({"policy.gate=off,20%", "capacity.warm_spares=0..2/1"});
  ASSERT_TRUE(knobs);
  const auto combinations = grid(*knobs);
  ASSERT_EQ(combinations.size(), 6U);
  EXPECT_THAT(combinations[1], ElementsAre(0, 1));
  EXPECT_THAT(combinations[3], ElementsAre(1, 0));
  EXPECT_EQ(label(*knobs, combinations[5]), "gate=20% warm_spares=2");
  EXPECT_EQ(label({knobs->front()}, {1}), "20%");
  EXPECT_EQ(grid({}).size(), 1U);
  EXPECT_EQ(label({}, {}), "as it is");
}

TEST(LabKnobTest, ProblemsOfSeveralKnobs) {
  EXPECT_EQ(parse_knobs({"a=1", "b=0s..1m"}).error(),
            "--vary b=0s..1m: column 9: a range needs a step: `0s..30m/1m`");
  EXPECT_EQ(parse_knobs({"a=1", "a=2"}).error(), "--vary: `a` is varied twice");
  EXPECT_TRUE(parse_knobs({"a=1..1000/1", "b=1..10/1"}));
  EXPECT_EQ(parse_knobs({"a=1..1000/1", "b=1..11/1"}).error(),
            "--vary: 11000 combinations of values are more than 10000; take larger steps");
}

}  // namespace
}  // namespace faultline
