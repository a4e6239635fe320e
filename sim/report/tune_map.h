// The objective over two knobs as a map: the first knob down, the second one across; numbers where they fit
// the page, shades from ' ' (worst) to '@' (best) where they do not.
//
// Thread rule: pure function.
#pragma once

#include "sim/report/tune_report.h"

namespace faultline {

Section tune_map(const TuneReport& report);

}  // namespace faultline
