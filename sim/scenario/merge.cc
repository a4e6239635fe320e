#include "sim/scenario/merge.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace faultline {
namespace {

constexpr std::string_view kReplace = "!replace";

Tree merge_entries(Tree base, Tree over, const Shape& shape) {
  const Shape* const fields = shape.kind == Shape::Kind::kMap ? nullptr : shape.struct_of(base.tag);
  for (TreeEntry& entry : over.entries) {
    const auto same = std::find_if(base.entries.begin(), base.entries.end(),
                                   [&](const TreeEntry& e) { return e.key == entry.key; });
    if (same == base.entries.end()) {
      base.entries.push_back(std::move(entry));
      continue;
    }
    const Field* const field = fields == nullptr ? nullptr : fields->field(entry.key);
    const Shape* const below = field != nullptr                  ? field->shape.get()
                               : shape.kind == Shape::Kind::kMap ? shape.element.get()
                                                                 : nullptr;
    same->mark = entry.mark;
    same->value = below == nullptr ? std::move(entry.value)
                                   : merge(std::move(same->value), std::move(entry.value), *below);
  }
  base.mark = over.mark;
  return base;
}

Tree merge_named_items(Tree base, Tree over, const Shape& shape) {
  for (Tree& item : over.items) {
    const std::string_view name = name_of(item);
    const auto same = std::find_if(base.items.begin(), base.items.end(), [&](const Tree& other) {
      return !name.empty() && name_of(other) == name;
    });
    if (same == base.items.end()) {
      base.items.push_back(std::move(item));
    } else {
      *same = merge(std::move(*same), std::move(item), *shape.element);
    }
  }
  base.mark = over.mark;
  return base;
}

}  // namespace

Tree merge(Tree base, Tree over, const Shape& maybe_optional) {
  const Shape& shape = without_optional(maybe_optional);
  if (over.tag == kReplace) {
    over.tag.clear();
    return over;
  }
  if (over.whole || base.kind != over.kind || (!over.tag.empty() && over.tag != base.tag)) {
    return over;
  }
  const bool mixes = shape.kind == Shape::Kind::kStruct || shape.kind == Shape::Kind::kVariant ||
                     shape.kind == Shape::Kind::kMap;
  if (base.kind == Tree::Kind::kMap && mixes) {
    return merge_entries(std::move(base), std::move(over), shape);
  }
  if (base.kind == Tree::Kind::kList && shape.named_list()) {
    return merge_named_items(std::move(base), std::move(over), shape);
  }
  return over;
}

}  // namespace faultline
