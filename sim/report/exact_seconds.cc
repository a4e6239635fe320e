#include "sim/report/exact_seconds.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace faultline {
namespace {

constexpr std::size_t kDecimals = 9;

std::string decimal(std::int64_t n, std::int64_t unit, int digits) {
  const auto magnitude = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  const auto one = static_cast<std::uint64_t>(unit);
  std::string text = fmt::format("{}{}", n < 0 ? "-" : "", magnitude / one);
  if (magnitude % one == 0) return text;
  text += fmt::format(".{:0{}}", magnitude % one, digits);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

// Digits and nothing else.
std::optional<std::int64_t> parse_digits(std::string_view text) {
  std::int64_t value = 0;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

std::string exact_seconds(Duration d) { return decimal(d.ns(), 1'000'000'000, 9); }

std::string exact_microseconds(Duration d) { return decimal(d.ns(), 1'000, 3); }

std::optional<Duration> parse_exact_seconds(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const auto whole = parse_digits(text.substr(0, point));
  std::string decimals(point == std::string_view::npos ? "0" : text.substr(point + 1));
  if (!whole || decimals.empty() || decimals.size() > kDecimals) return std::nullopt;
  decimals.resize(kDecimals, '0');
  const auto part = parse_digits(decimals);
  if (!part) return std::nullopt;
  const Duration sum = 1_s * *whole + Duration::nanoseconds(*part);
  if (sum.is_infinite() && (*whole != Duration::infinite().ns() / 1'000'000'000 ||
                            *part != Duration::infinite().ns() % 1'000'000'000)) {
    return std::nullopt;  // out of range
  }
  return negative ? -sum : sum;
}

}  // namespace faultline
