#include "models/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "models/base/units_text.h"

namespace faultline {

using tl::unexpected;

Parsed<double> parse_number(std::string_view text) {
  if (text.empty() || text::number_length(text) != text.size()) {
    return unexpected(text::not_a("number", text, "12, 0.5 or 1e-3"));
  }
  const std::string_view unsigned_text = text[0] == '-' ? text.substr(1) : text;
  if (unsigned_text.size() > 1 && unsigned_text[0] == '0' && text::is_digit(unsigned_text[1])) {
    return unexpected(
        fmt::format("{} has a leading 0: write the number without it", text::quote(text)));
  }
  const std::optional<double> value = text::to_double(text);
  if (!value) return unexpected(fmt::format("{} is too large or too small", text::quote(text)));
  return *value;
}

Parsed<std::int64_t> parse_count(std::string_view text) {
  const bool negative = text.size() > 1 && text[0] == '-' && text::is_digit(text[1]);
  if (negative) return unexpected<std::string>("a count cannot be negative");
  if (text.empty() || !std::all_of(text.begin(), text.end(), text::is_digit)) {
    return unexpected(text::not_a("count", text, "digits only, as in 1000"));
  }
  if (text.size() > 1 && text[0] == '0') {
    return unexpected(
        fmt::format("{} has a leading 0: write the count without it", text::quote(text)));
  }
  std::int64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) {
    return unexpected(fmt::format("{} is too large for a count", text::quote(text)));
  }
  return value;
}

Parsed<Limit> parse_limit(std::string_view text) {
  if (text == "unlimited") return Limit{};
  const Parsed<std::int64_t> count = parse_count(text);
  if (count) return Limit{*count};
  if (!text.empty() && text::is_digit(text[0])) return unexpected(count.error());
  return unexpected(text::not_a("limit", text, "a count such as 12, or unlimited"));
}

Parsed<Gate> parse_gate(std::string_view text) {
  if (text == "off") return Gate{};
  if (text.ends_with('%')) {
    const Parsed<double> ratio = parse_ratio(text);
    if (!ratio) return unexpected(ratio.error());
    const double exact = *ratio * static_cast<double>(Gate::kWhole);
    const double millionths = std::round(exact);
    if (std::abs(exact - millionths) > 1e-6) {
      return unexpected(fmt::format("{} has more than 4 decimals", text::quote(text)));
    }
    return Gate{Gate::Kind::kShare, static_cast<std::int64_t>(millionths)};
  }
  const Parsed<std::int64_t> count = parse_count(text);
  if (count) return Gate{Gate::Kind::kCount, *count};
  const Parsed<double> ratio = parse_ratio(text);
  return unexpected(text::not_a(
      "gate", text, ratio ? ratio_to_string(*ratio) : "20%, a count such as 3, or off"));
}

std::string to_string(Gate gate) {
  switch (gate.kind) {
    case Gate::Kind::kOff: return "off";
    case Gate::Kind::kCount: return fmt::format("{}", gate.amount);
    case Gate::Kind::kShare:
      return fmt::format("{}%", static_cast<double>(gate.amount) * 100 / Gate::kWhole);
  }
  return "?";
}

// A percentage is read with its exponent moved by two: "33.3%" is the double nearest to 0.333,
// which 33.3 / 100 need not be.
Parsed<double> parse_ratio(std::string_view text) {
  constexpr std::string_view kExample = "20% or 0.2";
  const std::optional<text::Quantity> read = text::to_quantity(text);
  if (!read || (!read->unit.empty() && read->unit != "%")) {
    return unexpected(text::not_a("ratio", text, kExample));
  }
  if (text[0] == '-') return unexpected<std::string>("a ratio cannot be negative");
  const bool percent = read->unit == "%";
  if (!percent && read->number > 1 && read->number <= 100) {
    return unexpected(
        fmt::format("a ratio is at most 1: write {}% for {} of 100", read->number, read->number));
  }
  if (read->number > (percent ? 100 : 1)) {
    return unexpected<std::string>("a ratio cannot be more than 100%");
  }
  if (!percent) return read->number;
  const std::string_view digits = text.substr(0, text.size() - 1);
  if (digits.find_first_of("eE") != std::string_view::npos) return read->number / 100;
  return text::to_double(std::string(digits) + "e-2").value_or(0);
}

std::string ratio_to_string(double ratio) {
  std::string percent = fmt::format("{:.15g}%", ratio * 100);
  return parse_ratio(percent) == ratio ? percent : fmt::format("{}", ratio);
}

std::string to_string(Limit limit) {
  return limit.unlimited() ? "unlimited" : fmt::format("{}", limit.count);
}

}  // namespace faultline
