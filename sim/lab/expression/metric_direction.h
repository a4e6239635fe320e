// Which way is better, for the metrics where everybody agrees.
//
// More goodput is better, fewer interruptions are. How many faults strike, machines are replaced
// and spares are used is neither: it depends on what is got for it.
//
// Thread rule: pure function.
#pragma once

#include "sim/engine/metrics.h"

namespace faultline {

enum class Direction { kLargerIsBetter, kSmallerIsBetter, kNeither };

Direction direction_of(const MetricName& metric);

}  // namespace faultline
