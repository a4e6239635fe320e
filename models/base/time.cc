#include "models/base/time.h"

#include <array>
#include <cstdio>
#include <utility>

namespace faultline {

std::string to_string(Duration d) {
  if (d.is_infinite()) return "infinite";
  if (d == Duration::zero()) return "0s";
  std::string text;
  if (d < Duration::zero()) {
    text = "-";
    d = -d;
  }
  constexpr std::array<std::pair<Duration, const char*>, 3> kUnits{
      {{1_d, "d"}, {1_h, "h"}, {1_min, "m"}}};
  for (const auto& [unit, name] : kUnits) {
    if (d < unit) continue;
    text += std::to_string(d / unit) + name;
    d = d % unit;
  }
  if (d == Duration::zero()) return text;
  const bool below_a_second = d < 1_s && (text.empty() || text == "-");
  const Duration unit = !below_a_second ? 1_s : d >= 1_ms ? 1_ms : d >= 1_us ? 1_us : 1_ns;
  text += std::to_string(d / unit);
  if (const std::int64_t rest = (d % unit).ns(); rest != 0) {
    // The fraction is exact: `rest` has as many decimals as the unit has zeros in nanoseconds.
    std::string digits = std::to_string(unit.ns() + rest).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  return text + (unit == 1_s ? "s" : unit == 1_ms ? "ms" : unit == 1_us ? "us" : "ns");
}

std::string to_string(SimTime t) {
  if (t.is_never()) return "never";
  const Duration d = t.since_start();
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%lldd %02lld:%02lld:%02lld.%03lld",
                static_cast<long long>(d / 1_d), static_cast<long long>(d % 1_d / 1_h),
                static_cast<long long>(d % 1_h / 1_min), static_cast<long long>(d % 1_min / 1_s),
                static_cast<long long>(d % 1_s / 1_ms));
  return text.data();
}

}  // namespace faultline
