#include "sim/lab/expression/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace faultline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using Unit = Expression::Unit;
using Rows = std::vector<std::vector<double>>;

const std::vector<MetricName>& metrics() {
  static const std::vector<MetricName> kMetrics{
      {"ettr_ratio", "", ""},
      {"interruptions_total", "", ""},
      {"replacements_total", "", ""},
      {"gate_blocked_total", "", ""},
      {"gate_blocked_seconds", "", ""},
      {"lost_ratio", "cause", "redo"},
      {"lost_ratio", "cause", "restart"},
      {"mttr_seconds", "phase", "detect"},
      {"interruptions_total", "class", "gpu-hbm"},
  };
  return kMetrics;
}
//                        ettr inter repl gate  gate_s redo restart detect hbm
const std::vector<double> kRow{0.9, 8, 4, 0, 60, 0.03, 0.05, 120, 2};

double at(std::string_view text) {
  const auto parsed = Expression::parse(text, metrics());
  EXPECT_TRUE(parsed) << text << ": " << (parsed ? "" : parsed.error());
  return parsed ? parsed->at(kRow) : kNan;
}

std::string error(std::string_view text) {
  const auto parsed = Expression::parse(text, metrics());
  return parsed ? "" : parsed.error();
}

Unit unit(std::string_view text) { return Expression::parse(text, metrics()).value().unit(); }

TEST(LabExpression, Arithmetic) {
  EXPECT_EQ(at("ettr"), 0.9);
  EXPECT_EQ(at("  ettr_ratio "), 0.9);
  EXPECT_EQ(at("replacements / interruptions"), 0.5);
  EXPECT_EQ(at("1 - ettr * 2 + replacements"), 1 - 1.8 + 4);
  EXPECT_EQ(at("(1 - ettr) * 2"), (1 - 0.9) * 2);
  EXPECT_EQ(at("interruptions - 2 - 1"), 5);  // from the left
  EXPECT_EQ(at("interruptions / 2 / 2"), 2);
  EXPECT_EQ(at("-ettr"), -0.9);
  EXPECT_EQ(at("--ettr"), 0.9);
  EXPECT_EQ(at("replacements * -2"), -8);
  EXPECT_EQ(at("replacements--2"), 6);
}

// (2, 4) over (1, 3) things: 3.5; mean weight 2. Linearised: 3.5 - 1.5 x 1/2 and 3.5 + 0.5 x 3/2; minus 60 x.
TEST(LabExpression, AMeanOverThingsWeighsByTheirCount) {
  const std::vector<MetricName> names{{"repairs_total", "", ""},
                                      {"mttr_seconds", "phase", "gate", "repairs_total"}};
  const auto gate = Expression::parse("60 - 2 * mttr{gate} / 1s", names);
  ASSERT_TRUE(gate) << gate.error();
  EXPECT_EQ(gate->values({{1, 2}, {3, 4}}), (std::vector<double>{60 - 2 * 2.75, 60 - 2 * 4.25}));
  EXPECT_EQ(gate->values({{1, 2}, {0, kNan}, {3, 4}})[1], 60 - 2 * 3.5);
}

TEST(LabExpression, MembersOfFamilies) {
  EXPECT_EQ(at("lost{redo} + lost{restart}"), 0.08);
  EXPECT_EQ(at("lost_ratio{cause=\"redo\"}"), 0.03);
  EXPECT_EQ(at("lost{ cause = redo }"), 0.03);
  EXPECT_EQ(at("lost{\"redo\"}"), 0.03);
  EXPECT_EQ(at("interruptions{gpu-hbm}"), 2);
  EXPECT_EQ(at("interruptions"), 8);
}

TEST(LabExpression, NumbersWithUnits) {
  EXPECT_EQ(at("0*ettr + 33.3%"), 0.333);
  EXPECT_EQ(at("0*ettr + 0.5pp"), 0.005);
  EXPECT_EQ(at("0*mttr{detect} + 2h30m"), 9000);
  EXPECT_EQ(at("0*mttr{detect} + 1.5s"), 1.5);
  EXPECT_EQ(at("0*ettr + 1e308"), 1e308);
  EXPECT_EQ(at("ettr - 0.2pp * replacements"), 0.9 - 0.002 * 4);
}

