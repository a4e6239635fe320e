#include "sim/scenario/read.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "sim/scenario/distribution_notation.h"
#include "sim/scenario/field_path.h"
#include "sim/scenario/kubernetes_defaults.h"
#include "sim/scenario/problems.h"
#include "sim/scenario/suggest.h"

namespace faultline {

Reader::Reader(const FileSystem& files, Diagnostics& diagnostics)
    : files_(files), diagnostics_(diagnostics), distributions_(describe<DistributionNotation>()) {}

bool Reader::fail(const Mark& mark, const std::string& path, std::string problem, std::string got,
                  std::string expected, std::string suggestion) {
  diagnostics_.add(
      {mark, path, std::move(problem), std::move(got), std::move(expected), std::move(suggestion)});
  return false;
}

bool Reader::read(const Tree& tree, const Shape& shape, const FieldInfo& info, void* into,
                  const std::string& path) {
  if (tree.kind == Tree::Kind::kBroken) return false;
  if (shape.kind == Shape::Kind::kOptional) {
    shape.clear(into);
    if (tree.kind == Tree::Kind::kNull) return true;
    return read(tree, *shape.element, info, shape.append(into, ""), path);
  }
  if (tree.kind == Tree::Kind::kNull) {
    return fail(tree.mark, path, "has no value", "", shape.expected);
  }
  const bool takes_tag =
      shape.kind == Shape::Kind::kVariant || shape.kind == Shape::Kind::kDistribution;
  if (!tree.tag.empty() && !takes_tag) {
    return fail(tree.mark, path, "takes no tag", printable(tree.tag), shape.expected);
  }
  switch (shape.kind) {
    case Shape::Kind::kScalar: return read_scalar(tree, shape, info, into, path);
    case Shape::Kind::kDistribution: return read_distribution(tree, info, into, path);
    case Shape::Kind::kList: return read_list(tree, shape, info, into, path);
    case Shape::Kind::kMap: return read_map(tree, shape, info, into, path);
    case Shape::Kind::kStruct: return read_struct(tree, shape, into, path);
    case Shape::Kind::kVariant: return read_variant(tree, shape, into, path);
    case Shape::Kind::kOptional: break;
  }
  return false;
}

bool Reader::read_scalar(const Tree& tree, const Shape& shape, const FieldInfo& info, void* into,
                         const std::string& path) {
  if (tree.kind != Tree::Kind::kScalar) {
    return fail(tree.mark, path, "has the wrong type", tree.shown(), shape.expected);
  }
  if (tree.quoted && shape.plain) {
    return fail(tree.mark, path, "is in quotes, so it is text", tree.shown(), shape.expected);
  }
  if (const auto problem = shape.read(tree.text, into)) {
    if (!shape.choices.empty()) {
      const std::string meant = suggest(tree.text, shape.choices);
      return fail(tree.mark, path, "is not a known name", tree.shown(), shape.expected, meant);
    }
    if (shape.meant != nullptr) {
      return fail(tree.mark, path, *problem, tree.shown(), shape.expected, shape.meant(tree.text));
    }
    const bool shows_text = problem->find('`') != std::string::npos ||
                            (!tree.text.empty() && problem->find(tree.text) != std::string::npos);
    return fail(tree.mark, path, *problem, shows_text ? "" : tree.shown());
  }
  return in_range(tree, shape, info, into, path);
}

bool Reader::in_range(const Tree& tree, const Shape& shape, const FieldInfo& info,
                      const void* value, const std::string& path) {
  if (shape.magnitude == nullptr) return true;
  const double magnitude = shape.magnitude(value);
  if (info.more_than_zero && !(magnitude > 0)) {
    return fail(tree.mark, path, "is out of range", tree.shown(), "more than 0");
  }
  if (const double least = info.at_least.value_or(0); magnitude < least) {
    return fail(tree.mark, path, "is out of range", tree.shown(),
                fmt::format("at least {}", least));
  }
  if (info.at_most && magnitude > *info.at_most) {
    return fail(tree.mark, path, "is out of range", tree.shown(),
                fmt::format("at most {}", *info.at_most));
  }
  return true;
}

bool Reader::read_distribution(const Tree& tree, const FieldInfo& info, void* into,
                               const std::string& path) {
  const ShapePtr duration = describe<Duration>();
  if (tree.kind == Tree::Kind::kScalar && tree.tag.empty()) {
    Duration fixed;
    if (!read_scalar(tree, *duration, info, &fixed, path)) return false;
    *static_cast<Distribution*>(into) = Distribution::fixed(fixed);
    return true;
  }
  if (tree.tag.empty()) {
    return fail(tree.mark, path, "has the wrong type", tree.shown() + " without a tag",
                "a duration such as 10m, or one of " + join_names(distributions_->tags()));
  }
  DistributionNotation notation;
  if (!read_variant(tree, *distributions_, &notation, path)) return false;
  const auto made = make_distribution(notation, tree.mark.source->folder, files_);
  if (!made) {
    // A sentence that starts with a parameter belongs to the place of that parameter.
    const TreeEntry* const parameter = tree.find(made.error().substr(0, made.error().find(' ')));
    return fail(parameter != nullptr ? parameter->value.mark : tree.mark, path, made.error());
  }
  *static_cast<Distribution*>(into) = *made;
  return true;
}

bool Reader::read_list(const Tree& tree, const Shape& shape, const FieldInfo& info, void* into,
                       const std::string& path) {
  if (tree.kind != Tree::Kind::kList) {
    return fail(tree.mark, path, "has the wrong type", tree.shown(), "a list such as [a, b]");
  }
  shape.clear(into);
  bool fine = !shape.named_list() || names_are_unique(tree, path);
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    const Tree& item = tree.items[i];
    void* const element = shape.append(into, "");
    fine = read(item, *shape.element, info, element, with_element(path, item, i)) && fine;
  }
  return fine;
}

