#include "sim/scenario/text_check.h"

#include <fmt/format.h>

namespace faultline {
namespace {

// Length of the UTF-8 sequence at the start of `text`; 0 when it is none (overlong forms,
// surrogates and code points above U+10FFFF are none).
std::size_t sequence_length(std::string_view text) {
  const auto at = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (at(i) & 0xC0U) == 0x80U; };
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead < 0xF0) {
    const bool overlong = lead == 0xE0 && at(1) < 0xA0;
    const bool surrogate = lead == 0xED && at(1) >= 0xA0;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead < 0xF5) {
    const bool overlong = lead == 0xF0 && at(1) < 0x90;
    const bool too_large = lead == 0xF4 && at(1) >= 0x90;
    return continues(1) && continues(2) && continues(3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::optional<BadByte> first_bad_byte(std::string_view text) {
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    return BadByte{zero, fmt::format("is a binary file: byte {} is 0", zero), true};
  }
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F) {
      return BadByte{i, fmt::format("has the control character 0x{:02x}", byte), false};
    }
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0) {
      return BadByte{i, fmt::format("is not UTF-8 text: byte {} is 0x{:02x}", i, byte), true};
    }
    i += length;
  }
  return std::nullopt;
}

}  // namespace faultline
