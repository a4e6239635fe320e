#include <fmt/format.h>

#include <array>
#include <charconv>
#include <system_error>

#include "models/base/units.h"
#include "models/base/units_text.h"

namespace faultline {
namespace {

using tl::unexpected;

struct Unit {
  std::string_view name;
  Duration length;
};
constexpr std::array<Unit, 8> kUnits{{{"w", 7_d},
                                      {"d", 1_d},
                                      {"h", 1_h},
                                      {"m", 1_min},
                                      {"s", 1_s},
                                      {"ms", 1_ms},
                                      {"us", 1_us},
                                      {"ns", 1_ns}}};

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

// "Minutes" -> "m"; an unknown word stays as it is.
std::string_view short_unit(std::string_view word) {
  struct Alias {
    std::string_view word, unit;
  };
  static constexpr std::array<Alias, 12> kAliases{{{"week", "w"},
                                                   {"wk", "w"},
                                                   {"day", "d"},
                                                   {"hour", "h"},
                                                   {"hr", "h"},
                                                   {"minute", "m"},
                                                   {"min", "m"},
                                                   {"second", "s"},
                                                   {"sec", "s"},
                                                   {"millisecond", "ms"},
                                                   {"microsecond", "us"},
                                                   {"nanosecond", "ns"}}};
  const std::string_view singular =
      word.size() > 2 && word.back() == 's' ? word.substr(0, word.size() - 1) : word;
  for (const Alias& alias : kAliases) {
    if (alias.word == singular) return alias.unit;
  }
  return word;
}

std::size_t letters_at_start(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && text::is_letter(text[end])) ++end;
  return end;
}

// The same duration in our notation, if the text is one in another: "2 hours 30 min" -> "2h30m".
std::string translated(std::string_view text) {
  const std::string plain = text::squeezed(text);
  std::string_view rest = plain;
  if (rest == "inf" || rest == "never" || rest == "forever" || rest == "infinite") {
    return "infinite";
  }
  std::string result;
  while (const std::size_t number = text::decimal_length(rest)) {
    result += rest.substr(0, number);
    rest.remove_prefix(number);
    const std::size_t letters = letters_at_start(rest);
    result += short_unit(rest.substr(0, letters));
    rest.remove_prefix(letters);
  }
  return result + std::string(rest);
}

// One part of a duration: `decimal` units, exactly.
Parsed<Duration> times(std::string_view decimal, const Unit& unit) {
  const std::size_t point = decimal.find('.');
  const std::string_view whole = decimal.substr(0, point);
  std::int64_t count = 0;
  const auto parsed = std::from_chars(whole.data(), whole.data() + whole.size(), count);
  Duration sum = parsed.ec == std::errc() ? unit.length * count : Duration::infinite();
  if (point != std::string_view::npos) {
    std::string_view fraction = decimal.substr(point + 1);
    while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
    // 18 digits of a week in nanoseconds fit into 128 bits; no unit has room for more digits.
    __extension__ using Wide = __int128;
    constexpr std::size_t kMostDigits = 18;
    Wide nanoseconds = unit.length.ns();
    Wide numerator = 0;
    Wide denominator = 1;
    for (const char digit : fraction.substr(0, kMostDigits)) {
      numerator = numerator * 10 + (digit - '0');
      denominator *= 10;
    }
    nanoseconds *= numerator;
    if (fraction.size() > kMostDigits || nanoseconds % denominator != 0) {
      return unexpected(fmt::format("{} is not a whole number of nanoseconds",
                                    text::quote(fmt::format("{}{}", decimal, unit.name))));
    }
    sum += Duration::nanoseconds(static_cast<std::int64_t>(nanoseconds / denominator));
  }
  return sum;
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
  if (text == "0") return Duration::zero();
  if (text == "infinite") return Duration::infinite();
  if (text.size() > 1 && text[0] == '-' && text::is_digit(text[1])) {
    return unexpected<std::string>("a duration cannot be negative");
  }
  const auto not_a_duration = [&] {
    const std::string meant = translated(text);
    const bool known = meant != text && parse_duration(meant).has_value();
    return unexpected(text::not_a("duration", text, known ? meant : "10s, 10m or 10h"));
  };
  if (text.empty()) return not_a_duration();

  Duration sum;
  Duration previous_unit = Duration::infinite();
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view number = rest.substr(0, text::decimal_length(rest));
    if (number.empty()) return not_a_duration();
    rest.remove_prefix(number.size());
    const std::string_view name = rest.substr(0, letters_at_start(rest));
    rest.remove_prefix(name.size());
    if (name.empty() && rest.empty()) {
      return unexpected(fmt::format("a duration needs a unit: write {0}s, {0}m or {0}h", number));
    }
    const Unit* const unit = find_unit(name);
    if (unit == nullptr && short_unit(text::squeezed(name)) == name && !name.empty()) {
      return unexpected(
          fmt::format("{} is not a unit of time: a duration takes w, d, h, m, s, ms, "
                      "us or ns",
                      text::quote(name)));
    }
    if (unit == nullptr) return not_a_duration();
    if (unit->length >= previous_unit) {
      return unexpected<std::string>(
          "the units of a duration go from large to small, each once: write 2h30m");
    }
    if (!rest.empty() && number.find('.') != std::string_view::npos) {
      return unexpected<std::string>(
          "only the last number of a duration can have a fraction: write 90m or 1.5h");
    }
    const Parsed<Duration> part = times(number, *unit);
    if (!part) return unexpected(part.error());
    sum += *part;
    previous_unit = unit->length;
  }
  if (sum.is_infinite()) {
    return unexpected<std::string>(
        "a duration must be shorter than 292 years: write infinite for what never ends");
  }
  return sum;
}

}  // namespace faultline
