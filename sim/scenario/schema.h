// JSON Schema (draft 2020-12) of a file format, for completion in editors and for other people's
// pipelines. The loader stays the judge: YAML tags and cross-checks cannot be said in a schema.
//
// Thread rule: pure function.
#pragma once

#include <string>

#include "sim/scenario/shape.h"

namespace faultline {

std::string json_schema(const Shape& root, const std::string& title);

}  // namespace faultline
