#include "sim/scenario/override.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/scenario/distribution_notation.h"
#include "sim/scenario/field_path.h"
#include "sim/scenario/parse_yaml.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

// The `=` between path and value: the first one outside of brackets.
std::size_t find_equals(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    if (text[i] == '=' && depth <= 0) return i;
  }
  return text.find('=');  // a bracket is open: parse_path will say so
}

class Setter {
 public:
  Setter(SourcePtr source, std::vector<PathSegment> segments, Tree value, Resolver& resolver,
         Diagnostics& diagnostics)
      : source_(std::move(source)),
        segments_(std::move(segments)),
        value_(std::move(value)),
        resolver_(resolver),
        diagnostics_(diagnostics),
        distributions_(describe<DistributionNotation>()) {}

  // `node` has the value of the first `depth` segments, which spell `path`.
  Tree set(Tree node, const Shape& maybe_optional, std::size_t depth, const std::string& path) {
    const Shape& shape = without_optional(maybe_optional);
    if (depth == segments_.size()) return resolver_.resolve(std::move(value_), shape, path);
    if (node.kind == Tree::Kind::kBroken) return node;
    switch (shape.kind) {
      case Shape::Kind::kStruct: return set_field(std::move(node), shape, depth, path);
      case Shape::Kind::kVariant: return set_in_variant(std::move(node), shape, depth, path);
      case Shape::Kind::kDistribution:
        return set_in_variant(std::move(node), *distributions_, depth, path);
      case Shape::Kind::kMap: return set_entry(std::move(node), *shape.element, depth, path);
      case Shape::Kind::kList: return set_element(std::move(node), shape, depth, path);
      default:
        complain(depth, path, "is one value (" + shape.type + "), so nothing is below it");
        return node;
    }
  }

 private:
  Mark mark_of(std::size_t depth) const {
    const PathSegment& segment = segments_[depth];
    return {source_, 1, count_characters(source_->text.substr(0, segment.begin)) + 1,
            count_characters(segment.text)};
  }
  void complain(std::size_t depth, const std::string& path, std::string problem,
                std::string got = "", std::string expected = "", std::string suggestion = "") {
    diagnostics_.add({mark_of(depth), path, std::move(problem), std::move(got), std::move(expected),
                      std::move(suggestion)});
    failed_ = true;
  }

  Tree set_field(Tree node, const Shape& shape, std::size_t depth, const std::string& path) {
    const std::string& key = segments_[depth].text;
    if (const Field* const field = shape.field(key)) {
      return set_entry(std::move(node), *field->shape, depth, path);
    }
    const std::string meant = suggest(key, shape.keys());
    complain(depth, with_key(path, key), "unknown key", "",
             meant.empty() ? join_names(shape.keys()) : "", meant);
    return node;
  }

  Tree set_entry(Tree node, const Shape& shape, std::size_t depth, const std::string& path) {
    const std::string& key = segments_[depth].text;
    const std::string below = with_key(path, key);
    if (node.kind != Tree::Kind::kMap) {
      node.kind = Tree::Kind::kMap;
      node.text.clear();
      if (node.mark.source == nullptr || node.mark.line == 0) node.mark = mark_of(depth);
    }
    const auto same = std::find_if(node.entries.begin(), node.entries.end(),
                                   [&](const TreeEntry& entry) { return entry.key == key; });
    if (same != node.entries.end()) {
      same->mark = mark_of(depth);
      same->value = set(std::move(same->value), shape, depth + 1, below);
      return node;
    }
    Tree value = set(make_tree(Tree::Kind::kNull, mark_of(depth)), shape, depth + 1, below);
    if (!failed_) node.entries.push_back({key, mark_of(depth), std::move(value)});
    return node;
  }

  Tree set_in_variant(Tree node, const Shape& shape, std::size_t depth, const std::string& path) {
    const Alternative* const alternative = shape.alternative(node.tag);
    if (alternative != nullptr) return set_field(std::move(node), *alternative->shape, depth, path);
    // An unknown tag in a file has its error when the tree is read.
    if (node.tag.empty()) {
      complain(depth, path, "has no kind yet, so nothing is below it", "",
               "a value with a tag first: " + join_names(shape.tags()));
    }
    return node;
  }

  Tree set_element(Tree node, const Shape& shape, std::size_t depth, const std::string& path) {
    const std::string& wanted = segments_[depth].text;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::string_view name = name_of(node.items[i]);
      names.push_back(name.empty() ? std::to_string(i) : std::string(name));
    }
    const std::string known = names.empty() ? "an element; the list is empty" : join_names(names);
    const std::size_t index = find_element(node.items, wanted);
    if (!segments_[depth].bracket) {
      const std::string meant = names.empty() ? "" : path + "[" + names.front() + "]";
      complain(depth, path, "is a list: its elements stand in brackets", printable(wanted), "",
               index < names.size() ? path + "[" + wanted + "]" : meant);
    } else if (index == node.items.size()) {
      const std::string meant = suggest(wanted, names);
      complain(depth, path, "has no such element", printable(wanted), meant.empty() ? known : "",
               meant);
    } else {
      const std::string below = with_element(path, node.items[index], index);
      node.items[index] = set(std::move(node.items[index]), *shape.element, depth + 1, below);
    }
    return node;
  }

  SourcePtr source_;
  std::vector<PathSegment> segments_;
  Tree value_;
  Resolver& resolver_;
  Diagnostics& diagnostics_;
  ShapePtr distributions_;
  bool failed_ = false;
};

}  // namespace

Tree apply_override(Tree tree, const Shape& shape, const Override& change, Resolver& resolver,
                    Diagnostics& diagnostics) {
  const std::string& text = change.text;
  const auto source = std::make_shared<const Source>(
      Source{.name = change.option + " " + text, .folder = "", .text = text, .is_option = true});
  const std::size_t equals = find_equals(text);
  if (equals == std::string::npos) {
    diagnostics.add({{source, 0, 0, 1}, "", "needs the form PATH=VALUE", "", "", ""});
    return tree;
  }
  auto segments = parse_path(std::string_view(text).substr(0, equals));
  if (!segments) {
    const int column = count_characters(text.substr(0, segments.error().byte)) + 1;
    diagnostics.add({{source, 1, column, 1}, "", segments.error().problem, "", "", ""});
    return tree;
  }
  std::optional<Tree> value = parse_yaml(source, diagnostics, equals + 1);
  if (!value) return tree;
  if (value->mark.line == 0) {
    value->mark = {source, 1, count_characters(text.substr(0, equals)) + 2, 1};
  }
  Setter setter(source, std::move(*segments), std::move(*value), resolver, diagnostics);
  return setter.set(std::move(tree), shape, 0, "");
}

}  // namespace faultline
