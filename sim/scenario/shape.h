// A type as data: what the field lists of the config structs say, at run time.
//
// `describe<T>()` is the only template of the scenario layer. It turns a field list into a `Shape`,
// and everything else (loader, includes, overrides, writer, explain, JSON Schema, reference page)
// is ordinary code that walks a shape beside a value tree. So a new config struct costs one
// instantiation instead of six, and a new product costs no template at all.
//
// A shape owns no object. Its functions take the address of an object of its type; the caller keeps
// types and addresses together, which the walk does by construction.
//
// Thread rule: immutable after construction; share freely.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "sim/scenario/notation.h"

namespace faultline {

struct Shape;
using ShapePtr = std::shared_ptr<const Shape>;

struct Field {
  std::string key;
  FieldInfo info;
  ShapePtr shape;
  std::function<void*(void* object)> member;  // the address of the member in its struct
};

struct Alternative {
  std::string tag;  // "!training"
  ShapePtr shape;   // of a struct
};

struct Shape {
  enum class Kind { kScalar, kDistribution, kOptional, kList, kMap, kStruct, kVariant };

  Kind kind = Kind::kScalar;
  std::string type;                             // "duration", "list of count": for people
  std::string expected;                         // "a duration such as 10m"
  std::function<std::shared_ptr<void>()> make;  // a new object with its defaults

  // kScalar. `read` answers with a problem, or with nothing when the value is in place.
  bool plain = false;                // quotes are refused: they say "this is text"
  std::vector<std::string> choices;  // of an enum
  std::optional<std::string> (*read)(std::string_view text, void* into) = nullptr;
  std::string (*write)(const void* value) = nullptr;
  std::string (*meant)(std::string_view text) = nullptr;  // the right spelling of a wrong text
  double (*magnitude)(const void* value) = nullptr;       // what ranges compare, in base units

  // kOptional, kList, kMap
  ShapePtr element;
  void* (*append)(void* container,
                  const std::string& key) = nullptr;  // a new element; kList: no key
  void (*clear)(void* container) = nullptr;
  std::vector<std::pair<std::string, const void*>> (*elements)(const void* container) = nullptr;

  // kStruct
  std::vector<Field> fields;
  std::string short_form;  // the field that a scalar in place of the map means; empty: none
  void (*check)(const void* object, FieldProblems& problems) = nullptr;

  // kVariant
  std::vector<Alternative> alternatives;
  void* (*emplace)(void* variant, std::size_t alternative) = nullptr;
  std::pair<std::size_t, const void*> (*chosen)(const void* variant) = nullptr;

  const Field* field(std::string_view key) const;
  const Alternative* alternative(std::string_view tag) const;
  // Of kStruct, and of kVariant by tag: the struct that a map is read into; null for a wrong tag.
  const Shape* struct_of(std::string_view tag) const;
  std::vector<std::string> keys() const;  // of kStruct
  std::vector<std::string> tags() const;  // of kVariant
  // A list whose elements have a `name`: they are addressed and merged by it.
  bool named_list() const;
};

// The shape inside an optional; any other shape as it is.
const Shape& without_optional(const Shape& shape);

template <class T>
ShapePtr describe(bool ratio = false);

namespace detail {

template <class T, template <class...> class Template>
inline constexpr bool kIs = false;
template <template <class...> class Template, class... Args>
inline constexpr bool kIs<Template<Args...>, Template> = true;

template <class T>
concept HasNotation = requires {
  Notation<T>::kType;
};
template <class T>
concept HasEnumNames = requires {
  EnumNames<T>::kNames;
};
template <class T>
concept HasCheck = requires(const T& object, FieldProblems& problems) {
  object.check(problems);
};

template <class T>
std::shared_ptr<void> make_object() {
  return std::make_shared<T>();
}

template <class T, class N>
Shape scalar_shape() {
  Shape shape;
  shape.type = N::kType;
  shape.expected = N::kExpected;
  shape.plain = N::kPlain;
  shape.read = [](std::string_view text, void* into) -> std::optional<std::string> {
    Parsed<T> parsed = N::parse(text);
    if (!parsed) return parsed.error();
    *static_cast<T*>(into) = std::move(*parsed);
    return std::nullopt;
  };
  shape.write = [](const void* value) { return N::text(*static_cast<const T*>(value)); };
  if constexpr (requires { &N::meant; }) shape.meant = &N::meant;
  if constexpr (requires { &N::magnitude; }) {
    shape.magnitude = [](const void* value) { return N::magnitude(*static_cast<const T*>(value)); };
  }
  return shape;
}

void add_choice(Shape& shape, std::string_view name);

template <class E>
Shape enum_shape() {
  Shape shape;
  shape.type = "one of";
  for (const auto& [value, name] : EnumNames<E>::kNames) add_choice(shape, name);
  shape.read = [](std::string_view text, void* into) -> std::optional<std::string> {
    for (const auto& [value, name] : EnumNames<E>::kNames) {
      if (name != text) continue;
      *static_cast<E*>(into) = value;
      return std::nullopt;
    }
    return "is not one of the names that are possible here";
  };
  shape.write = [](const void* value) {
    return std::string(enum_name(*static_cast<const E*>(value)));
  };
  return shape;
}

using Elements = std::vector<std::pair<std::string, const void*>>;

template <class T>
Shape optional_shape(bool ratio) {
  Shape shape;
  shape.kind = Shape::Kind::kOptional;
  shape.element = describe<typename T::value_type>(ratio);
  shape.append = [](void* o, const std::string&) -> void* {
    return &static_cast<T*>(o)->emplace();
  };
  shape.clear = [](void* o) { static_cast<T*>(o)->reset(); };
  shape.elements = [](const void* o) {
    const T& optional = *static_cast<const T*>(o);
    return optional ? Elements{{"", &*optional}} : Elements{};
  };
  return shape;
}

template <class T>
Shape list_shape(bool ratio) {
  Shape shape;
  shape.kind = Shape::Kind::kList;
  shape.element = describe<typename T::value_type>(ratio);
  shape.append = [](void* list, const std::string&) -> void* {
    return &static_cast<T*>(list)->emplace_back();
  };
  shape.clear = [](void* list) { static_cast<T*>(list)->clear(); };
  shape.elements = [](const void* list) {
    Elements elements;
    for (const auto& element : *static_cast<const T*>(list)) elements.emplace_back("", &element);
    return elements;
  };
  return shape;
}

template <class T>
Shape map_shape(bool ratio) {
  Shape shape;
  shape.kind = Shape::Kind::kMap;
  shape.element = describe<typename T::mapped_type>(ratio);
  shape.append = [](void* map, const std::string& key) -> void* {
    return &(*static_cast<T*>(map))[key];
  };
  shape.clear = [](void* map) { static_cast<T*>(map)->clear(); };
  shape.elements = [](const void* map) {
    Elements elements;
    for (const auto& [key, value] : *static_cast<const T*>(map)) elements.emplace_back(key, &value);
    return elements;
  };
  return shape;
}

template <class T>
struct FieldCollector {
  std::vector<Field> fields;

