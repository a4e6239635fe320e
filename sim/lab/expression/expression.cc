#include "sim/lab/expression/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "sim/lab/expression/expression_parser.h"

namespace faultline {
namespace {

using Kind = Expression::Step::Kind;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A value and its derivative in one direction.
struct Dual {
  double value = 0;
  double slope = 0;
};

Dual combined(Kind kind, Dual a, Dual b) {
  switch (kind) {
    case Kind::kAdd: return {a.value + b.value, a.slope + b.slope};
    case Kind::kSubtract: return {a.value - b.value, a.slope - b.slope};
    case Kind::kMultiply: return {a.value * b.value, a.slope * b.value + a.value * b.slope};
    default: {
      const double quotient = b.value == 0 ? kNan : a.value / b.value;
      return {quotient, (a.slope - quotient * b.slope) / b.value};
    }
  }
}

// The derivative by the column `by`, or by none.
Dual evaluate(const std::vector<Expression::Step>& steps, const std::vector<double>& row,
              std::size_t by) {
  std::vector<Dual> stack;
  for (const Expression::Step& step : steps) {
    switch (step.kind) {
      case Kind::kNumber: stack.push_back({step.number, 0}); break;
      case Kind::kMetric: stack.push_back({row[step.metric], step.metric == by ? 1.0 : 0.0}); break;
      case Kind::kNegate: stack.back() = {-stack.back().value, -stack.back().slope}; break;
      default: {
        const Dual right = stack.back();
        stack.pop_back();
        stack.back() = combined(step.kind, stack.back(), right);
      }
    }
  }
  return stack.back();
}

constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();

using Rows = std::vector<std::vector<double>>;

// The mean of a column, and how far each row moves it: d mean / d x_r, times the number of rows.
struct ColumnMean {
  double mean = 0;
  std::vector<double> influence;
};

// Rows that do not know the column count nothing; the others as much as the weight says, or 1.
ColumnMean column_mean(const Rows& rows, std::size_t column, const std::size_t* weight) {
  ColumnMean result{.influence = std::vector<double>(rows.size())};
  double all = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (std::isnan(rows[r][column])) continue;
    result.influence[r] = weight == nullptr ? 1 : rows[r][*weight];
    result.mean += result.influence[r] * rows[r][column];
    all += result.influence[r];
  }
  result.mean = all > 0 ? result.mean / all : kNan;
  for (double& influence : result.influence) influence *= static_cast<double>(rows.size()) / all;
  return result;
}

// A row of the means of some columns; the others stay 0.
struct Means {
  std::vector<double> row;
  std::map<std::size_t, std::vector<double>> influence;
};

Means means(const Rows& rows, const std::vector<std::size_t>& columns,
            const std::map<std::size_t, std::size_t>& weights) {
  Means means{.row = std::vector<double>(rows.front().size()), .influence = {}};
  for (const std::size_t c : columns) {
    const auto weight = weights.find(c);
    ColumnMean mean = column_mean(rows, c, weight == weights.end() ? nullptr : &weight->second);
    means.row[c] = mean.mean;
    means.influence[c] = std::move(mean.influence);
  }
  return means;
}

}  // namespace

Expression::Expression(std::string text, Unit unit, std::vector<Step> steps)
    : text_(std::move(text)), unit_(unit), steps_(std::move(steps)) {
  for (const Step& step : steps_) {
    if (step.kind != Kind::kMetric) continue;
    columns_.push_back(step.metric);
    if (step.weight) weights_[step.metric] = *step.weight;
  }
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
}

tl::expected<Expression, std::string> Expression::parse(std::string_view text,
                                                        const std::vector<MetricName>& metrics) {
  ExpressionParser parser(text, metrics);
  std::optional<Expression> parsed = parser.expression();
  if (!parsed) return tl::unexpected(parser.error());
  return std::move(*parsed);
}

std::vector<double> Expression::values(const Rows& rows) const {
  if (rows.empty()) return {};
  const Means mean = means(rows, columns_, weights_);
  const double at_mean = evaluate(steps_, mean.row, kNoColumn).value;
  std::vector<double> values(rows.size(), std::isfinite(at_mean) ? at_mean : kNan);
  for (const auto& [c, influence] : mean.influence) {
    const double slope = evaluate(steps_, mean.row, c).slope;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (influence[r] > 0) values[r] += slope * influence[r] * (rows[r][c] - mean.row[c]);
    }
  }
  return values;
}

double Expression::at(const std::vector<double>& row) const {
  const double value = evaluate(steps_, row, kNoColumn).value;
  return std::isfinite(value) ? value : kNan;
}

std::string Expression::undefined(const Rows& rows) const {
  if (rows.empty()) return "no replication has finished";
  const Means mean = means(rows, columns_, weights_);
  if (std::isfinite(evaluate(steps_, mean.row, kNoColumn).value)) return "";
  for (const std::size_t c : columns_) {
    if (std::isnan(mean.row[c])) {
      return fmt::format("{} has no value: no replication says anything about one of its metrics",
                         text_);
    }
  }
  return fmt::format("{} has no value: it divides by 0, or is too large", text_);
}

std::optional<std::size_t> Expression::metric() const {
  const bool alone = steps_.size() == 1 && steps_.front().kind == Kind::kMetric;
  return alone ? std::optional(steps_.front().metric) : std::nullopt;
}

std::string_view to_string(Relation relation) {
  switch (relation) {
    case Relation::kLess: return "<";
    case Relation::kLessEqual: return "<=";
    case Relation::kEqual: return "==";
    case Relation::kNotEqual: return "!=";
    case Relation::kGreaterEqual: return ">=";
    case Relation::kGreater: return ">";
  }
  return "?";
}

tl::expected<Condition, std::string> Condition::parse(std::string_view text,
                                                      const std::vector<MetricName>& metrics,
                                                      bool delta_allowed) {
  ExpressionParser parser(text, metrics);
  std::optional<Condition> parsed = parser.condition(delta_allowed);
  if (!parsed) return tl::unexpected(parser.error());
  return std::move(*parsed);
}

ValueRange Condition::range() const {
  if (!left.metric() || left.unit() != Expression::Unit::kRatio) return {};
  return {.low = delta ? -1.0 : 0.0, .high = 1};
}

bool Condition::holds(double value) const {
  if (std::isnan(value)) return false;
  switch (relation) {
    case Relation::kLess: return value < bound;
    case Relation::kLessEqual: return value <= bound;
    case Relation::kEqual: return value == bound;
    case Relation::kNotEqual: return value != bound;
    case Relation::kGreaterEqual: return value >= bound;
    case Relation::kGreater: return value > bound;
  }
  return false;
}

}  // namespace faultline
