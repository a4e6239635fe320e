// The curve of a tuning with one knob: a line per value, with its band. (Two knobs: tune_map.h.)
//
// Thread rule: pure function.
#pragma once

#include "sim/report/document.h"
#include "sim/report/tune_report.h"

namespace faultline {

Section tune_curve(const TuneReport& report);

}  // namespace faultline
