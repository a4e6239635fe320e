#include "sim/lab/store/store_rows.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace faultline {

std::string row_to_text(const std::vector<double>& row) {
  std::string text = "[";
  for (const double value : row) {
    if (text.size() > 1) text += ',';
    if (std::isnan(value)) {
      text += "null";
    } else if (std::isinf(value)) {
      text += value > 0 ? "1e999" : "-1e999";
    } else {
      fmt::format_to(std::back_inserter(text), "{}", value);
    }
  }
  return text + "]";
}

std::optional<std::vector<double>> row_from_text(std::string_view text) {
  constexpr std::string_view kNull = "null";
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  std::vector<double> row;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  while (at != end) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (std::string_view(at, end).starts_with(kNull)) {
      at += kNull.size();
    } else {
      const auto [after, error] = std::from_chars(at, end, value);
      if (error == std::errc::result_out_of_range) {
        value = *at == '-' ? -std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::infinity();
      } else if (error != std::errc()) {
        return std::nullopt;
      }
      at = after;
    }
    row.push_back(value);
    if (at == end) break;
    if (*at++ != ',' || at == end) return std::nullopt;
  }
  return row;
}

}  // namespace faultline
