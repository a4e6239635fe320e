#include "sim/scenario/reference.h"

#include <string_view>

#include "sim/scenario/distribution_notation.h"
#include "sim/scenario/field_text.h"

namespace faultline {
namespace {

std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

class Page {
 public:
  std::string take() { return std::move(text_); }

  void section(const std::string& path, const Shape& shape) {
    if (shape.kind == Shape::Kind::kDistribution) return;
    for (const Alternative& alternative : shape.alternatives) {
      section(path + (path.empty() ? "" : " ") + alternative.tag, *alternative.shape);
    }
    if (shape.kind != Shape::Kind::kStruct) return;
    text_ += "\n## " + (path.empty() ? std::string("The file") : "`" + path + "`") + "\n\n";
    text_ += "| field | type | range | default | meaning |\n|---|---|---|---|---|\n";
    for (const Field& field : shape.fields) row(shape, field);
    for (const Field& field : shape.fields) {
      if (const Shape* const below = fields_below(*field.shape)) {
        section(path + (path.empty() ? "" : ".") + field.key + brackets(*field.shape), *below);
      }
    }
  }

 private:
  static std::string brackets(const Shape& shape) {
    const Shape& value = without_optional(shape);
    if (value.kind == Shape::Kind::kList) return "[]";
    return value.kind == Shape::Kind::kMap ? ".KEY" : "";
  }

  void row(const Shape& owner, const Field& field) {
    const std::string standard =
        field.info.required ? "**required**" : code(default_text(owner, field));
    text_ += "| `" + field.key + "` | " + cell(field.shape->type) + " | " +
             cell(range_text(field)) + " | " + standard + " | " + cell(field.info.help) + " |\n";
  }

  std::string text_;
};

}  // namespace

std::string reference_page(const Shape& root) {
  Page page;
  page.section("", root);
  page.section("a distribution", *describe<DistributionNotation>());
  return "# Reference of scenario files\n" + page.take();
}

}  // namespace faultline
