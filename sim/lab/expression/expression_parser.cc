#include "sim/lab/expression/expression_parser.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "models/base/units.h"
#include "models/base/units_text.h"
#include "sim/lab/expression/metric_reference.h"
#include "sim/lab/metric_values.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

using Kind = Expression::Step::Kind;
using Term = ExpressionTerm;
using Scale = Term::Scale;

constexpr const char* kOperand = "a metric, a number or a parenthesis";

bool starts_name(char c) { return text::is_letter(c) || c == '_'; }
bool in_name(char c) { return starts_name(c) || text::is_digit(c); }

}  // namespace

std::nullopt_t ExpressionParser::fail(std::size_t at, const std::string& sentence) {
  error_ = fmt::format("column {}: {}", count_characters(text_.substr(0, at)) + 1, sentence);
  return std::nullopt;
}

void ExpressionParser::skip_spaces() {
  while (next() == ' ' || next() == '\t') ++here_;
}

bool ExpressionParser::at_name() const { return starts_name(next()); }

std::optional<Expression> ExpressionParser::expression() {
  const std::optional<Term> term = sum();
  if (!term || !ends()) return std::nullopt;
  if (term->constant()) {
    return fail(term->begin, fmt::format("{} names no metric", text::quote(written(*term))));
  }
  return Expression(std::string(written(*term)), term->unit(), term->steps);
}

std::optional<std::string> ExpressionParser::delta_word() {
  const std::size_t at = here_++;
  while (in_name(next())) ++here_;
  const std::string_view word = text_.substr(at, here_ - at);
  if (word == ".delta") return std::string(word);
  return fail(at, fmt::format("unknown {}; only .delta may stand here", text::quote(word)));
}

bool ExpressionParser::ends() {
  if (at_end()) return true;
  if (next() == '.') {
    if (delta_word()) fail(here_ - 6, "`.delta` belongs behind the left side of a comparison");
  } else if (next() == ')') {
    fail(here_, "this parenthesis was never opened");
  } else if (std::string_view("<>=!").find(next()) != std::string_view::npos) {
    fail(here_, "no comparison here: write the expression alone");
  } else {
    fail(here_,
         fmt::format("expected an operator or the end, got {}", text::quote(text_.substr(here_))));
  }
  return false;
}

std::optional<Term> ExpressionParser::sum() {
  std::optional<Term> left = product();
  while (left && (next() == '+' || next() == '-')) {
    const std::size_t at = here_++;
    std::optional<Term> right = product();
    if (!right) return std::nullopt;
    left = combined(std::move(*left), text_[at], at, std::move(*right));
  }
  return left;
}

std::optional<Term> ExpressionParser::product() {
  std::optional<Term> left = signed_term();
  while (left && (next() == '*' || next() == '/')) {
    const std::size_t at = here_++;
    std::optional<Term> right = signed_term();
    if (!right) return std::nullopt;
    left = combined(std::move(*left), text_[at], at, std::move(*right));
  }
  return left;
}

std::optional<Term> ExpressionParser::signed_term() {
  skip_spaces();
  const std::size_t begin = here_;
  bool negative = false;
  while (next() == '-') {
    negative = !negative;
    ++here_;
    skip_spaces();
  }
  std::optional<Term> term = primary();
  if (!term) return std::nullopt;
  term->begin = begin;
  term->end = here_;
  skip_spaces();
  if (!negative) return term;
  if (const std::optional<double> value = term->constant()) {
    term->set(-*value);
  } else {
    term->steps.push_back({.kind = Kind::kNegate});
  }
  return term;
}

