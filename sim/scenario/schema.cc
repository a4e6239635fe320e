#include "sim/scenario/schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/distribution_notation.h"
#include "sim/scenario/field_text.h"
#include "sim/scenario/json_text.h"

namespace faultline {
namespace {

class SchemaWriter {
 public:
  explicit SchemaWriter(JsonText& out) : out_(out) {}

  void type(const Shape& shape, const FieldInfo& info) {
    switch (shape.kind) {
      case Shape::Kind::kScalar: return scalar(shape, info);
      case Shape::Kind::kDistribution: out_.key("$ref").text("#/$defs/distribution"); return;
      case Shape::Kind::kOptional:
        any_of([&] {
          alternative([&] { type(*shape.element, info); });
          alternative([&] { out_.key("type").text("null"); });
        });
        return;
      case Shape::Kind::kList:
        out_.key("type").text("array");
        out_.key("items").open_object();
        type(*shape.element, info);
        out_.close_object();
        return;
      case Shape::Kind::kMap:
        out_.key("type").text("object");
        out_.key("additionalProperties").open_object();
        type(*shape.element, info);
        out_.close_object();
        return;
      case Shape::Kind::kStruct:
        any_of([&] {
          shape.short_form.empty() ? path_of_a_file() : short_form(shape);
          alternative([&] { object(shape); });
        });
        return;
      case Shape::Kind::kVariant:
        any_of([&] {
          path_of_a_file();
          kinds(shape);
        });
        return;
    }
  }

  // A map of fields. A map that extends a file takes what is required from there.
  void object(const Shape& shape) {
    out_.key("type").text("object");
    out_.key("properties").open_object();
    out_.key("extends").open_object();
    out_.key("type").text("string");
    out_.key("description").text("The file to start from; the other keys change it.");
    out_.close_object();
    for (const Field& field : shape.fields) property(shape, field);
    out_.close_object();
    out_.key("additionalProperties").plain("false");
    const auto required = [](const Field& field) {
      return field.info.required && field.info.unless.empty();
    };
    if (std::none_of(shape.fields.begin(), shape.fields.end(), required)) return;
    any_of([&] {
      alternative([&] { out_.key("required").open_array().text("extends").close_array(); });
      alternative([&] {
        out_.key("required").open_array();
        for (const Field& field : shape.fields) {
          if (required(field)) out_.text(field.key);
        }
        out_.close_array();
      });
    });
  }

  void distribution() {
    any_of([&] {
      alternative([&] { scalar(*describe<Duration>(), FieldInfo{}); });
      kinds(*describe<DistributionNotation>());
    });
  }

 private:
  template <class Body>
  void any_of(Body body) {
    out_.key("anyOf").open_array();
    body();
    out_.close_array();
  }
  template <class Body>
  void alternative(Body body) {
    out_.open_object();
    body();
    out_.close_object();
  }
  void path_of_a_file() {
    alternative([&] {
      out_.key("type").text("string");
      out_.key("description").text("The path of a YAML file that holds this map.");
    });
  }
  void short_form(const Shape& shape) {
    alternative([&] {
      out_.key("type").text("string");
      out_.key("description").text("`" + shape.short_form + "` alone.");
    });
  }
  void kinds(const Shape& variant) {
    for (const Alternative& each : variant.alternatives) {
      alternative([&] {
        out_.key("title").text(each.tag);
        object(*each.shape);
      });
    }
  }

  void property(const Shape& owner, const Field& field) {
    out_.key(field.key).open_object();
    const std::string standard = default_text(owner, field);
    std::string text(field.info.help);
    if (field.shape->kind == Shape::Kind::kScalar && field.shape->choices.empty()) {
      text += " (" + field.shape->expected + ")";
    }
    if (!standard.empty()) text += " Default: " + standard + ".";
    out_.key("description").text(text);
    type(*field.shape, field.info);
    out_.close_object();
  }

  void scalar(const Shape& shape, const FieldInfo& info) {
    if (!shape.choices.empty()) {
      out_.key("enum").open_array();
      for (const std::string& name : shape.choices) out_.text(name);
      out_.close_array();
    } else if (shape.type == Notation<KubernetesVersion>::kType) {
      kubernetes_versions();
    } else if (shape.type == Notation<bool>::kType) {
      out_.key("type").text("boolean");
    } else if (shape.plain) {
      out_.key("type").text(shape.type == Notation<std::int64_t>::kType ? "integer" : "number");
      limits(info);
    } else {
      // A quantity is text for JSON; `0` and a bare fraction are the only numbers.
      out_.key("type").open_array().text("string").text("number").close_array();
    }
  }

  // As text, and as the number that YAML makes of it for others: 1.3 for 1.30.
  void kubernetes_versions() {
    out_.key("enum").open_array();
    for (KubernetesVersion v = kOldestKubernetes; v <= kNewestKubernetes; ++v.minor) {
      std::string text = to_string(v);
      out_.text(text);
      if (text.back() == '0') text.pop_back();
      out_.plain(text);
    }
    out_.close_array();
  }

  void limits(const FieldInfo& info) {
    if (info.more_than_zero) {
      out_.key("exclusiveMinimum").plain("0");
    } else {
      out_.key("minimum").plain(fmt::format("{}", info.at_least.value_or(0)));
    }
    if (info.at_most) out_.key("maximum").plain(fmt::format("{}", *info.at_most));
  }

  JsonText& out_;
};

}  // namespace

std::string json_schema(const Shape& root, const std::string& title) {
  JsonText out;
  SchemaWriter writer(out);
  out.open_object();
  out.key("$schema").text("https://json-schema.org/draft/2020-12/schema");
  out.key("title").text(title);
  writer.object(root);
  out.key("$defs").open_object();
  out.key("distribution").open_object();
  writer.distribution();
  out.close_object().close_object().close_object();
  return out.result() + "\n";
}

}  // namespace faultline
