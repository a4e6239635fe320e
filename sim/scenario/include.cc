#include "sim/scenario/include.h"

#include <algorithm>
#include <utility>

#include "sim/scenario/field_path.h"
#include "sim/scenario/merge.h"
#include "sim/scenario/parse_yaml.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

constexpr std::string_view kExtends = "extends";
constexpr std::size_t kLongestChain = 16;
constexpr int kMostFiles = 500;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The path below `start` that exists and differs from the written one by a few letters of a few parts.
std::string similar_path(const FileSystem& files, const std::string& start,
                         const std::string& written) {
  std::string meant;
  for (std::size_t begin = 0; begin <= written.size();) {
    const std::size_t end = std::min(written.find('/', begin), written.size());
    std::string part = written.substr(begin, end - begin);
    const std::vector<std::string> names = files.list(join_path(start, meant));
    const bool exists = std::find(names.begin(), names.end(), part) != names.end();
    if (!exists && part != "." && part != "..") part = suggest(part, names);
    if (part.empty()) return "";
    meant += (meant.empty() ? "" : "/") + part;
    begin = end + 1;
  }
  return meant;
}

}  // namespace

bool looks_like_path(const std::string& text) {
  return text.find('/') != std::string::npos || ends_with(text, ".yaml") ||
         ends_with(text, ".yml") || ends_with(text, ".json");
}

std::optional<Tree> Resolver::load(const std::string& file, const Shape& shape) {
  ++files_loaded_;
  auto text = files_.read(file);
  Source source{.name = file, .folder = folder_of(file)};
  if (!text) {
    diagnostics_.add({{std::make_shared<const Source>(std::move(source)), 0, 0, 1},
                      "",
                      text.error(),
                      "",
                      "",
                      ""});
    return std::nullopt;
  }
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text->compare(0, kByteOrderMark.size(), kByteOrderMark) == 0) {
    text->erase(0, kByteOrderMark.size());
  }
  source.text = std::move(*text);
  const auto shared = std::make_shared<const Source>(std::move(source));
  std::optional<Tree> tree = parse_yaml(shared, diagnostics_);
  if (!tree) return std::nullopt;
  if (tree->kind == Tree::Kind::kNull) {
    diagnostics_.add({{shared, 0, 0, 1}, "", "is empty", "", "a map of fields", ""});
    return std::nullopt;
  }
  chain_.push_back(file);
  Tree resolved = resolve(std::move(*tree), shape, "");
  chain_.pop_back();
  return resolved;
}

Tree Resolver::resolve(Tree tree, const Shape& maybe_optional, const std::string& path) {
  const Shape& shape = without_optional(maybe_optional);
  switch (shape.kind) {
    case Shape::Kind::kStruct:
    case Shape::Kind::kVariant: return resolve_struct(std::move(tree), shape, path);
    case Shape::Kind::kList:
      if (tree.kind == Tree::Kind::kScalar && shape.named_list() && looks_like_path(tree.text)) {
        return include(tree, shape, path);
      }
      for (std::size_t i = 0; i < tree.items.size(); ++i) {
        const std::string below = with_element(path, tree.items[i], i);
        tree.items[i] = resolve(std::move(tree.items[i]), *shape.element, below);
      }
      return tree;
    case Shape::Kind::kMap:
      for (TreeEntry& entry : tree.entries) {
        entry.value = resolve(std::move(entry.value), *shape.element, with_key(path, entry.key));
      }
      return tree;
    default: return tree;
  }
}

