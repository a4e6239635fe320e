// `faultline explain PATH`: what a field means, from the field list that loads it.
//
//   policy.tolerations   workloads[llama3].checkpoint   workloads.nodes   capacity.launch
//
// Brackets are optional here, because no scenario is involved: any element explains its list. Where
// the kind of a value decides which fields there are (`policy`), a path is looked up in every kind.
//
// Thread rule: pure function.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "sim/scenario/shape.h"

namespace faultline {

// The text, or what is wrong with the path, with a suggestion. An empty path explains the root.
// `recursive`: all fields below, not only the next level.
tl::expected<std::string, std::string> explain(const Shape& root, const std::string& path,
                                               bool recursive);

}  // namespace faultline
