// The stall report of `run`: hours lost per kind, how long stalls are, who was to blame, and what a
// shorter limit would have saved. From sim/engine/stalls.h; all but the first section are empty where nothing
// stalled.
//
// Thread rule: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>
#include <vector>

#include "sim/report/document.h"
#include "sim/report/run_results.h"

namespace faultline {

// One kind of stall, over its classes.
struct StallKind {
  std::string_view name;
  std::uint64_t count = 0;
  double lost_seconds = 0;  // in all runs
  Histogram lengths;
};
// All of them, in a fixed order; none if nothing stalled. The last one is agent noise, which has no fault
// class and so no lengths: it is the ledger's.
std::vector<StallKind> stall_kinds(const RunResults& results);
std::string_view stall_kind(const FaultClassConfig& config);

// The jobs' time over what it would have been at full speed, all else equal: T / (T - extra time).
// Example: 0.25 h extra in a day make 24 / 23.75 = 1.0105.
double slow_inflation(const RunResults& results);
// Share of the stalled hours that had one node as their cause (not a rack, not the job itself).
double share_of_one_node(const RunResults& results);

// By kind; "None." where nothing stalled.
Section nccl_stalls(const RunResults& results);
Section stalls_by_class(const RunResults& results);
Section stall_savings(const RunResults& results);

nlohmann::ordered_json stalls_json(const RunResults& results);

}  // namespace faultline