Tree Resolver::resolve_struct(Tree tree, const Shape& shape, const std::string& path) {
  if (tree.kind == Tree::Kind::kScalar && tree.tag.empty() && !shape.short_form.empty()) {
    Tree map = make_tree(Tree::Kind::kMap, tree.mark);
    map.entries.push_back({shape.short_form, tree.mark, std::move(tree)});
    return map;
  }
  if (tree.kind == Tree::Kind::kScalar && looks_like_path(tree.text)) {
    return include(tree, shape, path);
  }
  const auto extends = std::find_if(tree.entries.begin(), tree.entries.end(),
                                    [](const TreeEntry& entry) { return entry.key == kExtends; });
  if (extends == tree.entries.end()) {
    resolve_children(tree, shape, path);
    return tree;
  }
  const Tree reference = std::move(extends->value);
  tree.entries.erase(extends);
  Tree base = include(reference, shape, with_key(path, kExtends));
  if (base.kind == Tree::Kind::kBroken) return base;
  if (tree.tag.empty()) tree.tag = base.tag;
  resolve_children(tree, shape, path);
  if (tree.tag != base.tag) {
    diagnostics_.add({tree.mark, path, "has another tag than the file that it extends",
                      printable(tree.tag), printable(base.tag), ""});
    tree.kind = Tree::Kind::kBroken;
    return tree;
  }
  Tree merged = merge(std::move(base), std::move(tree), shape);
  merged.whole = true;
  return merged;
}

void Resolver::resolve_children(Tree& tree, const Shape& shape, const std::string& path) {
  const Shape* const fields = shape.struct_of(tree.tag);
  if (fields == nullptr) return;
  for (TreeEntry& entry : tree.entries) {
    const Field* const field = fields->field(entry.key);
    if (field == nullptr) continue;
    entry.value = resolve(std::move(entry.value), *field->shape, with_key(path, entry.key));
  }
}

Tree Resolver::include(const Tree& reference, const Shape& shape, const std::string& path) {
  Tree broken = make_tree(Tree::Kind::kBroken, reference.mark);
  const auto complain = [&](std::string problem, std::string got = "", std::string expected = "",
                            std::string meant = "") {
    diagnostics_.add({reference.mark, path, std::move(problem), std::move(got), std::move(expected),
                      std::move(meant)});
  };
  if (reference.kind == Tree::Kind::kBroken) return broken;
  if (reference.kind != Tree::Kind::kScalar || reference.text.empty()) {
    complain("needs the path of a file", reference.shown());
    return broken;
  }
  const std::optional<std::string> file = find(reference, path);
  if (!file) {
    const std::string meant = similar_file(reference);
    complain("there is no such file", reference.shown(),
             meant.empty() ? "a path from this folder or from the project's" : "", meant);
    return broken;
  }
  if (const auto again = std::find(chain_.begin(), chain_.end(), *file); again != chain_.end()) {
    std::string circle;
    for (auto each = again; each != chain_.end(); ++each) circle += printable(*each, 200) + " -> ";
    complain("takes itself: " + circle + printable(*file, 200));
    return broken;
  }
  if (chain_.size() >= kLongestChain || files_loaded_ >= kMostFiles) {
    complain("too many files that take other files");
    return broken;
  }
  std::optional<Tree> tree = load(*file, shape);
  if (!tree) return broken;
  tree->whole = true;
  return std::move(*tree);
}

std::optional<std::string> Resolver::find(const Tree& reference, const std::string& path) {
  const bool at_top = path == kExtends && !named_folder_.empty();
  if (at_top && !looks_like_path(reference.text)) {
    return find_file(files_, files_.project_root(), named_folder_ + "/" + reference.text + ".yaml");
  }
  return find_file(files_, reference.mark.source->folder, reference.text);
}

std::string Resolver::similar_file(const Tree& reference) const {
  const bool is_name = !named_folder_.empty() && !looks_like_path(reference.text);
  const std::string written =
      is_name ? named_folder_ + "/" + reference.text + ".yaml" : reference.text;
  for (const std::string& start : {reference.mark.source->folder, files_.project_root()}) {
    const std::string meant = similar_path(files_, start, written);
    if (meant.empty()) continue;
    const std::string file = file_name_of(meant);
    return is_name ? file.substr(0, file.rfind('.')) : meant;
  }
  return "";
}

}  // namespace faultline
