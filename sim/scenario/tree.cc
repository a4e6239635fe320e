#include "sim/scenario/tree.h"

#include <utility>

#include "sim/scenario/diagnostics.h"

namespace faultline {

const TreeEntry* Tree::find(std::string_view key) const {
  for (const TreeEntry& entry : entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

std::string Tree::shown() const {
  switch (kind) {
    case Kind::kScalar:
      return quoted ? '"' + printable(text) + '"' : printable(text.empty() ? tag : text);
    case Kind::kList: return "a list";
    case Kind::kMap: return "a map";
    case Kind::kNull:
    case Kind::kBroken: break;
  }
  return "nothing";
}

Tree make_tree(Tree::Kind kind, Mark mark) {
  Tree tree;
  tree.kind = kind;
  tree.mark = std::move(mark);
  return tree;
}

std::string_view name_of(const Tree& element) {
  const TreeEntry* name = element.find("name");
  if (name != nullptr && name->value.kind == Tree::Kind::kScalar) return name->value.text;
  return element.tag.empty() ? std::string_view() : std::string_view(element.tag).substr(1);
}

}  // namespace faultline
