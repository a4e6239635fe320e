#include "sim/scenario/field_text.h"

#include <fmt/format.h>

#include <memory>

#include "sim/scenario/kubernetes_defaults.h"
#include "sim/scenario/write.h"

namespace faultline {
namespace {

const Shape& innermost(const Shape& shape) {
  return shape.element == nullptr ? shape : innermost(*shape.element);
}

}  // namespace

std::string range_text(const Field& field) {
  const FieldInfo& info = field.info;
  const Shape& value = innermost(*field.shape);
  const bool has_magnitude = value.magnitude != nullptr || value.kind == Shape::Kind::kDistribution;
  if (!has_magnitude) return "";
  std::string text;
  if (info.more_than_zero) {
    text = "more than 0";
  } else if (info.at_least) {
    text = fmt::format("at least {}", *info.at_least);
  } else if (!info.ratio) {
    text = "0 or more";
  }
  if (info.at_most) text += fmt::format("{}at most {}", text.empty() ? "" : ", ", *info.at_most);
  if (info.ratio) text += fmt::format("{}from 0% to 100%", text.empty() ? "" : ", ");
  return text;
}

std::string default_text(const Shape& owner, const Field& field) {
  if (field.info.required || field.shape->kind == Shape::Kind::kStruct) return "";
  if (field.info.by_kubernetes != nullptr) return text_of(*field.info.by_kubernetes);
  const std::shared_ptr<void> object = owner.make();
  const Tree tree = tree_of(*field.shape, field.member(object.get()));
  if (tree.kind == Tree::Kind::kNull) return "none";
  return to_flow_yaml(tree);
}

const Shape* fields_below(const Shape& shape) {
  const Shape& value = innermost(shape);
  return value.kind == Shape::Kind::kScalar ? nullptr : &value;
}

}  // namespace faultline
