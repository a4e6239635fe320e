#include "sim/scenario/write.h"

#include <memory>
#include <utility>

#include "sim/scenario/kubernetes_defaults.h"

namespace faultline {
namespace {

Tree scalar(std::string text) {
  Tree tree = make_tree(Tree::Kind::kScalar);
  tree.text = std::move(text);
  return tree;
}

// Objects of defaults, to leave out what is the same; null: leave out nothing.
struct Standards {
  KubernetesVersion kubernetes;

  std::shared_ptr<void> of(const Shape& shape) const {
    std::shared_ptr<void> object = shape.make();
    take_kubernetes_defaults(shape, object.get(), kubernetes);
    return object;
  }
};

// Walks an object; `base` is the one of defaults.
Tree write(const Shape& shape, const void* object, const void* base, const Standards& standards);

bool differ(const Shape& shape, const void* a, const void* b) {
  return to_yaml(tree_of(shape, a)) != to_yaml(tree_of(shape, b));
}

const void* member(const Field& field, const void* object) {
  return field.member(const_cast<void*>(object));  // only an address: nothing is written
}

Tree write_struct(const Shape& shape, const void* object, const void* base,
                  const Standards& standards) {
  Tree tree = make_tree(Tree::Kind::kMap);
  for (const Field& field : shape.fields) {
    const void* const value = member(field, object);
    const void* const standard = base == nullptr ? nullptr : member(field, base);
    const bool omit = base != nullptr && (!field.info.required || !field.info.unless.empty()) &&
                      !differ(*field.shape, value, standard);
    if (omit) continue;
    tree.entries.push_back({field.key, {}, write(*field.shape, value, standard, standards)});
  }
  return tree;
}

Tree write_variant(const Shape& shape, const void* object, const void* base,
                   const Standards& standards) {
  const auto [index, value] = shape.chosen(object);
  const Alternative& alternative = shape.alternatives[index];
  const std::shared_ptr<void> standard =
      base == nullptr ? nullptr : standards.of(*alternative.shape);
  Tree tree = write_struct(*alternative.shape, value, standard.get(), standards);
  tree.tag = alternative.tag;
  return tree;
}

Tree write_elements(const Shape& shape, const void* object, bool only_changed,
                    const Standards& standards) {
  const bool is_map = shape.kind == Shape::Kind::kMap;
  Tree tree = make_tree(is_map ? Tree::Kind::kMap : Tree::Kind::kList);
  const std::shared_ptr<void> standard = only_changed ? standards.of(*shape.element) : nullptr;
  for (const auto& [key, element] : shape.elements(object)) {
    Tree written = write(*shape.element, element, standard.get(), standards);
    if (shape.kind == Shape::Kind::kOptional) return written;
    if (is_map) {
      tree.entries.push_back({key, {}, std::move(written)});
    } else {
      tree.items.push_back(std::move(written));
    }
  }
  if (shape.kind == Shape::Kind::kOptional) return {};
  return tree;
}

// Whether a text means itself without quotes, in a block and between commas.
bool is_safe_plain(const std::string& text) {
  const auto is_alphanumeric = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
  };
  constexpr std::string_view kSafeInside = " _./%+()-=;<>^$";
  if (text.empty() || text.back() == ' ' || text == "null" || text == "Null" || text == "NULL") {
    return false;
  }
  if (!is_alphanumeric(text.front()) && text.front() != '/' && text.front() != '.') return false;
  for (const char c : text) {
    if (!is_alphanumeric(c) && kSafeInside.find(c) == std::string_view::npos) return false;
  }
  return text.compare(0, 3, "...") != 0;
}

std::string quoted(const std::string& text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string key_text(const std::string& key) { return is_safe_plain(key) ? key : quoted(key); }

std::string scalar_text(const Tree& tree) { return tree.quoted ? quoted(tree.text) : tree.text; }

Tree write(const Shape& shape, const void* object, const void* base, const Standards& standards) {
  switch (shape.kind) {
    case Shape::Kind::kScalar: {
      Tree tree = scalar(shape.write(object));
      tree.quoted = !shape.plain && !is_safe_plain(tree.text);
      return tree;
    }
    case Shape::Kind::kDistribution:
      return scalar(static_cast<const Distribution*>(object)->text());
    case Shape::Kind::kStruct: return write_struct(shape, object, base, standards);
    case Shape::Kind::kVariant: return write_variant(shape, object, base, standards);
    default: return write_elements(shape, object, base != nullptr, standards);
  }
}

bool fits_a_line(const Tree& tree) {
  constexpr std::size_t kLongestLine = 80;
  switch (tree.kind) {
    case Tree::Kind::kMap: return tree.entries.empty() && tree.tag.empty();
    case Tree::Kind::kList:
      for (const Tree& item : tree.items) {
        if (item.kind != Tree::Kind::kScalar || item.text.front() == '!') return false;
      }
      return to_flow_yaml(tree).size() <= kLongestLine;
    default: return true;
  }
}

// Writes what follows "key:" or "-" at the end of a line whose block is indented by `indent`.
void append_value(const Tree& tree, std::size_t indent, std::string& out);

void append_entries(const Tree& tree, std::size_t indent, bool first_is_indented,
                    std::string& out) {
  for (const TreeEntry& entry : tree.entries) {
    if (first_is_indented) out.append(indent, ' ');
    first_is_indented = true;
    out += key_text(entry.key) + ":";
    append_value(entry.value, indent + 2, out);
  }
}

void append_items(const Tree& tree, std::size_t indent, std::string& out) {
  for (const Tree& item : tree.items) {
    out.append(indent, ' ') += "-";
    const bool starts_here =
        item.kind == Tree::Kind::kMap && !item.entries.empty() && item.tag.empty();
    if (starts_here) {
      out += " ";
      append_entries(item, indent + 2, false, out);
    } else {
      append_value(item, indent + 2, out);
    }
  }
}

void append_value(const Tree& tree, std::size_t indent, std::string& out) {
  if (fits_a_line(tree)) {
    out += " " + to_flow_yaml(tree) + "\n";
    return;
  }
  if (!tree.tag.empty()) out += " " + tree.tag;
  if (tree.kind == Tree::Kind::kMap && tree.entries.empty()) out += " {}";
  out += "\n";
  append_entries(tree, indent, true, out);
  append_items(tree, indent, out);
}

}  // namespace

Tree tree_of(const Shape& shape, const void* object) {
  return write(shape, object, nullptr, Standards{});
}

std::string to_flow_yaml(const Tree& tree) {
  std::string text = tree.tag.empty() ? "" : tree.tag + " ";
  std::string_view comma;
  switch (tree.kind) {
    case Tree::Kind::kNull:
    case Tree::Kind::kBroken: return text + "null";
    case Tree::Kind::kScalar: return text + scalar_text(tree);
    case Tree::Kind::kList:
      text += "[";
      for (const Tree& item : tree.items) {
        text.append(comma) += to_flow_yaml(item);
        comma = ", ";
      }
      return text + "]";
    case Tree::Kind::kMap:
      text += "{";
      for (const TreeEntry& entry : tree.entries) {
        text.append(comma) += key_text(entry.key) + ": " + to_flow_yaml(entry.value);
        comma = ", ";
      }
      return text + "}";
  }
  return text;
}

std::string to_yaml(const Tree& tree) {
  std::string text;
  if (fits_a_line(tree) || !tree.tag.empty()) {
    append_value(tree, 0, text);
    return (tree.tag.empty() ? "" : "---") + text.substr(tree.tag.empty() ? 1 : 0);
  }
  append_entries(tree, 0, true, text);
  append_items(tree, 0, text);
  return text;
}

std::string write_yaml(const Shape& shape, const void* object, WriteStyle style) {
  if (style == WriteStyle::kEveryField) return to_yaml(tree_of(shape, object));
  const Standards standards{kubernetes_of(object, shape)};
  return to_yaml(write(shape, object, standards.of(shape).get(), standards));
}

}  // namespace faultline