TEST(LabExpression, UnitOfTheResult) {
  EXPECT_EQ(unit("ettr"), Unit::kRatio);
  EXPECT_EQ(unit("1 - ettr"), Unit::kRatio);
  EXPECT_EQ(unit("ettr - 0.2pp * replacements"), Unit::kRatio);
  EXPECT_EQ(unit("ettr / 2"), Unit::kRatio);
  EXPECT_EQ(unit("lost{redo} / lost{restart}"), Unit::kPlain);
  EXPECT_EQ(unit("replacements / interruptions"), Unit::kPlain);
  EXPECT_EQ(unit("mttr{detect} + 10s"), Unit::kSeconds);
  EXPECT_EQ(unit("gate_blocked_seconds / replacements"), Unit::kSeconds);
  EXPECT_EQ(unit("gate_blocked_seconds / mttr{detect}"), Unit::kPlain);
  EXPECT_EQ(unit("gate_blocked_seconds * mttr{detect}"), Unit::kPlain);
  EXPECT_EQ(unit("0 + mttr{detect}"), Unit::kSeconds);
}

TEST(LabExpression, UnknownNames) {
  EXPECT_EQ(error("etr"), "column 1: unknown metric `etr`; did you mean ettr?");
  EXPECT_EQ(error("1 - interuptions"),
            "column 5: unknown metric `interuptions`; did you mean interruptions?");
  EXPECT_EQ(error("zebra"),
            "column 1: unknown metric `zebra`; known are ettr, interruptions, replacements, "
            "gate_blocked_total, gate_blocked_seconds, lost or mttr");
  EXPECT_EQ(error("gate_blocked"),
            "column 1: `gate_blocked` is short for gate_blocked_total or gate_blocked_seconds: "
            "write which one");
  EXPECT_EQ(error("lost"),
            "column 1: lost_ratio has one value per cause: write lost{redo}; known are redo or "
            "restart");
  EXPECT_EQ(error("lost{redu}"), "column 6: lost_ratio has no cause `redu`; did you mean redo?");
  EXPECT_EQ(error("lost{}"), "column 6: lost_ratio has no cause ``; known are redo or restart");
  EXPECT_EQ(error("lost{class=redo}"),
            "column 6: the members of lost_ratio differ in cause, not in `class`");
  EXPECT_EQ(error("ettr{redo}"), "column 6: ettr_ratio has no members");
  EXPECT_EQ(error("lost{redo"), "column 5: this brace is never closed");
}

TEST(LabExpression, BadSyntax) {
  EXPECT_EQ(error(""), "column 1: the text is empty: write a metric, such as ettr");
  EXPECT_EQ(error(" \t "), "column 1: the text is empty: write a metric, such as ettr");
  EXPECT_EQ(error("ettr +"), "column 7: a metric, a number or a parenthesis is missing at the end");
  EXPECT_EQ(error("* ettr"),
            "column 1: expected a metric, a number or a parenthesis, got `* ettr`");
  EXPECT_EQ(error("ettr ettr"), "column 6: expected an operator or the end, got `ettr`");
  EXPECT_EQ(error("ettr;"), "column 5: expected an operator or the end, got `;`");
  EXPECT_EQ(error("(ettr"), "column 1: this parenthesis is never closed");
  EXPECT_EQ(error("(ettr 2)"), "column 7: expected an operator or `)`, got `2)`");
  EXPECT_EQ(error("ettr)"), "column 5: this parenthesis was never opened");
  EXPECT_EQ(error("ettr < 2"), "column 6: no comparison here: write the expression alone");
  EXPECT_EQ(error("ettr.delta"), "column 5: `.delta` belongs behind the left side of a comparison");
  EXPECT_EQ(error("2 * 3"), "column 1: `2 * 3` names no metric");
  EXPECT_EQ(error("\xc3\xa9ttr"),
            "column 1: expected a metric, a number or a parenthesis, got `??ttr`");
}

