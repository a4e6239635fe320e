// The sections of the report of a run about repair and detection (run_report.h puts them together).
//
// Thread rule: pure functions.
#pragma once

#include "sim/report/document.h"
#include "sim/report/run_results.h"

namespace faultline {

Section repair_phases(const RunResults& results);
Section fault_to_ready(const RunResults& results);
Section safety_gate(const RunResults& results);
Section replacements(const RunResults& results);
// From the fault to the condition, per class and channel: what detection can promise.
Section detection_promises(const RunResults& results);
// The same for warnings, which no controller acts on.
Section detection_warnings(const RunResults& results);

}  // namespace faultline
