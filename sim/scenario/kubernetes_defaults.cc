#include "sim/scenario/kubernetes_defaults.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/check.h"

namespace faultline {
namespace {

const Field* version_field(const Shape& shape) {
  const auto names_version = [](const Field& field) {
    return field.shape->type == Notation<KubernetesVersion>::kType;
  };
  const auto found = std::find_if(shape.fields.begin(), shape.fields.end(), names_version);
  return found == shape.fields.end() ? nullptr : &*found;
}

}  // namespace

KubernetesVersion kubernetes_of(const Tree& tree, const Shape& shape) {
  const Field* const field = version_field(shape);
  const TreeEntry* const entry = field == nullptr ? nullptr : tree.find(field->key);
  if (entry == nullptr || entry->value.kind != Tree::Kind::kScalar) return {};
  return parse_kubernetes_version(entry->value.text).value_or(KubernetesVersion{});
}

KubernetesVersion kubernetes_of(const void* object, const Shape& shape) {
  const Field* const field = version_field(shape);
  if (field == nullptr) return {};
  return *static_cast<const KubernetesVersion*>(field->member(const_cast<void*>(object)));
}

void take_kubernetes_defaults(const Shape& shape, void* object, KubernetesVersion version) {
  for (const Field& field : shape.fields) {
    if (field.shape->kind == Shape::Kind::kStruct) {
      take_kubernetes_defaults(*field.shape, field.member(object), version);
    }
    if (field.info.by_kubernetes == nullptr) continue;
    const auto problem =
        field.shape->read(field.info.by_kubernetes->in(version), field.member(object));
    FAULTLINE_CHECK(!problem, "the default of {}: {}", field.key, *problem);
  }
}

bool follows_kubernetes(const Tree& tree, const Shape& maybe_optional) {
  const Shape& shape = without_optional(maybe_optional);
  if (shape.kind == Shape::Kind::kList) {
    return std::any_of(tree.items.begin(), tree.items.end(),
                       [&](const Tree& item) { return follows_kubernetes(item, *shape.element); });
  }
  if (shape.kind == Shape::Kind::kMap) {
    return std::any_of(tree.entries.begin(), tree.entries.end(), [&](const TreeEntry& entry) {
      return follows_kubernetes(entry.value, *shape.element);
    });
  }
  const Shape* const fields = shape.struct_of(tree.tag);
  if (fields == nullptr) return false;
  return std::any_of(fields->fields.begin(), fields->fields.end(), [&](const Field& field) {
    const TreeEntry* const entry = tree.find(field.key);
    if (field.info.by_kubernetes != nullptr) return entry == nullptr;
    if (entry != nullptr) return follows_kubernetes(entry->value, *field.shape);
    return field.shape->kind == Shape::Kind::kStruct && follows_kubernetes({}, *field.shape);
  });
}

std::string text_of(const KubernetesDefault& standard) {
  return fmt::format("{} from Kubernetes {} on, {} before ({})", standard.since,
                     to_string(standard.changed_in), standard.before, standard.source);
}

}  // namespace faultline
