#include "sim/scenario/field_path.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace faultline {
namespace {

// "[a]" or "["a.b"]" at `begin`, which is the bracket.
tl::expected<std::size_t, PathProblem> take_bracket(std::string_view path, std::size_t begin,
                                                    std::vector<PathSegment>& segments) {
  const bool quoted = path.substr(begin + 1, 1) == "\"";
  const std::size_t first = begin + (quoted ? 2 : 1);
  const std::size_t end = path.find(quoted ? "\"]" : "]", first);
  if (end == std::string_view::npos) {
    return tl::unexpected(PathProblem{begin, "the `[` in the path is not closed"});
  }
  if (end == first) return tl::unexpected(PathProblem{begin, "the `[]` in the path names nothing"});
  segments.push_back({std::string(path.substr(first, end - first)), true, first});
  return end + (quoted ? 2 : 1);
}

}  // namespace

tl::expected<std::vector<PathSegment>, PathProblem> parse_path(std::string_view path) {
  std::vector<PathSegment> segments;
  for (std::size_t i = 0; i < path.size();) {
    if (path[i] == '[') {
      const auto next = take_bracket(path, i, segments);
      if (!next) return tl::unexpected(next.error());
      i = *next;
      continue;
    }
    if (path[i] == '.' && i > 0) ++i;
    const std::size_t end = std::min(path.find_first_of(".[", i), path.size());
    if (end == i) return tl::unexpected(PathProblem{i, "a name is missing in the path"});
    segments.push_back({std::string(path.substr(i, end - i)), false, i});
    i = end;
  }
  if (segments.empty()) return tl::unexpected(PathProblem{0, "the path is empty"});
  return segments;
}

std::string with_element(const std::string& path, const Tree& element, std::size_t index) {
  const std::string_view name = name_of(element);
  return path + "[" + (name.empty() ? std::to_string(index) : std::string(name)) + "]";
}

std::size_t find_element(const std::vector<Tree>& items, std::string_view bracket) {
  const auto named = std::find_if(items.begin(), items.end(),
                                  [&](const Tree& item) { return name_of(item) == bracket; });
  if (named != items.end()) return static_cast<std::size_t>(named - items.begin());
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(bracket.data(), bracket.data() + bracket.size(), index);
  const bool is_number = error == std::errc() && end == bracket.data() + bracket.size();
  return is_number && index < items.size() ? index : items.size();
}

namespace {

struct Nearest {
  const Tree* node;
  const Mark* key;
};

Nearest nearest(const Tree& tree, std::string_view path) {
  const Tree* node = &tree;
  const Mark* key = &tree.mark;
  const auto segments = parse_path(path);
  if (!segments) return {node, key};
  for (const PathSegment& segment : *segments) {
    if (node->kind == Tree::Kind::kList && segment.bracket) {
      const std::size_t index = find_element(node->items, segment.text);
      if (index == node->items.size()) break;
      node = &node->items[index];
      key = &node->mark;
    } else if (const TreeEntry* entry = node->find(segment.text)) {
      node = &entry->value;
      key = &entry->mark;
    } else {
      break;
    }
  }
  return {node, key};
}

}  // namespace

const Tree& nearest_node(const Tree& tree, std::string_view path) {
  return *nearest(tree, path).node;
}

const Mark& nearest_mark(const Tree& tree, std::string_view path, bool of_key) {
  const Nearest found = nearest(tree, path);
  return of_key ? *found.key : found.node->mark;
}

}  // namespace faultline
