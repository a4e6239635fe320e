// Arithmetic over metrics, as users write it for objectives, targets, expectations and thresholds.
//
//   ettr                                 a metric: `ettr_ratio`; the unit suffix may be left out
//   lost{redo} + lost{restart}           a family's member: `lost_ratio{cause="redo"}`
//   replacements / interruptions         a ratio of means, not a mean of ratios
//   ettr - 0.2pp * needless_replacements
//
// Operators: + - * / and parentheses, with the usual precedence. Numbers may carry units: 95%, 0.5pp
// (both hundredths), 10m, 2h30m (durations: seconds), 2.5, 1e3. What cannot be added or compared is an
// error: seconds with anything else (zero of anything is zero).
//
// An expression is a function f of the metrics' means. Its spread over the replications is that of the
// linearised values f(mean) + grad f(mean) . (x_r - mean), the delta method: exact where f is linear,
// and the standard ratio estimator for a quotient (Law, Simulation Modeling and Analysis, 5th ed.,
// section 9.5). The mean of the values is f(mean), their variance over n is its variance. Values of two
// points can be subtracted row by row, which pairs them.
//
//   Hand-checked: x = (1, 3), y = (2, 2): f = x/y is 2/2 = 1; the gradient is (1/2, -1/2); the values
//   are 1 + (1-2)/2 = 0.5 and 1.5.
//
// A metric that says nothing in a row (NaN: the mean of no repairs) has the mean m of the k of n rows
// that know it, itself a quotient: sum of x over sum of "known". Its linearised value is therefore m in
// the rows that do not know it and m + (x_r - m) n/k in the others; with k = n that is x_r. Likewise a metric
// that is a mean over w_r things of its row (MetricName::weight) has the mean m = sum(w x) / sum(w), and
// its linearised value is m + (x_r - m) w_r / mean(w) (ratio_of_means.h).
//
// Errors: sentences with the column and a suggestion ("column 1: unknown metric `etr`; did you mean
// ettr?"). What has no value is refused where the text shows it (`ettr / 0`, 1e308 * 10); where only the
// rows show it, the values are NaN and `undefined` says why.
// Thread rule: immutable after parsing.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sim/engine/metrics.h"
#include "sim/lab/stats/mean_limits.h"

namespace faultline {

class Expression {
 public:
  // How its numbers are printed: a share as a percentage, seconds as a duration, or plain.
  enum class Unit { kRatio, kSeconds, kPlain };
  // One step of the calculation, in postfix order.
  struct Step {
    enum class Kind { kNumber, kMetric, kAdd, kSubtract, kMultiply, kDivide, kNegate };
    Kind kind = Kind::kNumber;
    double number = 0;
    std::size_t metric = 0;  // the column in a row
    std::optional<std::size_t> weight =
        std::nullopt;  // the column that counts what it is a mean over
  };

  Expression() = default;
  Expression(std::string text, Unit unit, std::vector<Step> steps);
  static tl::expected<Expression, std::string> parse(std::string_view text,
                                                     const std::vector<MetricName>& metrics);

  // One value per row, as above.
  std::vector<double> values(const std::vector<std::vector<double>>& rows) const;
  // f of one row alone; NaN where the row does not say it.
  double at(const std::vector<double>& row) const;
  // Why the values over these rows are NaN, as a sentence; empty if they are numbers.
  std::string undefined(const std::vector<std::vector<double>>& rows) const;

  const std::string& text() const { return text_; }
  // The column, if it is a metric alone.
  std::optional<std::size_t> metric() const;
  Unit unit() const { return unit_; }
  // The columns that it reads, ascending.
  const std::vector<std::size_t>& columns() const { return columns_; }

 private:
  std::string text_;
  Unit unit_ = Unit::kPlain;
  std::vector<Step> steps_;
  std::vector<std::size_t> columns_;
  std::map<std::size_t, std::size_t> weights_;  // by column
};

// `EXPR <= EXPR`, for targets, expectations and --fail-if. In comparisons of two points, `.delta` after
// the left side (a metric, or a parenthesis) is the paired difference to the baseline; without it, the
// candidate's own mean.
//
// Normal form: a number on one side is the bound, whatever side it was written on (`95% <= ettr` reads
// ettr >= 95%); two expressions become their difference against 0.
enum class Relation { kLess, kLessEqual, kEqual, kNotEqual, kGreaterEqual, kGreater };
std::string_view to_string(Relation relation);  // "<="

struct Condition {
  Expression left;
  bool delta = false;  // of the left side
  Relation relation = Relation::kLess;
  double bound = 0;
  std::string text;
  // What the bound probably should have been, where it allows everything (or all but everything): a bare number
  // that is a share. "-0.5 is -50 pp; did you mean -0.5pp?", "1 is 100%; did you mean 1%?". Empty: no doubt.
  std::string doubt = {};

  static tl::expected<Condition, std::string> parse(std::string_view text,
                                                    const std::vector<MetricName>& metrics,
                                                    bool delta_allowed);
  // NaN meets no condition.
  bool holds(double value) const;
  // What the values of the left side can be: a metric that is a share is between 0 and 1, a difference of two
  // between -1 and 1.
  ValueRange range() const;
};

}  // namespace faultline
