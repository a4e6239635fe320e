#include "sim/lab/knob_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>

#include "models/base/units.h"
#include "models/base/units_text.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

constexpr std::int64_t kMostValues = 10'000;
constexpr std::size_t kMostDigits = 9;  // so that every sum fits into 64 bits

// 12.50GiB is 1250 with two decimals.
struct Fixed {
  std::int64_t mantissa = 0;
  std::size_t decimals = 0;
  std::string_view unit;

  std::int64_t scaled(std::size_t to_decimals) const {
    std::int64_t value = mantissa;
    for (std::size_t i = decimals; i < to_decimals; ++i) value *= 10;
    return value;
  }
};

std::optional<Fixed> fixed(std::string_view text) {
  const std::size_t length = text::decimal_length(text);
  std::string digits(text.substr(0, length));
  const std::size_t point = digits.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : digits.size() - point - 1;
  if (point != std::string::npos) digits.erase(point, 1);
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  Fixed fixed{.decimals = decimals, .unit = text.substr(length)};
  std::from_chars(digits.data(), digits.data() + digits.size(), fixed.mantissa);
  return fixed;
}

std::string fixed_text(std::int64_t value, std::size_t decimals, std::string_view unit) {
  std::string text = fmt::format("{:0{}}", value, decimals + 1);
  if (decimals > 0) {
    text.insert(text.size() - decimals, ".");
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text + std::string(unit);
}

using Part = std::string_view;
using Parts = std::array<Part, 3>;  // first, last, step

// Whole numbers, and how to write one.
struct Whole {
  std::array<std::int64_t, 3> parts{};
  std::function<std::string(std::int64_t)> text;
};

std::optional<Whole> as_durations(const Parts& parts) {
  Whole whole{.text = [](std::int64_t ns) { return to_string(Duration::nanoseconds(ns)); }};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto duration = parse_duration(parts[i]);
    if (!duration || duration->is_infinite()) return std::nullopt;
    whole.parts[i] = duration->ns();
  }
  return whole;
}

std::optional<Whole> as_numbers(const Parts& parts) {
  std::array<Fixed, 3> numbers;
  std::size_t decimals = 0;
  std::string_view unit;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = fixed(parts[i]);
    if (!number) return std::nullopt;
    numbers[i] = *number;
    decimals = std::max(decimals, number->decimals);
    if (!number->unit.empty()) unit = number->unit;
  }
  Whole whole{
      .text = [decimals, unit](std::int64_t value) { return fixed_text(value, decimals, unit); }};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool same_unit = numbers[i].unit == unit || numbers[i].mantissa == 0;
    if (!same_unit) return std::nullopt;
    whole.parts[i] = numbers[i].scaled(decimals);
  }
  return whole;
}

}  // namespace

bool looks_like_range(std::string_view text) {
  return text::decimal_length(text) > 0 && text.find("..") != std::string_view::npos;
}

tl::expected<std::vector<std::string>, RangeProblem> range_values(std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::size_t slash = text.find('/', dots);
  if (slash == std::string_view::npos) {
    return tl::unexpected(RangeProblem{text.size(), "a range needs a step: `0s..30m/1m`"});
  }
  const Parts parts{text.substr(0, dots), text.substr(dots + 2, slash - dots - 2),
                    text.substr(slash + 1)};
  const std::array<std::size_t, 3> begins{0, dots + 2, slash + 1};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (quantity_value(parts[i])) continue;
    return tl::unexpected(RangeProblem{
        begins[i], fmt::format("`{}` is no quantity such as 30m, 64 or 10%", printable(parts[i]))});
  }
  auto whole = as_durations(parts);
  if (!whole) whole = as_numbers(parts);
  if (!whole) {
    return tl::unexpected(RangeProblem{
        0, fmt::format("`{}`, `{}` and `{}` are not quantities of one kind", printable(parts[0]),
                       printable(parts[1]), printable(parts[2]))});
  }
  const auto [first, last, step] = whole->parts;
  if (step == 0) return tl::unexpected(RangeProblem{begins[2], "the step is zero"});
  if (last < first) {
    return tl::unexpected(RangeProblem{
        begins[1], fmt::format("the range ends below its start: `{}..{}/{}`", printable(parts[1]),
                               printable(parts[0]), printable(parts[2]))});
  }
  const std::int64_t count = (last - first) / step + 1;
  if (count > kMostValues) {
    return tl::unexpected(RangeProblem{
        0, fmt::format("the range has {} values; at most {} make sense", count, kMostValues)});
  }
  std::vector<std::string> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(whole->text(first + i * step));
  return values;
}

std::optional<QuantityValue> quantity_value(std::string_view text) {
  const std::size_t length = text::decimal_length(text);
  if (length == 0) return std::nullopt;
  if (length < text.size()) {
    const auto duration = parse_duration(text);
    if (duration) return QuantityValue{duration->seconds(), "duration"};
  }
  const std::string_view unit = text.substr(length);
  const auto is_unit = [](char c) { return text::is_letter(c) || c == '%' || c == '/'; };
  if (!std::all_of(unit.begin(), unit.end(), is_unit)) return std::nullopt;
  const auto number = text::to_double(text.substr(0, length));
  if (!number) return std::nullopt;
  return QuantityValue{unit == "%" ? *number / 100 : *number, std::string(unit)};
}

}  // namespace faultline
