// A YAML file as plain data: what was written, and where.
//
// The tree knows nothing of types: a scalar is the text between its quotes. `read.h` gives it
// meaning. Trees are values; whoever changes one (includes, `--set`) makes a new one, and every
// node keeps the mark of the line that it came from.
//
// Invariants: the keys of a map are unique; nesting is at most `kDeepestTree`; a node of kind
// kBroken has already been reported, so nobody complains about it again.
//
// Thread rule: values; share freely when const.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/source.h"

namespace faultline {

constexpr int kDeepestTree = 64;

struct TreeEntry;

struct Tree {
  enum class Kind { kNull, kScalar, kList, kMap, kBroken };

  Kind kind = Kind::kNull;
  std::string text;     // kScalar
  bool quoted = false;  // kScalar: written in quotes, so it is text and never a number
  std::string tag;      // "!training"; empty without one
  Mark mark;
  std::vector<Tree> items;         // kList
  std::vector<TreeEntry> entries;  // kMap, in file order
  // A key of this map was refused, so nobody complains that something is missing.
  bool incomplete = false;
  // Taken from a file of its own: replaces what it is merged over, instead of mixing with it.
  bool whole = false;

  const TreeEntry* find(std::string_view key) const;
  // What the user wrote, for "(got ...)": the text, "a list", "a map", "nothing".
  std::string shown() const;
};

struct TreeEntry {
  std::string key;
  Mark mark;  // of the key
  Tree value;
};

// A node without content.
Tree make_tree(Tree::Kind kind, Mark mark = {});

// By what paths and merges address a list element: its `name`, or else its tag (`!node-repair {...}`); empty
// without either.
std::string_view name_of(const Tree& element);

}  // namespace faultline
