// Values of options that are not plain text. Errors are sentences without a full stop.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/base/time.h"
#include "sim/lab/expression/expression.h"
#include "sim/lab/stats/sequential_stopping.h"

namespace faultline {

// "--reps: 0 is not a whole number from 1 to 1000000".
tl::expected<std::int64_t, std::string> whole_number(const std::string& option,
                                                     const std::string& text, std::int64_t least,
                                                     std::int64_t most);

// A word that is not one of the names: "--backend: `simgird` is not analytic, fluid or simgrid; did you
// mean `simgrid`?". Nothing if it is.
std::optional<std::string> not_one_of(const char* option, const std::string& text,
                                      const std::vector<std::string>& names);

// A half-width for `--reps auto`: a share of the estimate (`1%`), or in the unit of the metric (`0.1pp` of
// a share, `30s`, `2.5`). An empty text is the default: 0.1pp of a share, 1% of anything else.
tl::expected<Precision, std::string> precision(const std::string& text, Expression::Unit unit);

// An instant as it is printed ("12d 03:04:05.678") or as the time since the start ("12d3h4m").
tl::expected<SimTime, std::string> instant(const std::string& text);

}  // namespace faultline
