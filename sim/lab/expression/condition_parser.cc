// The part of the parser that reads comparisons; expression_parser.cc reads what is compared.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "models/base/units_text.h"
#include "sim/lab/expression/expression_parser.h"

namespace faultline {
namespace {

using Term = ExpressionTerm;
using Scale = Term::Scale;

Relation mirrored(Relation relation) {
  switch (relation) {
    case Relation::kLess: return Relation::kGreater;
    case Relation::kLessEqual: return Relation::kGreaterEqual;
    case Relation::kGreaterEqual: return Relation::kLessEqual;
    case Relation::kGreater: return Relation::kLess;
    default: return relation;
  }
}

constexpr double kLargeDifference =
    0.2;  // of shares: a change of a cluster by 20 pp is no tolerance

// A bare number as a bound on a share, where a percentage makes more sense.
std::string doubt_about(const Condition& condition, std::string_view written) {
  const bool limit =
      condition.relation != Relation::kEqual && condition.relation != Relation::kNotEqual;
  if (condition.delta && std::abs(condition.bound) >= kLargeDifference) {
    return fmt::format("{} is {:.6g} pp; did you mean {}pp?", written, 100 * condition.bound,
                       written);
  }
  if (!condition.delta && limit && condition.bound == 1) {
    return fmt::format("{} is 100%; did you mean {}%?", written, written);
  }
  return {};
}

}  // namespace

std::optional<Condition> ExpressionParser::condition(bool delta_allowed) {
  Condition condition;
  condition.text = std::string(text_);
  std::optional<Term> left = side(delta_allowed, condition.delta);
  if (!left) return std::nullopt;
  const std::optional<Relation> compares = relation();
  if (!compares) return std::nullopt;
  condition.relation = *compares;
  std::optional<Term> right = sum();
  if (!right) return std::nullopt;
  if (std::string_view("<>=!").find(next()) != std::string_view::npos && !at_end()) {
    return fail(here_, "one comparison at a time: write two conditions");
  }
  if (!ends() || !comparable(*left, *right)) return std::nullopt;

  if (left->constant() && right->constant()) {
    return fail(left->begin, "the condition names no metric");
  }
  if (left->constant()) {
    std::swap(left, right);
    condition.relation = mirrored(condition.relation);
  }
  if (condition.delta && !right->constant()) {
    return fail(right->begin, "a difference is compared with a number");
  }
  if (const std::optional<double> bound = right->constant()) {
    condition.bound = *bound;
    if (right->scale == Scale::kBare && left->unit() == Expression::Unit::kRatio) {
      condition.doubt = doubt_about(condition, written(*right));
    }
    condition.left = Expression(std::string(written(*left)), left->unit(), std::move(left->steps));
    return condition;
  }
  const std::string text = fmt::format("{} - ({})", written(*left), written(*right));
  const std::optional<Term> difference = combined(std::move(*left), '-', right->begin, *right);
  if (!difference) return std::nullopt;
  condition.left = Expression(text, difference->unit(), difference->steps);
  return condition;
}

// `.delta` belongs to the side as a whole, so it stands behind a side that is one primary.
std::optional<Term> ExpressionParser::side(bool delta_allowed, bool& delta) {
  skip_spaces();
  const std::size_t begin = here_;
  if (at_name() || next() == '(') {
    std::optional<Term> term = primary();
    if (!term) return std::nullopt;
    if (next() == '.') {
      const std::size_t at = here_;
      if (!delta_word()) return std::nullopt;
      if (!delta_allowed) {
        return fail(at, "`.delta` is the difference to a baseline, and here is none");
      }
      if (term->constant()) return fail(at, "`.delta` of a number is always 0");
      skip_spaces();
      if (std::string_view("+-*/").find(next()) != std::string_view::npos && !at_end()) {
        return fail(at, "`.delta` covers the whole left side: write (...).delta");
      }
      delta = true;
      return term;
    }
  }
  here_ = begin;
  return sum();
}

std::optional<Relation> ExpressionParser::relation() {
  struct Spelling {
    std::string_view text;
    Relation relation;
  };
  static constexpr std::array<Spelling, 6> kSpellings{{{"<=", Relation::kLessEqual},
                                                       {">=", Relation::kGreaterEqual},
                                                       {"==", Relation::kEqual},
                                                       {"!=", Relation::kNotEqual},
                                                       {"<", Relation::kLess},
                                                       {">", Relation::kGreater}}};
  constexpr const char* kKnown = "<, <=, ==, !=, >= or >";
  const std::string_view rest = text_.substr(here_);
  if (rest.starts_with("=<")) return fail(here_, "write <= for at most");
  if (rest.starts_with("=>")) return fail(here_, "write >= for at least");
  for (const Spelling& spelling : kSpellings) {
    if (!rest.starts_with(spelling.text)) continue;
    here_ += spelling.text.size();
    return spelling.relation;
  }
  if (rest.starts_with("=")) return fail(here_, "write == for equal");
  if (rest.empty()) return fail(here_, fmt::format("a condition compares: {} is missing", kKnown));
  if (next() == '.') {
    if (!delta_word()) return std::nullopt;
    return fail(here_ - 6, "`.delta` covers the whole left side: write (...).delta");
  }
  return fail(here_, fmt::format("expected {}, got {}", kKnown, text::quote(rest)));
}

bool ExpressionParser::comparable(const Term& left, const Term& right) {
  const Term& number = left.constant() ? left : right;
  const Term& other = left.constant() ? right : left;
  if (!left.like(right)) {
    if (number.constant() && other.seconds == 1 && number.scale == Scale::kBare) {
      fail(number.begin,
           fmt::format("{} is in seconds: write {}s", written(other), written(number)));
    } else {
      fail(right.begin, fmt::format("{} and {} cannot be compared: {} and {}", written(left),
                                    written(right), left.quantity(), right.quantity()));
    }
    return false;
  }
  const std::optional<double> bound = number.constant();
  if (bound && number.scale == Scale::kBare && other.unit() == Expression::Unit::kRatio &&
      std::abs(*bound) > 1) {
    fail(number.begin,
         fmt::format("{} is a share of 1: write {}%", written(other), written(number)));
    return false;
  }
  return true;
}

}  // namespace faultline
