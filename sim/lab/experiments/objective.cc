#include "sim/lab/experiments/objective.h"

#include <utility>

namespace faultline {
namespace {

constexpr double kSecondsPerHour = 3600;

Objective::Unit unit_of(Expression::Unit unit) {
  switch (unit) {
    case Expression::Unit::kRatio: return Objective::Unit::kRatio;
    case Expression::Unit::kSeconds: return Objective::Unit::kSeconds;
    case Expression::Unit::kPlain: break;
  }
  return Objective::Unit::kPlain;
}

// Takes a leading word away.
bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || text.size() == word.size() || text[word.size()] != ' ') {
    return false;
  }
  text.remove_prefix(word.size() + 1);
  return true;
}

}  // namespace

double owned_gpu_hours(const Point& point) {
  return static_cast<double>(point.plan().fleet().gpus()) * point.scenario().horizon.seconds() /
         kSecondsPerHour;
}

Expression cost_expression(const Point& point) {
  using Kind = Expression::Step::Kind;
  return Expression("cost", Expression::Unit::kPlain,
                    {{.kind = Kind::kNumber, .number = owned_gpu_hours(point)},
                     {.kind = Kind::kNumber, .number = 1},
                     {.kind = Kind::kMetric, .metric = MetricIndex::kGoodput},
                     {.kind = Kind::kSubtract},
                     {.kind = Kind::kMultiply}});
}

Objective Objective::cost(const Point& point) {
  Objective objective;
  objective.text_ = "cost";
  objective.unit_ = Unit::kGpuHours;
  objective.larger_is_better_ = false;
  objective.expression_ = cost_expression(point);
  return objective;
}

tl::expected<Objective, std::string> Objective::parse(std::string_view text, const Point& point) {
  if (text == "cost") return cost(point);
  Objective objective;
  objective.larger_is_better_ = !take_word(text, "min");
  if (objective.larger_is_better_) take_word(text, "max");
  auto expression = Expression::parse(text, point.metrics());
  if (!expression) return tl::unexpected(std::move(expression.error()));
  objective.text_ = text;
  objective.unit_ = unit_of(expression->unit());
  objective.expression_ = std::move(*expression);
  return objective;
}

std::vector<double> Objective::values(const std::vector<std::vector<double>>& rows) const {
  return expression_.values(rows);
}

}  // namespace faultline
