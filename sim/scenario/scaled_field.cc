#include "sim/scenario/scaled_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "models/base/units.h"
#include "models/base/units_text.h"
#include "sim/scenario/notation.h"

namespace faultline {
namespace {

// Ten digits are enough for a person, and hide what 0.8 is not in binary.
double tidy(double value) { return std::strtod(fmt::format("{:.10g}", value).c_str(), nullptr); }

Duration times(Duration duration, double factor) {
  return Duration::from_seconds(tidy(duration.seconds() * factor));
}

std::int64_t times(std::int64_t count, double factor) {
  const std::int64_t rounded = std::llround(static_cast<double>(count) * factor);
  if (rounded != count || count == 0 || factor == 1) return rounded;
  return factor > 1 ? count + 1 : count - 1;
}

template <class T>
bool is(const Shape& shape) {
  return shape.type == Notation<T>::kType;
}

// The text of a scalar times `factor`; nothing if it is no number, or one that does not grow.
std::optional<std::string> scaled_text(const std::string& text, const Shape& shape, double factor) {
  if (is<Duration>(shape)) {
    const auto value = parse_duration(text);
    if (!value || value->is_infinite()) return std::nullopt;
    return to_string(times(*value, factor));
  }
  if (is<Ratio>(shape)) {
    const auto value = parse_ratio(text);
    if (!value) return std::nullopt;
    return ratio_to_string(std::min(1.0, tidy(*value * factor)));
  }
  if (is<Rate>(shape)) {
    auto value = parse_rate(text);
    if (!value) return std::nullopt;
    value->count = tidy(value->count * factor);
    return to_string(*value);
  }
  if (is<double>(shape)) {
    const auto value = parse_number(text);
    if (!value) return std::nullopt;
    return Notation<double>::text(tidy(*value * factor));
  }
  if (is<std::int64_t>(shape)) {
    const auto value = parse_count(text);
    if (!value) return std::nullopt;
    return Notation<std::int64_t>::text(times(*value, factor));
  }
  if (is<Limit>(shape)) {
    auto value = parse_limit(text);
    if (!value || value->unlimited()) return std::nullopt;
    value->count = times(value->count, factor);
    return to_string(*value);
  }
  if (is<Gate>(shape)) {
    auto value = parse_gate(text);
    if (!value || value->kind == Gate::Kind::kOff) return std::nullopt;
    value->amount = times(value->amount, factor);
    if (value->kind == Gate::Kind::kShare) value->amount = std::min(value->amount, Gate::kWhole);
    return to_string(*value);
  }
  if (is<Bytes>(shape) || is<Bandwidth>(shape)) {
    const auto value = text::to_quantity(text);
    if (!value) return std::nullopt;
    return fmt::format("{}{}", tidy(value->number * factor), value->unit);
  }
  return std::nullopt;
}

// Multiplies all times of a distribution; false if it holds none that can be seen here (a file).
bool scale_distribution(Tree& tree, double factor) {
  static const ShapePtr kDuration = describe<Duration>();
  if (tree.kind == Tree::Kind::kScalar && tree.tag.empty()) {
    auto text = scaled_text(tree.text, *kDuration, factor);
    if (text) tree.text = std::move(*text);
    return text.has_value();
  }
  constexpr std::array<std::string_view, 6> kTimes{"lo", "hi", "mean", "scale", "median", "p95"};
  bool any = false;
  for (TreeEntry& entry : tree.entries) {
    Tree& value = entry.value;
    if (std::find(kTimes.begin(), kTimes.end(), entry.key) != kTimes.end()) {
      any = scale_distribution(value, factor) || any;
    } else if (entry.key == "mu") {
      const auto mu = parse_number(value.text);
      if (mu && factor > 0) value.text = Notation<double>::text(tidy(*mu + std::log(factor)));
      any = mu && factor > 0;
    } else if (entry.key == "values") {
      for (Tree& time : value.items) any = scale_distribution(time, factor) || any;
    } else if (entry.key == "parts") {
      for (Tree& part : value.items) {
        for (TreeEntry& of : part.entries) {
          if (of.key == "of") any = scale_distribution(of.value, factor) || any;
        }
      }
    }
  }
  return any;
}

}  // namespace

Tree scaled(Tree leaf, const Shape& shape, double factor) {
  if (shape.kind == Shape::Kind::kDistribution) {
    scale_distribution(leaf, factor);
  } else if (leaf.kind == Tree::Kind::kScalar) {
    if (auto text = scaled_text(leaf.text, shape, factor)) leaf.text = std::move(*text);
  }
  return leaf;
}

}  // namespace faultline
