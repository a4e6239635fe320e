// What an agent's bursts cost a job, arrangement by arrangement, for a person and for programs.
//
// JSON: {"schema_version": 2, "tool": "faultline", "experiment": "noise", "scenario", "job", "seed",
//   "gang": {"nodes", "gpus", "work_seconds", "spare_cores", "saturating_nodes"},
//   "monitoring": {"tasks", "period_seconds", "burst_seconds", "cores"},
//   "arrangements": [{"inside_node", "across_nodes", "present", "slowdown",
//                     "charged": {...}, "gpu_hours_a_day", "bursts_at_once",
//                     "replayed": {"slowdown", "error", "ci95": [lo, hi], "sets"}}, ...],
//   "half_burst": {"slowdown", "gpu_hours_a_day"}, "caveats": ["...", ...], "advice": ["...", ...]}
// `slowdown` is what a run charges, by `charged` (charged_noise_text.h); `replayed` is beside it, by other
// phases. `work_seconds` is the work between two meetings. CSV: one line per arrangement.
//
// Thread rule: pure functions.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sim/lab/experiments/noise.h"
#include "sim/report/document.h"

namespace faultline {

struct NoiseResults {
  std::string scenario;
  std::string job;
  NoiseComparison comparison;
};

Document noise_report(const NoiseResults& results);
std::string noise_json(const NoiseResults& results);
std::string noise_csv(const NoiseResults& results);

// In words: where closed forms do not hold, or nothing judges them.
std::vector<std::string> noise_caveats(const NoiseResults& results);

// In words: where the common advice, to jitter the start of agents, is right here and where
// aligning wins; and what the other levers are worth (noise_advice.cc).
std::vector<std::string> noise_advice(const NoiseResults& results);

// The replay for ui.perfetto.dev: the gang's meetings, and the bursts of the nodes that it waited
// for. False if the stream failed.
[[nodiscard]] bool write_noise_timeline(std::ostream& out, const NoiseSettings& settings,
                                        const NoiseSlice& slice);

}  // namespace faultline
