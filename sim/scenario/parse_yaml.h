// YAML text -> value tree, over yaml-cpp's events (never its node graph).
//
// The subset is the part of YAML that says one thing in one way. Refused, each with a text that
// tells what to write instead: a key given twice, anchors and aliases (so no "YAML bomb" can
// expand), merge keys (`extends:` does that job), keys that are not plain text, several documents
// in one file, tabs as indentation, nesting beyond kDeepestTree, control characters and what is not
// UTF-8.
//
// Scalars stay text: `yes`, `010` and `1e3` mean nothing here. `~`, `null` and an empty value are
// null.
//
// Errors: all go to `diagnostics`. Returns nothing when the text is not YAML at all; otherwise a
// tree in which the offending nodes are kBroken. Exceptions of yaml-cpp do not leave this file.
// Thread rule: pure function.
#pragma once

#include <optional>
#include <string_view>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/tree.h"

namespace faultline {

// `begin`: byte of the source text at which the YAML starts (the value in "policy.gate=20%"); the
// part before it has no line break.
std::optional<Tree> parse_yaml(const SourcePtr& source, Diagnostics& diagnostics,
                               std::size_t begin = 0);

}  // namespace faultline
