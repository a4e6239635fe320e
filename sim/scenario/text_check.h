// Whether bytes are text at all, before a YAML parser sees them.
//
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace faultline {

struct BadByte {
  std::size_t byte = 0;
  std::string problem;  // continues "FILE ..."
  bool binary = false;  // not a text file: its lines are not worth showing
};

// The first control character (other than tab and line break), NUL, or sequence that is not UTF-8.
std::optional<BadByte> first_bad_byte(std::string_view text);

}  // namespace faultline
