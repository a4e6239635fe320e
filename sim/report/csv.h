// Comma-separated values after RFC 4180, for spreadsheets and data frames: lines end with "\n", a text with a
// comma, a quote or a line break stands in quotes, a number is the shortest one that reads back to the same
// double, and what is not known is empty.
//
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

std::string csv_text(std::string_view text);
std::string csv_number(double value);

}  // namespace faultline
