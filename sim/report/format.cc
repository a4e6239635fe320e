#include "sim/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace faultline {
namespace {

constexpr const char* kUnknown = "-";
constexpr int kMostDecimals = 3;

double half_width(const Summary& summary) { return (summary.ci95_high - summary.ci95_low) / 2; }

// As many as a number of this size deserves beside others; none for a whole one.
int decimals_of(double value) {
  if (value == std::round(value)) return 0;
  return std::abs(value) < 0.1 ? 3 : std::abs(value) < 10 ? 2 : 1;
}

}  // namespace

std::string number(double value, int decimals) {
  if (!std::isfinite(value)) return kUnknown;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  const std::size_t first_digit = text.front() == '-' ? 1 : 0;
  std::size_t end = std::min(text.find('.'), text.size());
  while (end > first_digit + 3) {
    end -= 3;
    text.insert(end, ",");
  }
  return text;
}

std::string counted(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", number(static_cast<double>(n), 0), noun, n == 1 ? "" : "s");
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:%+@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string percent(double ratio, int decimals) {
  return std::isfinite(ratio) ? number(ratio * 100, decimals) + "%" : kUnknown;
}

std::string brief(double seconds) {
  if (!std::isfinite(seconds)) return kUnknown;
  if (seconds < 0) return "-" + brief(-seconds);
  // Each form ends where its rounding would reach the next one.
  if (seconds < 0.0015) return "0s";  // (a histogram's least bucket is a millisecond)
  if (seconds < 0.9995) return fmt::format("{:.0f}ms", seconds * 1e3);
  if (seconds < 9.95) return fmt::format("{:.1f}s", seconds);
  if (seconds < 59.5) return fmt::format("{:.0f}s", seconds);
  if (seconds < 3599.5) {
    const auto whole = static_cast<std::int64_t>(std::round(seconds));
    return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  }
  if (seconds < 86370) {
    const auto minutes = static_cast<std::int64_t>(std::round(seconds / 60));
    return fmt::format("{}h{:02}m", minutes / 60, minutes % 60);
  }
  return number(seconds / 86400, 1) + "d";
}

std::string with_margin(double mean, double margin, std::string_view unit, int least_decimals) {
  const bool known = margin > 0;  // false for NaN too
  const int decimals = known ? std::clamp(-static_cast<int>(std::floor(std::log10(margin))),
                                          least_decimals, kMostDecimals)
                             : least_decimals;
  if (std::isnan(mean)) return kUnknown;
  const std::string text = number(mean, decimals) + std::string(unit);
  const bool visible = known && margin >= std::pow(10, -kMostDecimals) / 2;
  return visible ? fmt::format("{} +- {}", text, number(margin, decimals)) : text;
}

std::string brief_with_margin(double seconds, double margin) {
  if (!(margin > 0)) return brief(seconds);
  return fmt::format("{} +- {}", brief(seconds), brief(margin));
}

std::string with_margin(const Summary& summary) {
  return with_margin(summary.mean, half_width(summary), "");
}

std::string percent_with_margin(const Summary& summary) {
  return with_margin(100 * summary.mean, 100 * half_width(summary), "%");
}

std::string brief_with_margin(const Summary& summary) {
  return brief_with_margin(summary.mean, half_width(summary));
}

std::string with_margin(const Summary& summary, Expression::Unit unit) {
  switch (unit) {
    case Expression::Unit::kRatio: return percent_with_margin(summary);
    case Expression::Unit::kSeconds: return brief_with_margin(summary);
    case Expression::Unit::kPlain: break;
  }
  return with_margin(summary);
}

std::string value_text(double value, Expression::Unit unit) {
  switch (unit) {
    case Expression::Unit::kRatio: return percent(value, decimals_of(100 * value));
    case Expression::Unit::kSeconds: return brief(value);
    case Expression::Unit::kPlain: break;
  }
  return number(value, decimals_of(value));
}

std::string bar(double share, int width) {
  if (!(share > 0)) return "";
  const auto length = static_cast<int>(std::round(std::min(share, 1.0) * width));
  return std::string(static_cast<std::size_t>(std::max(length, 1)), '#');
}

}  // namespace faultline
