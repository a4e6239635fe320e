// Quantities in ranges: `0s..30m/1m`, in whole numbers of the smallest unit that is written, so that steps add
// up exactly.
//
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace faultline {

// A problem at a place of the text.
struct RangeProblem {
  std::size_t byte = 0;
  std::string problem;
};

// Whether the text is meant to be a range: a number, and `..` somewhere behind it.
bool looks_like_range(std::string_view text);

// The values of `A..B/STEP`, as scenario files write them.
tl::expected<std::vector<std::string>, RangeProblem> range_values(std::string_view text);

// A quantity as a number: seconds of a duration, 0.1 of 10%, 64 of 64GiB. `kind` tells what can be compared:
// "duration", "", "%", "GiB". Nothing if the text is no quantity.
struct QuantityValue {
  double number = 0;
  std::string kind;
};
std::optional<QuantityValue> quantity_value(std::string_view text);

}  // namespace faultline
