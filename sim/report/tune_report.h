// The answer of `tune` for people and for programs.
//
// Text and Markdown: the recommendation with its indifference zone and what it is worth against the present
// setting; the curve of one knob, drawn with its bands, or the map of two; the trade-off against needless
// replacements; how it was found.
//
// JSON:
//
//   {"schema_version": 2, "tool": "faultline", "experiment": "tune", "scenario": ..., "seed": 1,
//    "replications": 3344, "objective": {"text", "goal": "max"|"min", "unit"}, "precision": 0.001,
//    "knobs":  [{"path", "values": [...]}, ...],   "subject_to": [TEXT, ...],
//    "points": [{"label", "settings": {PATH: VALUE}, "standing", "feasible", "pareto", "n",
//                "objective": {"mean", "ci95"}, "precise", "behind": {"mean", "ci95"},
//                "more_gpu_hours": {...}, "more_needless_replacements": {...},
//                "metrics": {"ettr_ratio", "replacements_total", "needless_replacements_total"},
//                "conditions": [{"mean", "ci95"}, ...]}, ...],
//    "recommendation": {"label", "settings", "decided", "zone": [LABEL, ...]} or null,
//    "differences": {"present": {"label", "behind", "more_gpu_hours", "more_needless_replacements"}} or null,
//    "procedure": ...}
//
// `standing`: best, zone (may be the best), beaten, infeasible, undefined. Intervals of differences (behind,
// more_*) are to the recommendation; those of a quantity hold for all points at once (sim/lab/experiments/tune.h).
//
// CSV: one line per point of the grid, a column per knob.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/lab/experiments/tune.h"
#include "sim/lab/knob.h"
#include "sim/report/document.h"

namespace faultline {

struct TuneReport {
  const std::vector<Knob>& knobs;
  const std::vector<TunePoint>& points;  // as the tuning has them: the grid first
  const TuneResults& results;
  std::uint64_t seed = 1;

  const Scenario& scenario() const { return points.front().point->scenario(); }
  const Objective& objective() const { return points.front().objective; }
};

Document tune_document(const TuneReport& report);
std::string tune_json(const TuneReport& report);
std::string tune_csv(const TuneReport& report);

// best, zone, beaten, infeasible, undefined.
std::string_view standing_name(const TuneResults& results, std::size_t point);
// The values that may be the best, as a person says them: "Anything from 2m to 6m is within noise of the
// best (95%)."
std::string zone_text(const TuneReport& report);

}  // namespace faultline