std::optional<Term> ExpressionParser::primary() {
  if (text::is_digit(next())) return number();
  if (at_name()) return metric();
  if (next() == '(') {
    const std::size_t begin = here_;
    if (depth_ == kDeepest) {
      return fail(begin, fmt::format("more than {} parentheses inside each other", kDeepest));
    }
    ++depth_;
    ++here_;
    std::optional<Term> inside = sum();
    --depth_;
    if (!inside) return std::nullopt;
    if (next() == '.') {
      if (!delta_word()) return std::nullopt;
      return fail(here_ - 6, "`.delta` covers the whole left side: write (...).delta");
    }
    if (next() != ')') {
      if (at_end()) return fail(begin, "this parenthesis is never closed");
      return fail(here_, fmt::format("expected an operator or `)`, got {}",
                                     text::quote(text_.substr(here_))));
    }
    ++here_;
    inside->begin = begin;
    inside->end = here_;
    return inside;
  }
  if (text_.find_first_not_of(" \t") == std::string_view::npos) {
    return fail(0, "the text is empty: write a metric, such as ettr");
  }
  if (at_end()) return fail(here_, fmt::format("{} is missing at the end", kOperand));
  return fail(here_,
              fmt::format("expected {}, got {}", kOperand, text::quote(text_.substr(here_))));
}

std::optional<Term> ExpressionParser::number() {
  const std::size_t begin = here_;
  const std::size_t digits = text::number_length(text_.substr(here_));
  const std::string_view decimal = text_.substr(begin, digits);
  here_ += digits;
  while (next() == '%' || next() == '.' || in_name(next())) ++here_;
  Term term{.steps = {}, .begin = begin, .end = here_};
  const std::string_view token = written(term);
  const std::string_view unit = token.substr(digits);
  const bool share = unit == "%" || unit == "pp";
  if (unit.empty() || share) {
    std::optional<double> value = text::to_double(decimal);
    if (!value)
      return fail(begin, fmt::format("{} is too large or too small", text::quote(decimal)));
    if (share) {
      // The double nearest to the decimal text, which value / 100 need not be.
      const bool exponent = decimal.find_first_of("eE") != std::string_view::npos;
      const auto nearest = exponent ? std::nullopt : text::to_double(std::string(decimal) + "e-2");
      value = nearest.value_or(*value / 100);
      term.scale = Scale::kShare;
    }
    term.set(*value);
    return term;
  }
  const Parsed<Duration> duration = parse_duration(token);
  if (!duration) {
    return fail(begin, duration.error() + "; a share takes % or pp");
  }
  term.set(duration->seconds());
  term.seconds = 1;
  return term;
}

std::optional<Term> ExpressionParser::metric() {
  Term term{.steps = {}, .begin = here_};
  while (in_name(next())) ++here_;
  const std::string_view name = text_.substr(term.begin, here_ - term.begin);
  std::string_view member;
  const bool braces = next() == '{';
  const std::size_t member_begin = here_ + 1;
  if (braces) {
    const std::size_t close = text_.find('}', here_);
    if (close == std::string_view::npos) return fail(here_, "this brace is never closed");
    member = text_.substr(member_begin, close - member_begin);
    here_ = close + 1;
  }
  const auto column = find_metric(name, braces ? &member : nullptr, metrics_);
  if (!column) {
    return fail(column.error().in_member ? member_begin : term.begin, column.error().sentence);
  }
  const std::string& full_name = metrics_[*column].name;
  term.steps = {{.kind = Kind::kMetric, .metric = *column, .weight = weight_of(metrics_, *column)}};
  term.seconds = full_name.ends_with("_seconds") ? 1 : 0;
  term.scale = full_name.ends_with("_ratio") ? Scale::kShare : Scale::kOther;
  term.end = here_;
  return term;
}

std::optional<Term> ExpressionParser::combined(Term left, char op, std::size_t at, Term right) {
  if (op == '/' && right.constant() == 0.0) return fail(right.begin, "division by zero");
  if ((op == '+' || op == '-') && !left.like(right)) {
    return fail(at,
                fmt::format("{} and {} cannot be {}: {} and {}", written(left), written(right),
                            op == '+' ? "added" : "subtracted", left.quantity(), right.quantity()));
  }
  Term result = ExpressionTerm::combined(std::move(left), op, std::move(right));
  if (!std::isfinite(result.constant().value_or(0))) {
    return fail(result.begin, fmt::format("{} is too large", text::quote(written(result))));
  }
  return result;
}

}  // namespace faultline
