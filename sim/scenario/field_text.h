// Sentences about fields that `explain`, the JSON Schema and the reference page have in common.
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "sim/scenario/shape.h"

namespace faultline {

// "more than 0", "from 0% to 100%"; empty when every value of the type will do.
std::string range_text(const Field& field);

// The default as one line of YAML: "10m", "[Ready]", "none" for an optional that is absent; a sentence where
// it follows from the Kubernetes release; empty for what has no default of its own (a required field, a map
// of fields).
std::string default_text(const Shape& owner, const Field& field);

// The struct, variant or distribution behind lists, maps and optionals; null for plain values.
const Shape* fields_below(const Shape& shape);

}  // namespace faultline
