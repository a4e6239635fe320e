// The report of `faultline spares`.
//
// JSON:
//   {"schema_version": 2, "tool": "faultline", "experiment": "spares", "scenario", "seed",
//    "replications" (null with --reps auto), "stopping": {"looks", "cap", "capped"} of --reps auto,
//    "target", "confidence", "spares": "warm" or "cold", "most", "complete",
//    "points": [{"spares", "verdict": "meets" "misses" "open", "n", "mean", "ci95": [lo, hi], "bound",
//                "ettr_ratio", "stockout_ratio", "runs_with_stockout", "spares_used_max",
//                "lost_ratio": {ACCOUNT: share}, "chain_stockout_ratio", "cost_gpu_hours"}, ...],
//    "differences": [{"from", "to", "mean", "ci95", "gained_gpu_hours": {"mean", "ci95"},
//                     "cost_gpu_hours"}, ...],
//    "chain": {"spares", "nodes", "losses_per_node_second", "lead_seconds", "stockout_ratio", ...,
//              "breaks": [...], "notes": [...]} or {"none_because"},
//    "recommendation": {"spares" or null, "by_chain" or null, "text": [...]}}
//
// CSV: a line per number of spares.
//
// Texts are pure functions of (scenario, seed, question). Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lab/experiments/spares.h"
#include "sim/report/document.h"

namespace faultline {

std::string_view verdict_name(SparesVerdict verdict);  // as JSON and CSV have it

// `scenario` and `seed` are those that were asked for.
struct SparesReport {
  const SparesAnswer& answer;
  const Scenario& scenario;
  std::uint64_t seed = 1;
  std::string remark;  // said before anything else, if it is not empty

  Document document() const;
  std::string json() const;
  std::string csv() const;
  // The answer in sentences: the first one is what to do.
  std::vector<std::string> verdict() const;
};

}  // namespace faultline
