#include "sim/lab/knob.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "sim/lab/knob_range.h"
#include "sim/scenario/diagnostics.h"
#include "sim/scenario/outer_text.h"

namespace faultline {
namespace {

constexpr std::size_t kMostPoints = 10'000;

tl::unexpected<std::string> problem(std::size_t byte, std::string_view what) {
  return tl::unexpected(fmt::format("column {}: {}", byte + 1, what));
}

struct Item {
  std::size_t begin = 0;
  std::string_view text;
};

// Between commas that stand in no bracket and no quote.
std::vector<Item> split(std::string_view text, std::size_t begin) {
  std::vector<Item> items{{begin, {}}};
  OuterText outer;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (outer.holds(text[i]) && text[i] == ',') {
      items.push_back({i + 1, {}});
      continue;
    }
    items.back().text = text.substr(items.back().begin, i + 1 - items.back().begin);
  }
  return items;
}

std::vector<double> numbers_of(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  std::optional<std::string> kind;
  for (const std::string& value : values) {
    const auto quantity = quantity_value(value);
    if (!quantity) return {};
    const bool zero = quantity->number == 0 && quantity->kind.empty();
    if (!zero && kind.value_or(quantity->kind) != quantity->kind) return {};
    if (!zero) kind = quantity->kind;
    numbers.push_back(quantity->number);
  }
  return numbers;
}

}  // namespace

tl::expected<Knob, std::string> Knob::parse(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return problem(0, "write PATH=VALUES, such as `policy.gate=off,10%..50%/10%`");
  }
  Knob knob{.path = std::string(text.substr(0, equals))};
  std::set<std::string> seen;
  for (const Item& item : split(text, equals + 1)) {
    if (item.text.empty()) return problem(item.begin, "a value is missing");
    std::vector<std::string> values{std::string(item.text)};
    if (looks_like_range(item.text)) {
      auto range = range_values(item.text);
      if (!range) return problem(item.begin + range.error().byte, range.error().problem);
      values = std::move(*range);
    }
    for (std::string& value : values) {
      if (!seen.insert(value).second) {
        return problem(item.begin, fmt::format("the value `{}` comes twice", printable(value)));
      }
      knob.values.push_back(std::move(value));
    }
  }
  knob.numbers = numbers_of(knob.values);
  return knob;
}

std::string Knob::name() const { return path.substr(path.rfind('.') + 1); }

std::vector<std::vector<std::size_t>> grid(const std::vector<Knob>& knobs) {
  std::vector<std::vector<std::size_t>> combinations{{}};
  for (const Knob& knob : knobs) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& combination : combinations) {
      for (std::size_t i = 0; i < knob.values.size(); ++i) {
        longer.push_back(combination);
        longer.back().push_back(i);
      }
    }
    combinations = std::move(longer);
  }
  return combinations;
}

std::string label(const std::vector<Knob>& knobs, const std::vector<std::size_t>& combination) {
  if (knobs.empty()) return "as it is";
  if (knobs.size() == 1) return knobs[0].values[combination[0]];
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < knobs.size(); ++k) {
    parts.push_back(knobs[k].name() + "=" + knobs[k].values[combination[k]]);
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

tl::expected<std::vector<Knob>, std::string> parse_knobs(const std::vector<std::string>& texts) {
  std::vector<Knob> knobs;
  std::size_t combinations = 1;
  for (const std::string& text : texts) {
    auto knob = Knob::parse(text);
    if (!knob) return tl::unexpected(fmt::format("--vary {}: {}", printable(text), knob.error()));
    for (const Knob& other : knobs) {
      if (other.path != knob->path) continue;
      return tl::unexpected(fmt::format("--vary: `{}` is varied twice", printable(knob->path)));
    }
    combinations *= knob->values.size();
    if (combinations > kMostPoints) {
      return tl::unexpected(
          fmt::format("--vary: {} combinations of values are more than {}; take larger steps",
                      combinations, kMostPoints));
    }
    knobs.push_back(std::move(*knob));
  }
  return knobs;
}

}  // namespace faultline
