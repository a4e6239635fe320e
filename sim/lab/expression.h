// Arithmetic over metrics, as users write it for objectives, targets, expectations and thresholds.
//
//   ettr                                 a metric: `ettr_ratio`; the unit suffix may be left out
//   lost{redo} + lost{restart}           a family's member: `lost_ratio{cause="redo"}`
//   replacements / interruptions         a ratio of means, not a mean of ratios
//   ettr - 0.2pp * needless_replacements
//
// Numbers may carry units: 95%, 0.5pp (both hundredths), 10m (seconds), 2.5.
//
// An expression is a function f of the metrics' means. Its spread over the replications is that of the
// linearised values f(mean) + grad f(mean) . (x_r - mean), the delta method: exact where f is linear,
// and the standard ratio estimator for a quotient. Values of two points can be subtracted row by row,
// which pairs them.
//
//   Hand-checked: x = (1, 3), y = (2, 2): f = x/y is 2/2 = 1; the gradient is (1/2, -1/2); the values
//   are 1 + (1-2)/2 = 0.5 and 1.5.
//
// Errors: sentences with the column and a suggestion ("column 1: unknown metric `etr`; did you mean ettr?").
// Thread rule: immutable after parsing.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sim/engine/metrics.h"

namespace faultline {

class Expression {
 public:
  static tl::expected<Expression, std::string> parse(std::string_view text,
                                                     const std::vector<MetricName>& metrics);

  // One value per row, as above. A metric that a row says nothing about (NaN) counts in that row as its
  // mean over the others; NaN if no row says anything.
  std::vector<double> values(const std::vector<std::vector<double>>& rows) const;
  const std::string& text() const { return text_; }
  // How its numbers are printed: a share as a percentage, seconds as a duration, or plain.
  enum class Unit { kRatio, kSeconds, kPlain };
  Unit unit() const { return unit_; }

  struct Node;

 private:
  std::string text_;
  Unit unit_ = Unit::kPlain;
  std::shared_ptr<const Node> root_;
};

// `EXPR <= EXPR`, for targets, expectations and --fail-if. In comparisons of two points, `.delta` after a
// metric or a parenthesis is the paired difference to the baseline; without it, the candidate's own mean.
enum class Relation { kLess, kLessEqual, kEqual, kNotEqual, kGreaterEqual, kGreater };
struct Condition {
  Expression left;
  bool delta = false;  // of the left side
  Relation relation = Relation::kLess;
  double bound = 0;
  std::string text;

  static tl::expected<Condition, std::string> parse(std::string_view text,
                                                    const std::vector<MetricName>& metrics,
                                                    bool delta_allowed);
  bool holds(double value) const;
};

}  // namespace faultline
