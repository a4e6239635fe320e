#include "sim/scenario/shape.h"

#include "sim/scenario/suggest.h"

namespace faultline {

const Field* Shape::field(std::string_view key) const {
  for (const Field& candidate : fields) {
    if (candidate.key == key) return &candidate;
  }
  return nullptr;
}

const Alternative* Shape::alternative(std::string_view tag) const {
  for (const Alternative& candidate : alternatives) {
    if (candidate.tag == tag) return &candidate;
  }
  return nullptr;
}

const Shape* Shape::struct_of(std::string_view tag) const {
  if (kind == Kind::kStruct) return this;
  const Alternative* const found = alternative(tag);
  return found == nullptr ? nullptr : found->shape.get();
}

std::vector<std::string> Shape::keys() const {
  std::vector<std::string> names;
  for (const Field& each : fields) names.push_back(each.key);
  return names;
}

std::vector<std::string> Shape::tags() const {
  std::vector<std::string> names;
  for (const Alternative& each : alternatives) names.push_back(each.tag);
  return names;
}

bool Shape::named_list() const {
  if (kind != Kind::kList) return false;
  const Shape& of = without_optional(*element);
  if (of.kind == Kind::kVariant) return true;  // (by the tag, if not by a name)
  return of.kind == Kind::kStruct && of.field("name") != nullptr;
}

const Shape& without_optional(const Shape& shape) {
  return shape.kind == Shape::Kind::kOptional ? without_optional(*shape.element) : shape;
}

namespace detail {

void add_choice(Shape& shape, std::string_view name) { shape.choices.emplace_back(name); }

void add_alternative(Shape& shape, std::string_view tag, ShapePtr alternative) {
  shape.alternatives.push_back({"!" + std::string(tag), std::move(alternative)});
}

ShapePtr finish(Shape shape, std::function<std::shared_ptr<void>()> make) {
  shape.make = std::move(make);
  switch (shape.kind) {
    case Shape::Kind::kScalar:
      if (shape.choices.empty()) break;
      shape.type = join_names(shape.choices);
      shape.expected = shape.type;
      break;
    case Shape::Kind::kDistribution:
      shape.type = "distribution";
      shape.expected = "a duration such as 10m, or a distribution such as !exponential {mean: 10m}";
      break;
    case Shape::Kind::kOptional:
      shape.type = shape.element->type;
      shape.expected = shape.element->expected;
      break;
    case Shape::Kind::kList:
      shape.type = "list of " + shape.element->type;
      shape.expected = "a list";
      break;
    case Shape::Kind::kMap:
      shape.type = "map to " + shape.element->type;
      shape.expected = "a map";
      break;
    case Shape::Kind::kStruct:
      shape.type = "map";
      shape.expected = shape.short_form.empty()
                           ? "a map, or the path of a YAML file"
                           : "a text, or a map such as {" + shape.short_form + ": ...}";
      break;
    case Shape::Kind::kVariant:
      shape.type = join_names(shape.tags());
      shape.expected = shape.type + " with a map";
      break;
  }
  return std::make_shared<const Shape>(std::move(shape));
}

}  // namespace detail
}  // namespace faultline
