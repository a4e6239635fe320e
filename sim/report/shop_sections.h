// The sections of a run's report about work that ends, gangs and the repair shop. Empty where the
// scenario has none.
//
// Thread rule: pure functions.
#pragma once

#include "sim/report/document.h"
#include "sim/report/run_results.h"

namespace faultline {

Section work_and_gang(const RunResults& results);
Section repair_shop(const RunResults& results);

}  // namespace faultline
