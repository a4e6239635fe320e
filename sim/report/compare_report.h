// A comparison for people (a Document) and for programs (JSON, CSV).
//
// The order is that of a decision: what changes, the verdict, the thresholds, every difference that
// shows, the hazards, and the replications in which the candidate did worst, with the reason. With
// several candidates, the ranked table with the best set comes first.
//
// JSON:
//
//   {"schema_version": 2, "tool": "faultline", "experiment": "compare", "scenario": ..., "seed": 1, "replications": 100,
//    "requested": 100, "remark": null, or why this is not the whole answer (interrupted, a share alone),
//    "stopping": null, or the sentence that --reps auto came to,
//    "by": "ettr", "confidence": 0.95,
//    "points":      [{"name": "A", "label", "scenario", "settings", "hash",
//                     "metrics": {NAME: {"mean", "ci95": [lo, hi], "n"}}}, ...],
//    "differences": [{"name": "B", "replications": 100, "changes": [{"path", "from", "to"}],
//                     "by": {"baseline", "candidate", "difference", "ci95", "n",
//                            "variance_ratio", "verdict"},
//                     "metrics": {NAME: the same, ...}, "only_baseline", "only_candidate": [NAME],
//                     "hazards": [{"metric", "change": "none", "new" or "grows",
//                                  "baseline_runs", "candidate_runs",
//                                  "baseline_worst", "candidate_worst", "worst_replication"}],
//                     "worst": [{"replication", "baseline", "candidate", "difference", "reason"}],
//                     "thresholds": [{"condition", "value", "ci95",
//                                     "outcome": "failed", "passed" or "undecided"}]}],
//    "recommendation": null, or {"procedure", "best": [NAME],
//                                "ranked": [{"name", "mean", "ci95", "may_be_best",
//                                            "to_best_other": [lo, hi]}]}}
//
// `verdict`: higher, lower (shown at 95%), undetected, same (in every replication), unknown. What
// is not known is null. `to_best_other` is signed so that above 0 is better.
//
// CSV: one line per candidate and metric, with a line of titles. If points are ranked by something that is no
// metric (`cost`, an expression), its line is the first one of each candidate.
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "sim/report/compare_results.h"
#include "sim/report/document.h"

namespace faultline {

Document compare_report(const CompareResults& results);
std::string compare_json(const CompareResults& results);
std::string compare_csv(const CompareResults& results);

}  // namespace faultline
