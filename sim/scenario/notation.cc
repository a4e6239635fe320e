#include "sim/scenario/notation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace faultline {

Parsed<bool> Notation<bool>::parse(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return tl::unexpected<std::string>("is not a boolean");
}

std::string Notation<bool>::meant(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  constexpr std::array<std::string_view, 5> kYes{"true", "yes", "on", "y", "1"};
  constexpr std::array<std::string_view, 5> kNo{"false", "no", "off", "n", "0"};
  if (std::find(kYes.begin(), kYes.end(), lower) != kYes.end()) return "true";
  return std::find(kNo.begin(), kNo.end(), lower) != kNo.end() ? "false" : "";
}

Parsed<std::int64_t> Notation<std::int64_t>::parse(std::string_view text) {
  return parse_count(text);
}

Parsed<std::string> Notation<std::string>::parse(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F, in UTF-8.
    const bool c1 =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1 || byte == 0x7F || (byte < 0x20 && byte != '\n' && byte != '\t')) {
      return tl::unexpected<std::string>("has a control character");
    }
  }
  return std::string(text);
}

std::string Notation<double>::text(double value) { return fmt::format("{}", value); }

}  // namespace faultline
