// The reference page: every field of a file format as Markdown, one table per map of fields.
//
// Thread rule: pure function.
#pragma once

#include <string>

#include "sim/scenario/shape.h"

namespace faultline {

std::string reference_page(const Shape& root);

}  // namespace faultline
