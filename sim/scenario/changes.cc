#include "sim/scenario/changes.h"

#include <algorithm>

#include "sim/scenario/field_path.h"
#include "sim/scenario/write.h"

namespace faultline {
namespace {

class Differ {
 public:
  void compare(const std::string& path, const Tree& from, const Tree& to) {
    const std::string before = to_flow_yaml(from);
    const std::string after = to_flow_yaml(to);
    if (before == after) return;
    const bool same_kind = from.kind == to.kind && from.tag == to.tag;
    if (same_kind && from.kind == Tree::Kind::kMap) return compare_maps(path, from, to);
    if (same_kind && from.kind == Tree::Kind::kList && !is_plain(from) && !is_plain(to)) {
      return compare_lists(path, from, to);
    }
    changes.push_back({path, before, after});
  }

  std::vector<FieldChange> changes;

 private:
  // A list of values, which is read as a whole.
  static bool is_plain(const Tree& list) {
    return std::all_of(list.items.begin(), list.items.end(),
                       [](const Tree& item) { return item.kind == Tree::Kind::kScalar; });
  }

  void compare_maps(const std::string& path, const Tree& from, const Tree& to) {
    for (const TreeEntry& entry : from.entries) {
      const TreeEntry* other = to.find(entry.key);
      pair(with_key(path, entry.key), &entry.value, other == nullptr ? nullptr : &other->value);
    }
    for (const TreeEntry& entry : to.entries) {
      if (from.find(entry.key) == nullptr) pair(with_key(path, entry.key), nullptr, &entry.value);
    }
  }

  // The element of a list that another list's element number `index` is to be compared with.
  static const Tree* counterpart(const Tree& list, const Tree& element, std::size_t index) {
    const std::string_view name = name_of(element);
    if (name.empty()) return index < list.items.size() ? &list.items[index] : nullptr;
    const auto named = std::find_if(list.items.begin(), list.items.end(),
                                    [&](const Tree& item) { return name_of(item) == name; });
    return named == list.items.end() ? nullptr : &*named;
  }

  void compare_lists(const std::string& path, const Tree& from, const Tree& to) {
    for (std::size_t i = 0; i < from.items.size(); ++i) {
      pair(with_element(path, from.items[i], i), &from.items[i], counterpart(to, from.items[i], i));
    }
    for (std::size_t i = 0; i < to.items.size(); ++i) {
      if (counterpart(from, to.items[i], i) != nullptr) continue;
      pair(with_element(path, to.items[i], i), nullptr, &to.items[i]);
    }
  }

  void pair(const std::string& path, const Tree* from, const Tree* to) {
    if (from != nullptr && to != nullptr) return compare(path, *from, *to);
    const auto text = [](const Tree* tree) {
      return tree == nullptr ? std::nullopt : std::optional(to_flow_yaml(*tree));
    };
    changes.push_back({path, text(from), text(to)});
  }
};

}  // namespace

std::vector<FieldChange> changes(const Tree& from, const Tree& to) {
  Differ differ;
  differ.compare("", from, to);
  return std::move(differ.changes);
}

}  // namespace faultline
