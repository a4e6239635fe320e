#include <gtest/gtest.h>

#include <limits>

#include "sim/lab/expression/expression.h"

namespace faultline {
namespace {

const std::vector<MetricName>& metrics() {
  static const std::vector<MetricName> kMetrics{{"ettr_ratio", "", ""},
                                                {"goodput_ratio", "", ""},
                                                {"replacements_total", "", ""},
                                                {"mttr_seconds", "phase", "detect"}};
  return kMetrics;
}

Condition parse(std::string_view text) {
  auto parsed = Condition::parse(text, metrics(), true);
  EXPECT_TRUE(parsed) << text << ": " << (parsed ? "" : parsed.error());
  return parsed ? *parsed : Condition{};
}

std::string error(std::string_view text, bool delta_allowed = true) {
  const auto parsed = Condition::parse(text, metrics(), delta_allowed);
  return parsed ? "" : parsed.error();
}

TEST(LabCondition, BoundOnTheRight) {
  const Condition condition = parse("ettr >= 85%");
  EXPECT_EQ(condition.left.text(), "ettr");
  EXPECT_EQ(condition.relation, Relation::kGreaterEqual);
  EXPECT_EQ(condition.bound, 0.85);
  EXPECT_EQ(condition.text, "ettr >= 85%");
  EXPECT_FALSE(condition.delta);
  EXPECT_TRUE(condition.holds(0.85));
  EXPECT_FALSE(condition.holds(0.8499));
  EXPECT_FALSE(condition.holds(std::numeric_limits<double>::quiet_NaN()));
}

// 0.5 as a difference of shares is 50 pp, which no change ever comes to; 1 as a share is all of it.
TEST(LabCondition, BareBoundsOnSharesThatMeanSomethingElse) {
  EXPECT_EQ(parse("ettr.delta < -0.5").doubt, "-0.5 is -50 pp; did you mean -0.5pp?");
  EXPECT_EQ(parse("(ettr - goodput).delta >= 0.2").doubt, "0.2 is 20 pp; did you mean 0.2pp?");
  EXPECT_EQ(parse("ettr.delta == 1").doubt, "1 is 100 pp; did you mean 1pp?");
  EXPECT_EQ(parse("ettr <= 1").doubt, "1 is 100%; did you mean 1%?");
  for (const char* fine : {"ettr.delta < -0.5pp", "ettr.delta < -50%", "ettr.delta < -0.19",
                           "ettr >= 0.5", "ettr < 0.99", "ettr == 1", "ettr <= 100%", "ettr > 1pp",
                           "replacements.delta > 1", "replacements <= 1", "ettr < goodput"}) {
    EXPECT_EQ(parse(fine).doubt, "") << fine;
  }
}

TEST(LabCondition, BoundOnTheLeft) {
  const Condition condition = parse("10m > mttr{detect}");
  EXPECT_EQ(condition.left.text(), "mttr{detect}");
  EXPECT_EQ(condition.relation, Relation::kLess);
  EXPECT_EQ(condition.bound, 600);
}

TEST(LabCondition, TwoExpressions) {
  const Condition condition = parse("ettr < goodput + 1pp");
  EXPECT_EQ(condition.left.text(), "ettr - (goodput + 1pp)");
  EXPECT_EQ(condition.bound, 0);
  EXPECT_EQ(condition.relation, Relation::kLess);
  EXPECT_DOUBLE_EQ(condition.left.at({0.9, 0.8, 0, 0}), 0.09);
}

TEST(LabCondition, AllRelations) {
  for (const std::string relation : {"<", "<=", "==", "!=", ">=", ">"}) {
    EXPECT_EQ(to_string(parse("replacements" + relation + "2").relation), relation);
  }
  EXPECT_TRUE(parse("replacements == 2").holds(2));
  EXPECT_FALSE(parse("replacements != 2").holds(2));
  EXPECT_FALSE(parse("replacements > 2").holds(2));
}

TEST(LabCondition, Delta) {
  EXPECT_TRUE(parse("ettr.delta < -0.5pp").delta);
  EXPECT_EQ(parse("ettr.delta < -0.5pp").bound, -0.005);
  const Condition condition = parse("(ettr - 1pp * replacements).delta >= 0");
  EXPECT_TRUE(condition.delta);
  EXPECT_EQ(condition.left.text(), "(ettr - 1pp * replacements)");
}

TEST(LabCondition, BadDelta) {
  EXPECT_EQ(error("ettr.delta < 0", false),
            "column 5: `.delta` is the difference to a baseline, and here is none");
  EXPECT_EQ(error("ettr.delte < 0"), "column 5: unknown `.delte`; only .delta may stand here");
  const std::string whole = "`.delta` covers the whole left side: write (...).delta";
  EXPECT_EQ(error("ettr.delta + 1 < 0"), "column 5: " + whole);
  EXPECT_EQ(error("1 + ettr.delta < 0"), "column 9: " + whole);
  EXPECT_EQ(error("(1 + ettr.delta) < 0"), "column 10: " + whole);
  EXPECT_EQ(error("-ettr.delta < 0"), "column 6: " + whole);
  EXPECT_EQ(error("ettr < goodput.delta"),
            "column 15: `.delta` belongs behind the left side of a comparison");
  EXPECT_EQ(error("ettr.delta < goodput"), "column 14: a difference is compared with a number");
  EXPECT_EQ(error("(1).delta < ettr"), "column 4: `.delta` of a number is always 0");
}

TEST(LabCondition, BadComparisons) {
  EXPECT_EQ(error(""), "column 1: the text is empty: write a metric, such as ettr");
  EXPECT_EQ(error("ettr"), "column 5: a condition compares: <, <=, ==, !=, >= or > is missing");
  EXPECT_EQ(error("ettr = 1"), "column 6: write == for equal");
  EXPECT_EQ(error("ettr => 1"), "column 6: write >= for at least");
  EXPECT_EQ(error("ettr =< 1"), "column 6: write <= for at most");
  EXPECT_EQ(error("ettr is 1"), "column 6: expected <, <=, ==, !=, >= or >, got `is 1`");
  EXPECT_EQ(error("80% <= ettr <= 90%"),
            "column 13: one comparison at a time: write two conditions");
  EXPECT_EQ(error("ettr >= 80% and goodput >= 80%"),
            "column 13: expected an operator or the end, got `and goodput >= 80%`");
  EXPECT_EQ(error("ettr >="),
            "column 8: a metric, a number or a parenthesis is missing at the end");
  EXPECT_EQ(error("1 < 2"), "column 1: the condition names no metric");
}

TEST(LabCondition, UnitsMustMatch) {
  EXPECT_EQ(error("ettr >= 85"), "column 9: ettr is a share of 1: write 85%");
  EXPECT_EQ(error("85 <= ettr"), "column 1: ettr is a share of 1: write 85%");
  EXPECT_EQ(error("ettr >= 120%"), "");
  EXPECT_EQ(error("mttr{detect} < 10"), "column 16: mttr{detect} is in seconds: write 10s");
  EXPECT_EQ(error("mttr{detect} >= 0"), "");
  EXPECT_EQ(error("ettr < 10m"), "column 8: ettr and 10m cannot be compared: a share and seconds");
}

}  // namespace
}  // namespace faultline
