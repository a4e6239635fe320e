// A replication's metrics as text, in a result store: a JSON array, `[0.98,0,null]`.
//
// A text can be read by every tool (SQLite's own json_extract, above all), and is exact: each number is the
// shortest decimal that reads back to the same double. NaN is null; an infinite value is 1e999, which JSON
// readers take for infinity.
//
//   (0.1, NaN, 3)   [0.1,null,3]
//
// Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

std::string row_to_text(const std::vector<double>& row);

// Nothing if the text is damaged.
std::optional<std::vector<double>> row_from_text(std::string_view text);

}  // namespace faultline