TEST(LabExpression, BadNumbers) {
  EXPECT_EQ(error("ettr * 5x"),
            "column 8: `x` is not a unit of time: a duration takes w, d, h, m, s, ms, us or ns; a "
            "share takes % or pp");
  EXPECT_EQ(error("ettr * 5mins"),
            "column 8: `5mins` is not a duration: write 5m; a share takes % or pp");
  EXPECT_EQ(error("ettr * 1.2.3"),
            "column 8: `1.2.3` is not a duration: write 10s, 10m or 10h; a share takes % or pp");
  EXPECT_EQ(error("ettr * 1e309"), "column 8: `1e309` is too large or too small");
  EXPECT_NE(error("mttr{detect} + 99999999999999w"), "");
  EXPECT_EQ(error("ettr * (1e308 * 10)"), "column 9: `1e308 * 10` is too large");
  EXPECT_EQ(error("ettr / 0"), "column 8: division by zero");
  EXPECT_EQ(error("1 / (2 - 2)"), "column 5: division by zero");
  EXPECT_EQ(error("mttr{detect} + ettr"),
            "column 14: mttr{detect} and ettr cannot be added: seconds and a share");
  EXPECT_EQ(error("mttr{detect} - 5"),
            "column 14: mttr{detect} and 5 cannot be subtracted: seconds and a plain number");
}

TEST(LabExpression, DeepAndLongTexts) {
  const auto nested = [](int depth) {
    return std::string(depth, '(').append("ettr").append(depth, ')');
  };
  EXPECT_EQ(at(nested(64)), 0.9);
  EXPECT_EQ(error(nested(65)), "column 65: more than 64 parentheses inside each other");
  EXPECT_EQ(error(nested(1'000'000)), "column 65: more than 64 parentheses inside each other");
  EXPECT_EQ(at(std::string(1'000'000, '-').append("ettr")), 0.9);
  std::string sum = "replacements";
  for (int i = 0; i < 100'000; ++i) sum += "+1";
  EXPECT_EQ(at(sum), 100'004);
}

TEST(LabExpression, LinearisedValues) {
  // x = (1, 3), y = (2, 2), by hand: f = 2/2, gradient (1/2, -1/2).
  const std::vector<MetricName> names{{"x", "", ""}, {"y", "", ""}};
  const Rows rows{{1, 2}, {3, 2}};
  EXPECT_EQ(Expression::parse("x / y", names)->values(rows), (std::vector<double>{0.5, 1.5}));
  // x y at (2, 2): gradient (2, 2); 4 + 2 (1-2) and 4 + 2 (3-2).
  EXPECT_EQ(Expression::parse("x * y", names)->values(rows), (std::vector<double>{2, 6}));
  // x / (x + y): 1/2, gradient y/(x+y)^2 = 1/8.
  EXPECT_EQ(Expression::parse("x / (x + y)", names)->values(rows),
            (std::vector<double>{0.375, 0.625}));
  EXPECT_EQ(Expression::parse("3 - x", names)->values(rows), (std::vector<double>{2, 0}));
  EXPECT_TRUE(Expression::parse("x", names)->values({}).empty());
}

TEST(LabExpression, RowsThatSayNothing) {
  // x is known in two of four rows, mean 2: weight 4/2. The variance of the mean of four values,
  // (2 * 2^2 / 3) / 4 = 2/3, estimates that of the mean of two: (2 * 1^2 / 1) / 2 = 1, with n - 1 for n.
  const std::vector<MetricName> names{{"x", "", ""}, {"y", "", ""}};
  const Rows rows{{1, 5}, {kNan, 5}, {3, 5}, {kNan, 9}};
  EXPECT_EQ(Expression::parse("x", names)->values(rows), (std::vector<double>{0, 2, 4, 2}));
  EXPECT_EQ(Expression::parse("x + y", names)->values(rows), (std::vector<double>{5, 7, 9, 11}));
  EXPECT_TRUE(std::isnan(Expression::parse("x", names)->at(rows[1])));
}

TEST(LabExpression, SaysWhyThereIsNoValue) {
  const std::vector<MetricName> names{{"x", "", ""}, {"y", "", ""}};
  const auto quotient = Expression::parse("x / y", names).value();
  const Rows zero{{1, 0}, {3, 0}};
  for (const double value : quotient.values(zero)) EXPECT_TRUE(std::isnan(value));
  EXPECT_EQ(quotient.undefined(zero), "x / y has no value: it divides by 0, or is too large");
  EXPECT_EQ(quotient.undefined({{1, kNan}, {3, kNan}}),
            "x / y has no value: no replication says anything about one of its metrics");
  EXPECT_EQ(quotient.undefined({}), "no replication has finished");
  EXPECT_EQ(quotient.undefined({{1, 2}}), "");
  for (const double value : Expression::parse("x * 1e308", names)->values({{10, 1}, {20, 1}})) {
    EXPECT_TRUE(std::isnan(value));
  }
}

}  // namespace
}  // namespace faultline
