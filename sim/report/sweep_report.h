// What `faultline sweep` answers: the statistics of every point of a grid.
//
// CSV is in long format, one line per point and metric: the values of the knobs, then metric, mean, ci95_low,
// ci95_high, p5, p50, p95, n. JSON has the same in its own form:
//
//   {"schema_version": 2, "tool": "faultline", "experiment": "sweep", "scenario": ..., "seed": 1,
//    "replications": 100,
//    "points": [{"label": "2m", "settings": {"policy.gate": "20%"}, "hash": ..., "replications": 100,
//                "metrics": {"ettr_ratio": {"mean", "ci95": [lo, hi], "p5", "p50", "p95", "n"}, ...}}, ...]}
//
// Text and Markdown show a line per point, with the chosen metrics side by side; where the user chose them, each
// gets a table of its own with its spread.
//
// Thread rule: values and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/lab/expression/expression.h"
#include "sim/lab/stats/statistics.h"
#include "sim/report/document.h"

namespace faultline {

struct SweepResults {
  struct Point {
    std::string label;
    std::vector<std::string> values;  // of the knobs
    std::string hash;
    std::size_t replications = 0;                          // that are finished
    std::vector<std::pair<std::string, Summary>> metrics;  // all, or those that were chosen
    std::vector<Summary> shown;                            // of text and Markdown
  };
  struct Column {
    std::string text;  // "ettr"
    Expression::Unit unit = Expression::Unit::kPlain;
  };

  std::string scenario;
  std::uint64_t seed = 0;
  std::uint32_t requested = 0;     // replications of each point
  std::vector<std::string> knobs;  // their paths
  std::vector<Column> columns;     // of text and Markdown
  bool chosen = false;             // by the user
  std::vector<Point> points;
};

Document sweep_document(const SweepResults& results);
std::string sweep_json(const SweepResults& results);
std::string sweep_csv(const SweepResults& results);

}  // namespace faultline
