#include "sim/lab/expression/expression_term.h"

#include <utility>

namespace faultline {
namespace {

using Kind = Expression::Step::Kind;
using Term = ExpressionTerm;
using Scale = Term::Scale;

Scale scale_of_sum(const Term& left, const Term& right) {
  if (left.scale == right.scale || right.scale == Scale::kBare) return left.scale;
  return left.scale == Scale::kBare ? right.scale : Scale::kOther;
}

Scale scale_of_product(const Term& left, const Term& right) {
  if (left.scale == Scale::kShare || right.scale == Scale::kShare) return Scale::kShare;
  const bool bare = left.scale == Scale::kBare && right.scale == Scale::kBare;
  return bare ? Scale::kBare : Scale::kOther;
}

Scale scale_of_quotient(const Term& left, const Term& right) {
  if (right.scale == Scale::kShare) return Scale::kOther;
  return scale_of_product(left, right);
}

double applied(char op, double left, double right) {
  switch (op) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    default: return left / right;
  }
}

Kind kind_of(char op) {
  switch (op) {
    case '+': return Kind::kAdd;
    case '-': return Kind::kSubtract;
    case '*': return Kind::kMultiply;
    default: return Kind::kDivide;
  }
}

bool is_zero(const Term& term) { return term.constant() == 0.0; }

}  // namespace

std::optional<double> Term::constant() const {
  if (steps.size() != 1 || steps.front().kind != Kind::kNumber) return std::nullopt;
  return steps.front().number;
}

Expression::Unit Term::unit() const {
  if (seconds == 1) return Expression::Unit::kSeconds;
  const bool share = seconds == 0 && scale == Scale::kShare;
  return share ? Expression::Unit::kRatio : Expression::Unit::kPlain;
}

void Term::set(double value) { steps = {{.kind = Kind::kNumber, .number = value}}; }

std::string_view Term::quantity() const {
  if (seconds == 1) return "seconds";
  if (seconds != 0) return "a power of seconds";
  return scale == Scale::kShare ? "a share" : "a plain number";
}

bool Term::like(const Term& other) const {
  return seconds == other.seconds || is_zero(*this) || is_zero(other);
}

Term Term::combined(Term left, char op, Term right) {
  Term result{.steps = {}, .begin = left.begin, .end = right.end};
  if (op == '+' || op == '-') {
    result.seconds = is_zero(left) ? right.seconds : left.seconds;
    result.scale = scale_of_sum(left, right);
  } else {
    result.seconds = left.seconds + (op == '*' ? right.seconds : -right.seconds);
    result.scale = op == '*' ? scale_of_product(left, right) : scale_of_quotient(left, right);
  }
  const std::optional<double> a = left.constant();
  const std::optional<double> b = right.constant();
  if (a && b) {
    result.set(applied(op, *a, *b));
    return result;
  }
  result.steps = std::move(left.steps);
  result.steps.insert(result.steps.end(), right.steps.begin(), right.steps.end());
  result.steps.push_back({.kind = kind_of(op)});
  return result;
}

}  // namespace faultline
