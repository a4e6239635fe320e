// A field's value times a factor, written in the notation of its type.
//
//   10m x 1.2         12m            20% x 1.2      24% (a share ends at 100%)
//   4 x 1.1           5              a count moves by one at least
//   !lognormal {median: 10m, p95: 20m} x 0.8       both times: the shape stays
//
// What has no size (a name, `infinite`, 0, a file) comes back as it was.
//
// Thread rule: pure function.
#pragma once

#include "sim/scenario/shape.h"
#include "sim/scenario/tree.h"

namespace faultline {

Tree scaled(Tree leaf, const Shape& shape, double factor);

}  // namespace faultline
