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
#include "sim/lab/expression/expression_term.h"

namespace faultline {

class ExpressionParser {
 public:
  static constexpr int kDeepest = 64;

  ExpressionParser(std::string_view text, const std::vector<MetricName>& metrics)
      : text_(text), metrics_(metrics) {}

  std::optional<Expression> expression();
  std::optional<Condition> condition(bool delta_allowed);
  const std::string& error() const { return error_; }

 private:
  std::optional<ExpressionTerm> side(bool delta_allowed, bool& delta);
  std::optional<ExpressionTerm> sum();
  std::optional<ExpressionTerm> product();
  std::optional<ExpressionTerm> signed_term();
  std::optional<ExpressionTerm> primary();
  std::optional<ExpressionTerm> number();
  std::optional<ExpressionTerm> metric();
  std::optional<ExpressionTerm> combined(ExpressionTerm left, char op, std::size_t at,
                                         ExpressionTerm right);
  std::optional<Relation> relation();
  bool comparable(const ExpressionTerm& left, const ExpressionTerm& right);
  bool ends();
  std::optional<std::string> delta_word();

  void skip_spaces();
  bool at_name() const;
  bool at_end() const { return here_ == text_.size(); }
  char next() const { return at_end() ? '\0' : text_[here_]; }
  std::string_view written(const ExpressionTerm& term) const {
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
