// The tornado of `faultline sensitivity`, for a person and for programs.
//
// JSON: {"schema_version": 2, "tool": "faultline", "experiment": "sensitivity", "scenario": "llama3", "seed": 1,
//   "replications": 100, "remark": null, "objective": "ettr", "by": 0.2, "confidence": 0.95,
//   "base": {"mean", "ci95": [lo, hi]},
//   "differences": [{"path", "place": "FILE:LINE", "why", "value", "swing", "detectable",
//                    "low":  {"value", "mean", "interval": [lo, hi], "n"}, "high": {...}}, ...],
//   "skipped": [{"path", "place", "value", "reason"}, ...]}
// `differences` are sorted as in the text: detectable ones first, by falling swing. `remark`: why this is not the
// whole answer, if it is not (interrupted, a share alone). `swing` and `detectable` of an assumption that was not
// tested are null.
//
// CSV: one line per assumption; what is not known is empty.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/lab/experiments/sensitivity.h"
#include "sim/report/document.h"
#include "sim/scenario/assumptions.h"

namespace faultline {

struct SkippedAssumption {
  Assumption assumption;
  std::string reason;  // continues "VALUE ..."
};

struct SensitivityResults {
  std::string scenario;
  std::uint64_t seed = 1;
  std::size_t replications = 0;  // of the base
  Expression objective;
  double by = 0.2;
  double confidence = 0.95;
  MeanEstimate base;
  std::vector<Assumption> assumptions;  // what Sensitivity::index means
  std::vector<Sensitivity> tornado;
  std::vector<SkippedAssumption> skipped;
  std::string remark;  // said before anything else, if it is not empty

  // Some assumption was tested.
  bool anything() const;
};

Document sensitivity_report(const SensitivityResults& results);
std::string sensitivity_json(const SensitivityResults& results);
std::string sensitivity_csv(const SensitivityResults& results);

}  // namespace faultline
