// The results of a run as JSON, for programs.
//
//   {"schema_version": 2, "tool": "faultline", "experiment": "run", "scenario": ..., "description": ..., "seed": 1,
//    "replications": 200, "requested": 200, "horizon_seconds": 4665600.0,
//    "stopping":  null, or what --reps auto came to: {"half_width", "target", "reached", "capped"} of ETTR,
//    "metrics":   {"ettr_ratio": {"mean", "ci95": [lo, hi], "p5", "p50", "p95", "n"},
//                  "interruptions_total{class=\"gpu-hbm\"}": {...}, ...},     names: sim/engine/metrics.h
//    "exposure":  [{"class", "rate_per_unit", "unit", "clock", "units", "expected_events"}, ...],
//    "detection": [{"class", "reason", "channel", "condition", "severity", "n", "share",
//                   "p50_seconds", "p99_seconds"}, ...],
//    "repair":    {"fault_to_ready_seconds": {"by_channel": {NAME: {"n", "p50", "p95", "p99"}},
//                                             "by_class": {...}},
//                  "phase_seconds": {"detect": {...}, ...}},
//    "agent_noise": [{"job", "slowdown", "charged": {...}, "caveat": null | "..."}, ...]}
//
// `agent_noise` is there with `detectors.monitoring`: what it adds to the time of a job's steps at full speed, and
// by what it is charged (charged_noise_text.h).
// `replications` are those that were finished, `requested` what was asked for. `rate_per_unit` is per second.
// Numbers are written so that they read back to the same double; what is not known is null. The text is a
// pure function of (scenario, seed, replications): it holds no time of day, no thread count, no path.
//
// Thread rule: pure function.
#pragma once

#include <string>

#include "sim/report/run_results.h"

namespace faultline {

// Indented; ends with a newline.
std::string json_report(const RunResults& results);

}  // namespace faultline
