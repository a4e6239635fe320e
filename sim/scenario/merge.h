// A value tree on top of another one: what `extends` means.
//
// Maps merge key by key, at any depth. A scalar or a list replaces what was there, but a list of
// named structs (pools, workloads, reasons) merges by `name`: known names are changed, new ones are
// added at the end. `!replace` in front of a list or map replaces it as a whole. So does a map with
// another tag than the one below it, and so does what comes from a file of its own.
//
// Thread rule: pure function.
#pragma once

#include "sim/scenario/shape.h"
#include "sim/scenario/tree.h"

namespace faultline {

// `over` on top of `base`; both without includes.
Tree merge(Tree base, Tree over, const Shape& shape);

}  // namespace faultline
