// Comma-separated values after RFC 4180, for spreadsheets and data frames: lines end with "\n", a text with a
// comma, a quote or a line break stands in quotes, a number is the shortest one that reads back to the same
// double, and what is not known is empty.
//
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/lab/stats/statistics.h"

namespace faultline {

std::string csv_text(std::string_view text);
std::string csv_number(double value);
// A line of such texts, with its end; each field is written as csv_text does.
std::string csv_row(const std::vector<std::string>& fields);

// A metric's line in a table of metrics, and the table's first line; other columns may stand before them.
std::string csv_summary_columns();
std::string csv_summary(std::string_view metric, const Summary& summary);

}  // namespace faultline
