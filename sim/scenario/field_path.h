// Paths of fields: `workloads[llama3].checkpoint.every`.
//
// A field or map key follows a dot, a list element stands in brackets: its `name`, or its number
// from 0. A map key with other characters stands in brackets and quotes:
// `labels["nvidia.com/gpu"]`. Errors print paths, `--set` and `explain` take them.
//
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/base/fields.h"
#include "sim/scenario/tree.h"

namespace faultline {

struct PathSegment {
  std::string text;
  bool bracket = false;
  std::size_t begin = 0;  // byte of the text in the whole path
};

struct PathProblem {
  std::size_t byte = 0;
  std::string problem;
};

tl::expected<std::vector<PathSegment>, PathProblem> parse_path(std::string_view path);

// `path` with one more list element (by name or number); with one more field or key: with_key (models/base/fields.h).
std::string with_element(const std::string& path, const Tree& element, std::size_t index);

// The element of a list that a bracket means, by name first, then by number; items.size(): none.
std::size_t find_element(const std::vector<Tree>& items, std::string_view bracket);

// The node at a path below `tree`, or the last one on the way that exists.
const Tree& nearest_node(const Tree& tree, std::string_view path);
// The mark of that node, or of the key in front of it.
const Mark& nearest_mark(const Tree& tree, std::string_view path, bool of_key);

}  // namespace faultline
