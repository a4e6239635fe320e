#include "models/base/units_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace faultline::text {

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string quoted = "`";
  for (const char c : text.substr(0, kLongest)) quoted += c >= ' ' && c <= '~' ? c : '?';
  return quoted + (text.size() > kLongest ? "...`" : "`");
}

std::string squeezed(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ' || c == '\t') continue;
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

std::string not_a(std::string_view what, std::string_view text, std::string_view write) {
  return fmt::format("{} is not a {}: write {}", quote(text), what, write);
}

namespace {

std::size_t digits_at(std::string_view text, std::size_t from) {
  std::size_t end = std::min(from, text.size());
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - std::min(from, text.size());
}

}  // namespace

std::size_t decimal_length(std::string_view text) {
  const std::size_t whole = digits_at(text, 0);
  if (whole == 0 || whole == text.size() || text[whole] != '.') return whole;
  const std::size_t fraction = digits_at(text, whole + 1);
  return fraction == 0 ? whole : whole + 1 + fraction;
}

std::size_t number_length(std::string_view text) {
  const std::size_t sign = text.substr(0, 1) == "-" ? 1 : 0;
  const std::size_t decimal = decimal_length(text.substr(sign));
  if (decimal == 0) return 0;
  const std::size_t end = sign + decimal;
  const std::string_view rest = text.substr(end);
  if (rest.empty() || (rest[0] != 'e' && rest[0] != 'E')) return end;
  const std::size_t digits_from = rest.size() > 1 && (rest[1] == '-' || rest[1] == '+') ? 2 : 1;
  const std::size_t digits = digits_at(rest, digits_from);
  return digits == 0 ? end : end + digits_from + digits;
}

std::optional<double> to_double(std::string_view number) {
  double value = 0;
  const char* const end = number.data() + number.size();
  const auto [stopped, error] = std::from_chars(number.data(), end, value);
  if (error != std::errc() || stopped != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<Quantity> to_quantity(std::string_view text) {
  const std::size_t length = number_length(text);
  if (length == 0) return std::nullopt;
  const std::optional<double> number = to_double(text.substr(0, length));
  if (!number) return std::nullopt;
  return Quantity{*number, text.substr(length)};
}

}  // namespace faultline::text