  template <class Member, class Owner>
  void operator()(std::string_view key, Member Owner::*member, const FieldInfo& info) {
    fields.push_back(
        {std::string(key), info, describe<Member>(info.ratio),
         [member](void* object) -> void* { return &(static_cast<T*>(object)->*member); }});
  }
};

template <class T>
Shape struct_shape() {
  Shape shape;
  shape.kind = Shape::Kind::kStruct;
  FieldCollector<T> collector;
  T::fields(collector);
  shape.fields = std::move(collector.fields);
  if constexpr (requires { T::kShortForm; }) shape.short_form = T::kShortForm;
  if constexpr (HasCheck<T>) {
    shape.check = [](const void* object, FieldProblems& problems) {
      static_cast<const T*>(object)->check(problems);
    };
  }
  return shape;
}

void add_alternative(Shape& shape, std::string_view tag, ShapePtr alternative);

template <class T, std::size_t... kIndex>
Shape variant_shape(std::index_sequence<kIndex...>) {
  Shape shape;
  shape.kind = Shape::Kind::kVariant;
  (add_alternative(shape, std::variant_alternative_t<kIndex, T>::kTag,
                   describe<std::variant_alternative_t<kIndex, T>>()),
   ...);
  shape.emplace = [](void* variant, std::size_t alternative) -> void* {
    void* address = nullptr;
    (void)((kIndex == alternative &&
            (address = &static_cast<T*>(variant)->template emplace<kIndex>(), true)) ||
           ...);
    return address;
  };
  shape.chosen = [](const void* variant) {
    const T& chosen = *static_cast<const T*>(variant);
    const void* address =
        std::visit([](const auto& value) -> const void* { return &value; }, chosen);
    return std::pair{chosen.index(), address};
  };
  return shape;
}

// Fills in the texts for people, which follow from the kind.
ShapePtr finish(Shape shape, std::function<std::shared_ptr<void>()> make);

}  // namespace detail

template <class T>
ShapePtr describe(bool ratio) {
  using namespace detail;
  const auto build = [&]() -> Shape {
    if constexpr (std::is_same_v<T, double>) {
      return ratio ? scalar_shape<double, Notation<Ratio>>()
                   : scalar_shape<double, Notation<double>>();
    } else if constexpr (HasNotation<T>) {
      return scalar_shape<T, Notation<T>>();
    } else if constexpr (std::is_same_v<T, Distribution>) {
      Shape shape;
      shape.kind = Shape::Kind::kDistribution;
      return shape;
    } else if constexpr (HasEnumNames<T>) {
      return enum_shape<T>();
    } else if constexpr (kIs<T, std::optional>) {
      return optional_shape<T>(ratio);
    } else if constexpr (kIs<T, std::vector>) {
      return list_shape<T>(ratio);
    } else if constexpr (kIs<T, std::map>) {
      return map_shape<T>(ratio);
    } else if constexpr (kIs<T, std::variant>) {
      return variant_shape<T>(std::make_index_sequence<std::variant_size_v<T>>());
    } else {
      return struct_shape<T>();
    }
  };
  return finish(build(), &make_object<T>);
}

}  // namespace faultline
