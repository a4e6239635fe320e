// How every JSON report writes statistics.
//
//   {"mean": 0.83, "ci95": [0.82, 0.84], "p5": 0.7, "p5_ci95": [0.66, 0.72], "p50": 0.84, "p50_ci95":
//    [0.83, 0.85], "p95": 0.9, "p95_ci95": [0.89, 0.92], "n": 200}
//
// The quantiles are over replications, which are independent; each has its interval from order statistics, an
// end of which is null where n is too small. (Quantiles of repair phases and of detection are over all repairs of
// all replications; repairs of one replication are not independent, so there is no such interval for them.)
//
// Numbers read back to the same double; what is not known is null.
//
// Thread rule: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/lab/stats/mean_estimate.h"
#include "sim/lab/stats/statistics.h"

namespace faultline {

inline constexpr int kJsonSchemaVersion = 2;

nlohmann::ordered_json json_of(const Summary& summary);
nlohmann::ordered_json json_of(const Interval& interval);           // [low, high]
nlohmann::ordered_json text_unless_empty(const std::string& text);  // null if it is

// Indented, with a newline at the end. A text in a scenario may hold any bytes; what is no UTF-8 is
// replaced, not thrown at.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace faultline
