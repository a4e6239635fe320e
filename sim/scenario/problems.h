// What a check finds (FieldProblems), at its place in the files.
//
// A problem stands at the node of its path, or at the last one on the way that exists. Where that is a line of
// a file, and an option changed something beside it, the option is named: the line may be innocent.
//
// Thread rule: pure function.
#pragma once

#include <string>

#include "models/base/fields.h"
#include "sim/scenario/diagnostics.h"
#include "sim/scenario/tree.h"

namespace faultline {

enum class ProblemKind { kError, kWarning };

// `tree`: what was checked, at `path` in the whole file.
void add_problems(const FieldProblems& problems, const Tree& tree, const std::string& path,
                  ProblemKind kind, Diagnostics& diagnostics);

}  // namespace faultline