bool Reader::names_are_unique(const Tree& tree, const std::string& path) {
  bool fine = true;
  std::map<std::string_view, int> line_of_name;
  for (const Tree& item : tree.items) {
    const std::string_view name = name_of(item);
    if (name.empty()) continue;
    const TreeEntry* const given = item.find("name");
    const Mark& mark = given == nullptr ? item.mark : given->value.mark;  // (named by its tag)
    const auto [first, is_new] = line_of_name.emplace(name, mark.line);
    if (is_new) continue;
    fine = fail(
        mark, path,
        fmt::format("name `{}` is given twice (first in line {})", printable(name), first->second));
  }
  return fine;
}

bool Reader::read_map(const Tree& tree, const Shape& shape, const FieldInfo& info, void* into,
                      const std::string& path) {
  if (tree.kind != Tree::Kind::kMap) {
    return fail(tree.mark, path, "has the wrong type", tree.shown(), "a map such as {name: value}");
  }
  shape.clear(into);
  bool fine = true;
  for (const TreeEntry& entry : tree.entries) {
    void* const element = shape.append(into, entry.key);
    fine = read(entry.value, *shape.element, info, element, with_key(path, entry.key)) && fine;
  }
  return fine;
}

bool Reader::read_struct(const Tree& tree, const Shape& shape, void* into,
                         const std::string& path) {
  if (tree.kind != Tree::Kind::kMap) {
    return fail(tree.mark, path, "has the wrong type", tree.shown(),
                path.empty() ? "a map of fields" : shape.expected);
  }
  if (path.empty()) kubernetes_ = kubernetes_of(tree, shape);
  take_kubernetes_defaults(shape, into, kubernetes_);
  bool fine = !tree.incomplete;
  std::set<std::string> misspelt;
  for (const TreeEntry& entry : tree.entries) {
    const std::string below = with_key(path, entry.key);
    if (const Field* const field = shape.field(entry.key)) {
      fine = read(entry.value, *field->shape, field->info, field->member(into), below) && fine;
      continue;
    }
    const std::string meant = suggest(entry.key, shape.keys());
    misspelt.insert(meant);
    const std::string known = shape.fields.empty() ? "no key" : join_names(shape.keys());
    fine = fail(entry.mark, below, "unknown key", "", meant.empty() ? known : "", meant);
  }
  for (const Field& field : shape.fields) {
    const bool excused = !field.info.unless.empty() && tree.find(field.info.unless) != nullptr;
    if (!field.info.required || excused || tree.incomplete || misspelt.count(field.key) > 0)
      continue;
    if (tree.find(field.key) != nullptr) continue;
    fine = fail(tree.mark, with_key(path, field.key), "is required, but missing", "",
                field.shape->expected);
  }
  return fine && passes_check(tree, shape, into, path);
}

bool Reader::passes_check(const Tree& tree, const Shape& shape, const void* object,
                          const std::string& path) {
  if (shape.check == nullptr) return true;
  FieldProblems problems;
  shape.check(object, problems);
  add_problems(problems, tree, path, ProblemKind::kError, diagnostics_);
  return problems.all().empty();
}

bool Reader::read_variant(const Tree& tree, const Shape& shape, void* into,
                          const std::string& path) {
  const std::string tags = join_names(shape.tags());
  if (tree.tag.empty()) {
    return fail(tree.mark, path, "needs a tag that says which kind it is", tree.shown(), tags,
                suggest("!" + tree.text, shape.tags()));
  }
  const Alternative* const alternative = shape.alternative(tree.tag);
  if (alternative == nullptr) {
    return fail(tree.mark, path, "unknown tag", printable(tree.tag), tags,
                suggest(tree.tag, shape.tags()));
  }
  const auto index = static_cast<std::size_t>(alternative - shape.alternatives.data());
  void* const object = shape.emplace(into, index);
  if (tree.kind == Tree::Kind::kScalar && tree.text.empty() && !tree.quoted) {
    // `!restart-in-place` alone: every field has its default.
    return read_struct(make_tree(Tree::Kind::kMap, tree.mark), *alternative->shape, object, path);
  }
  return read_struct(tree, *alternative->shape, object, path);
}

}  // namespace faultline
