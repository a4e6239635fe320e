// What `faultline check` found, for a person and for programs.
//
// JSON: {"schema_version": 2, "tool": "faultline", "experiment": "check", "seed": 1,
//   "remark": null, or why this is not the whole answer (interrupted, a share alone),
//   "holds": 2, "fails": 1, "undecided": 0,
//   "points": [{"scenario": "small", "replications": 100, "expectations": [
//     {"that": "ettr >= 85%", "confidence": 0.95, "verdict": "holds", "n": 100, "mean": 0.88,
//      "limits": [0.87, 0.89]},
//     {"that": "gate_blocked_total == 0", ..., "broken": 0, "break_chance": 0.0295}]}]}
//
// CSV: one line per expectation, the same fields.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/lab/experiments/expectations.h"
#include "sim/report/document.h"

namespace faultline {

struct CheckedScenario {
  std::string name;
  std::size_t replications = 0;
  std::vector<Expected> expected;
  std::vector<Judgement> judgements;  // one per expectation
};

struct CheckResults {
  std::uint64_t seed = 1;
  std::vector<CheckedScenario> scenarios;
  std::string remark;  // said before anything else, if it is not empty

  std::size_t count(Verdict verdict) const;
};

Document check_report(const CheckResults& results);
std::string check_json(const CheckResults& results);
std::string check_csv(const CheckResults& results);

}  // namespace faultline
