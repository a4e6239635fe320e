#include "sim/cli/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "models/base/units.h"
#include "sim/scenario/diagnostics.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

// "12d 03:04:05.678" -> "12d3h4m5.678s"; what looks otherwise comes back as it was, such as
// "12d 25:00:00" and "03:61:00", which no clock shows.
std::string as_duration(const std::string& text) {
  struct Hand {
    char unit;
    int below;
  };
  const std::size_t space = text.find(' ');
  std::string out = space == std::string::npos ? "" : text.substr(0, space);
  std::string_view clock = std::string_view(text).substr(out.empty() ? 0 : space + 1);
  if (std::count(clock.begin(), clock.end(), ':') != 2) return text;
  const int hours = out.empty() ? std::numeric_limits<int>::max() : 24;
  for (const auto& [unit, below] : {Hand{'h', hours}, {'m', 60}, {'s', 60}}) {
    std::string_view part = clock.substr(0, clock.find(':'));
    if (part.empty()) return text;
    clock.remove_prefix(std::min(part.size() + 1, clock.size()));
    int shown = 0;
    std::from_chars(part.data(), part.data() + part.size(), shown);
    if (shown >= below) return text;
    while (part.size() > 1 && part[0] == '0' && part[1] != '.') part.remove_prefix(1);
    out += std::string(part) + unit;
  }
  return out;
}

}  // namespace

std::optional<std::string> not_one_of(const char* option, const std::string& text,
                                      const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), text) != names.end()) return std::nullopt;
  const std::string meant = suggest(text, names);
  return fmt::format("{}: `{}` is not {}{}", option, printable(text), join_names(names),
                     meant.empty() ? "" : fmt::format("; did you mean `{}`?", meant));
}

tl::expected<std::int64_t, std::string> whole_number(const std::string& option,
                                                     const std::string& text, std::int64_t least,
                                                     std::int64_t most) {
  const auto number = parse_count(text);
  if (number && *number >= least && *number <= most) return *number;
  return tl::unexpected(fmt::format("{}: `{}` is not a whole number from {} to {}", option,
                                    printable(text), least, most));
}

tl::expected<Precision, std::string> precision(const std::string& text, Expression::Unit unit) {
  if (text.empty()) {
    const bool share = unit == Expression::Unit::kRatio;
    return Precision{.half_width = share ? 0.001 : 0.01, .relative = !share};
  }
  constexpr const char* kExamples[] = {"0.1pp or 1%", "30s or 1%", "2.5 or 1%"};
  const auto wrong =
      tl::unexpected(fmt::format("--precision: `{}` is no half-width such as {}", printable(text),
                                 kExamples[static_cast<std::size_t>(unit)]));
  const auto width = [&](double half_width, bool relative) -> tl::expected<Precision, std::string> {
    if (!(half_width > 0) || std::isinf(half_width)) return wrong;
    return Precision{.half_width = half_width, .relative = relative};
  };
  if (text.ends_with('%')) return width(parse_ratio(text).value_or(0), true);
  switch (unit) {
    case Expression::Unit::kRatio:
      if (!text.ends_with("pp")) return wrong;
      return width(parse_ratio(text.substr(0, text.size() - 2) + "%").value_or(0), false);
    case Expression::Unit::kSeconds:
      return width(parse_duration(text).value_or(Duration::zero()).seconds(), false);
    case Expression::Unit::kPlain: break;
  }
  return width(parse_number(text).value_or(0), false);
}

tl::expected<SimTime, std::string> instant(const std::string& text) {
  const auto since_start = parse_duration(as_duration(text));
  if (since_start && !since_start->is_infinite()) return SimTime::at(*since_start);
  return tl::unexpected(
      fmt::format("`{}` is no instant: write `12d3h4m` or `12d 03:04:05.678`", printable(text)));
}

}  // namespace faultline
