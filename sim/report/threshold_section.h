// What came of each --fail-if of `compare`, for each candidate.
//
// Thread rule: pure function.
#pragma once

#include "sim/report/compare_results.h"
#include "sim/report/document.h"

namespace faultline {

Section threshold_section(const CompareResults& results);

}  // namespace faultline
