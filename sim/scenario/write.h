// Objects back to YAML, from the same field lists that load them.
//
// kChangedFields writes what differs from the defaults (those of the object's own Kubernetes release), and
// what is required: the text to keep and to read. kEveryField also protects a stored scenario against defaults that change later. Both
// load back to an equal object, and the same object always gives the same text: fields in the order
// of the field list, maps in the order of their keys.
//
// Thread rule: pure functions.
#pragma once

#include <string>

#include "sim/scenario/shape.h"
#include "sim/scenario/tree.h"

namespace faultline {

enum class WriteStyle { kChangedFields, kEveryField };

// `object` has the shape's type. Ends with a newline.
std::string write_yaml(const Shape& shape, const void* object, WriteStyle style);

// The object as a value tree, with every field.
Tree tree_of(const Shape& shape, const void* object);

// A tree as YAML in block style.
std::string to_yaml(const Tree& tree);
// A tree as one line: "{every: 10m, blocks: 5s}".
std::string to_flow_yaml(const Tree& tree);

}  // namespace faultline
