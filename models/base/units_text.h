// What the parsers of units.h share: how a number looks, and how a message quotes a text.
//
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::text {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The text between backquotes, cut after 40 characters; what is not printable ASCII becomes '?'.
std::string quote(std::string_view text);

// Lower case without spaces, for suggestions: "5 Min" -> "5min".
std::string squeezed(std::string_view text);

// "`5 min` is not a duration: write 5m".
std::string not_a(std::string_view what, std::string_view text, std::string_view write);

// The length of "12" or "12.5" at the start of the text, 0 if there is none.
std::size_t decimal_length(std::string_view text);
// The same with a sign and an exponent: "-12.5e-3".
std::size_t number_length(std::string_view text);

// The value of a text that is a number_length() long. None if it does not fit into a double.
std::optional<double> to_double(std::string_view number);

// A number and what stands behind it: "64GiB" -> 64, "GiB". None if the text starts otherwise.
struct Quantity {
  double number = 0;
  std::string_view unit;
};
std::optional<Quantity> to_quantity(std::string_view text);

}  // namespace faultline::text
