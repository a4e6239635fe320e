// Times as decimal numbers that lose nothing: the journal's and the timeline's notation.
//
//   exact_seconds(Duration)        "600"  "12.1"  "0.000000001"  "-0.5"  no digit too many
//   exact_microseconds(Duration)   "12100000"  "0.001"
//   parse_exact_seconds(text)      the inverse of exact_seconds; nothing for any other text
//
// A double would do for 104 days (2^53 ns); these do for all of the 292 years of a `Duration`.
//
// Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/base/time.h"

namespace faultline {

std::string exact_seconds(Duration d);
std::string exact_microseconds(Duration d);
// Also accepts trailing zeros ("12.10"). No exponent, no sign but a leading minus, at most 9
// decimals.
std::optional<Duration> parse_exact_seconds(std::string_view text);

}  // namespace faultline
