// A part of an expression while its text is read: the steps that compute it, and what kind of quantity
// it is, so that seconds are not added to shares.
//
//   seconds    the power of seconds in it: mttr_seconds has 1, mttr_seconds * 2m has 2
//   scale      of what is left then: a number as it stands, a share (ettr, 95%), or another metric
//
// Sums need the same power of seconds on both sides, unless one side is 0. Products add the powers. A
// part without a metric is one step: a number.
//
// Worked example: `ettr * 2` has scale share and no seconds; `1h / 2m` is the number 30.
//
// Thread rule: values.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/lab/expression/expression.h"

namespace faultline {

struct ExpressionTerm {
  enum class Scale { kBare, kShare, kOther };

  std::vector<Expression::Step> steps;
  int seconds = 0;
  Scale scale = Scale::kBare;
  std::size_t begin = 0;  // in the text
  std::size_t end = 0;

  // Its value, if no metric is in it.
  std::optional<double> constant() const;
  // Becomes a number.
  void set(double value);
  Expression::Unit unit() const;
  // "a share", "seconds": what a message calls it.
  std::string_view quantity() const;
  // Whether the two can be added or compared.
  bool like(const ExpressionTerm& other) const;

  // `op` is one of + - * /. For sums the two are alike; a constant result may be infinite or no number.
  static ExpressionTerm combined(ExpressionTerm left, char op, ExpressionTerm right);
};

}  // namespace faultline
