// Recursive descent over the text of an expression or a condition.
//
//   condition  = side relation sum          side  = sum | primary ".delta"
//   sum        = product {("+" | "-") product}
//   product    = signed {("*" | "/") signed}
//   signed     = {"-"} primary
//   primary    = number [unit] | name ["{" member "}"] | "(" sum ")"
//
// Numbers are folded while parsing: a part without a metric is always one step, so that a division by
// zero or an overflow that the text shows is found here. Parentheses nest at most `kDeepest` times, so the
// stack is safe from any text.
//
// Errors: `error()` is the sentence of the first one; parsing stops there.
// Thread rule: one parser per text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lab/expression/expression.h"

namespace faultline {

class ExpressionParser {
 public:
  static constexpr int kDeepest = 64;
  using Step = Expression::Step;

  // A part of the text: its steps and what kind of quantity it is.
  struct Term {
    // Of a quantity without seconds: a number as it stands, a share (metric or unit), another metric.
    enum class Scale { kBare, kShare, kOther };

    std::vector<Step> steps;
    int seconds = 0;  // the power of seconds in it
    Scale scale = Scale::kBare;
    std::size_t begin = 0;  // in the text
    std::size_t end = 0;

    // Its value, if no metric is in it.
    std::optional<double> constant() const;
    Expression::Unit unit() const;
  };

  ExpressionParser(std::string_view text, const std::vector<MetricName>& metrics)
      : text_(text), metrics_(metrics) {}

  std::optional<Expression> expression();
  std::optional<Condition> condition(bool delta_allowed);
  const std::string& error() const { return error_; }

 private:
  std::optional<Term> side(bool delta_allowed, bool& delta);
  std::optional<Term> sum();
  std::optional<Term> product();
  std::optional<Term> signed_term();
  std::optional<Term> primary();
  std::optional<Term> number();
  std::optional<Term> metric();
  std::optional<Term> combined(Term left, char op, std::size_t at, Term right);
  std::optional<Relation> relation();
  bool comparable(const Term& left, const Term& right);
  bool ends();
  std::optional<std::string> delta_word();

  void skip_spaces();
  bool at_end() const { return here_ == text_.size(); }
  char next() const { return at_end() ? '\0' : text_[here_]; }
  std::string_view written(const Term& term) const {
    return text_.substr(term.begin, term.end - term.begin);
  }
  std::nullopt_t fail(std::size_t at, const std::string& sentence);

  std::string_view text_;
  const std::vector<MetricName>& metrics_;
  std::size_t here_ = 0;
  int depth_ = 0;
  std::string error_;
};

}  // namespace faultline
