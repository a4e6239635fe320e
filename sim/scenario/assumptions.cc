#include "sim/scenario/assumptions.h"

#include <algorithm>
#include <utility>

#include "sim/scenario/field_path.h"
#include "sim/scenario/scaled_field.h"
#include "sim/scenario/scenario.h"

namespace faultline {
namespace {

constexpr std::string_view kWord = "assumption";
constexpr std::string_view kSpaces = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

bool says_assumption(std::string_view text) { return text.starts_with(kWord); }

std::string reason_of(std::string_view text) {
  text.remove_prefix(kWord.size());
  if (text.starts_with(":")) text.remove_prefix(1);
  return std::string(trimmed(text));
}

std::string_view line_at(const Mark& mark) {
  if (mark.source == nullptr || mark.source->is_option || mark.line < 1) return {};
  std::string_view rest = mark.source->text;
  for (int line = 1; line < mark.line; ++line) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  return rest.substr(0, rest.find('\n'));
}

class Finder {
 public:
  explicit Finder(double by) : by_(by) {}

  void walk(const Tree& tree, const Shape& maybe_optional, const FieldInfo& info,
            const std::string& path) {
    const Shape& shape = without_optional(maybe_optional);
    switch (shape.kind) {
      case Shape::Kind::kStruct:
      case Shape::Kind::kVariant:
        if (const Shape* const fields = shape.struct_of(tree.tag)) walk_fields(tree, *fields, path);
        return;
      case Shape::Kind::kMap:
        for (const TreeEntry& entry : tree.entries) {
          walk(entry.value, *shape.element, info, with_key(path, entry.key));
        }
        return;
      case Shape::Kind::kList:
        for (std::size_t i = 0; i < tree.items.size(); ++i) {
          const Tree& item = tree.items[i];
          walk(item, *shape.element, info, with_element(path, item, i));
        }
        return;
      default: leaf(tree, shape, info, path);
    }
  }

  // What cannot be scaled counts only where its line has nothing that can.
  std::vector<Assumption> take() {
    std::vector<Assumption> kept;
    for (Assumption& each : found_) {
      const bool explained =
          std::any_of(found_.begin(), found_.end(), [&](const Assumption& other) {
            return &other != &each && other.value.mark.source == each.value.mark.source &&
                   other.value.mark.line == each.value.mark.line &&
                   (other.fixed.empty() || &other < &each);
          });
      if (each.fixed.empty() || !explained) kept.push_back(each);
    }
    return kept;
  }

 private:
  void walk_fields(const Tree& tree, const Shape& shape, const std::string& path) {
    const std::string before = std::exchange(source_, "");
    const TreeEntry* const source = tree.find("source");
    if (source != nullptr && says_assumption(source->value.text)) source_ = source->value.text;
    for (const TreeEntry& entry : tree.entries) {
      const Field* const field = shape.field(entry.key);
      if (field == nullptr) continue;
      walk(entry.value, *field->shape, field->info, with_key(path, entry.key));
    }
    source_ = before;
  }

  void leaf(const Tree& tree, const Shape& shape, const FieldInfo& info, const std::string& path) {
    const std::string_view comment = comment_of(line_at(tree.mark));
    const bool by_source = comment.empty() && !source_.empty();
    if (!says_assumption(comment) && !by_source) return;
    Assumption assumption{.path = path,
                          .why = reason_of(by_source ? std::string_view(source_) : comment),
                          .value = tree,
                          .low = scaled(tree, shape, 1 - by_),
                          .high = scaled(tree, shape, 1 + by_),
                          .fixed = ""};
    assumption.fixed = info.identifier ? "is a name" : fixed(assumption);
    // `source` speaks of the numbers of its map.
    if (by_source && !assumption.fixed.empty()) return;
    found_.push_back(std::move(assumption));
  }

  static std::string fixed(const Assumption& assumption) {
    const Tree& tree = assumption.value;
    const std::string text = one_line(tree);
    if (one_line(assumption.low) != text || one_line(assumption.high) != text) return "";
    if (tree.text == "infinite" || tree.text == "unlimited" || tree.text == "off") {
      return "has no size";
    }
    if (tree.kind == Tree::Kind::kMap) return "stands in a file of its own";
    const bool zero = tree.text.find_first_of("0") == 0;
    return zero ? "is 0, and stays 0" : "is not a number";
  }

  double by_;
  std::vector<Assumption> found_;
  std::string source_;  // of the map around, if it says assumption
};

}  // namespace

std::string_view comment_of(std::string_view line) {
  char quote = '\0';
  char before = ' ';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if ((c == '"' || c == '\'') &&
               std::string_view(" \t[{,").find(before) != std::string_view::npos) {
      quote = c;
    } else if (c == '#' && (before == ' ' || before == '\t')) {
      return trimmed(line.substr(i + 1));
    }
    before = c;
  }
  return {};
}

std::vector<Assumption> find_assumptions(const Tree& tree, const Shape& shape, double by) {
  Finder finder(by);
  finder.walk(tree, shape, FieldInfo{}, "");
  return finder.take();
}

std::vector<Assumption> scenario_assumptions(const Tree& tree, double by) {
  return find_assumptions(tree, *describe<Scenario>(), by);
}

Tree with_value(Tree tree, const std::string& path, Tree value) {
  // The node lies in our own copy.
  const_cast<Tree&>(nearest_node(tree, path)) = std::move(value);
  return tree;
}

std::string one_line(const Tree& value) {
  std::string text = value.tag;
  const auto separate = [&text](const char* open) {
    text += text.empty() || text.back() == ' ' ? "" : " ";
    text += open;
  };
  switch (value.kind) {
    case Tree::Kind::kScalar: return text.empty() ? value.text : text + " " + value.text;
    case Tree::Kind::kMap:
      separate("{");
      for (const TreeEntry& entry : value.entries) {
        if (&entry != &value.entries.front()) text += ", ";
        text += entry.key + ": " + one_line(entry.value);
      }
      return text + "}";
    case Tree::Kind::kList:
      separate("[");
      for (const Tree& item : value.items) {
        if (&item != &value.items.front()) text += ", ";
        text += one_line(item);
      }
      return text + "]";
    default: return text;
  }
}

}  // namespace faultline
