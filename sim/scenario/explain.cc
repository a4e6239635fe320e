#include "sim/scenario/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/distribution_notation.h"
#include "sim/scenario/field_path.h"
#include "sim/scenario/field_text.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

constexpr std::size_t kTextWidth = 84;

std::string wrapped(std::string_view text, std::size_t indent, std::size_t first_column) {
  std::string result;
  std::size_t column = first_column;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column + end > kTextWidth && column > indent) {
      result.append("\n").append(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

struct Found {
  const Shape* owner = nullptr;  // the struct that has the field; null: the root, or an element
  const Field* field = nullptr;
  const Shape* shape = nullptr;
  std::string kind;  // "!karpenter": the field exists in this kind of value only
};

class Explainer {
 public:
  explicit Explainer(const Shape& root)
      : root_(root), distributions_(describe<DistributionNotation>()) {}

  tl::expected<std::string, std::string> operator()(const std::string& path, bool recursive) {
    std::string plain = path;
    for (std::size_t at = plain.find("[]"); at != std::string::npos; at = plain.find("[]")) {
      plain.erase(at, 2);
    }
    if (!plain.empty()) {
      auto segments = parse_path(plain);
      if (!segments) return tl::unexpected(segments.error().problem);
      segments_ = std::move(*segments);
    }
    find({nullptr, nullptr, &root_, ""}, 0);
    if (found_.empty()) return tl::unexpected(not_found());
    std::string text;
    for (const Found& each : found_) {
      if (!text.empty()) text += "\n";
      text += section(each, path.empty() ? "the whole file" : path, recursive);
    }
    return text;
  }

 private:
  void find(const Found& at, std::size_t depth) {
    if (depth == segments_.size()) {
      found_.push_back(at);
      return;
    }
    const PathSegment& segment = segments_[depth];
    const auto inside = [&](const Shape& shape) {
      return Found{nullptr, at.field, &shape, at.kind};
    };
    switch (at.shape->kind) {
      case Shape::Kind::kOptional: return find(inside(*at.shape->element), depth);
      case Shape::Kind::kList:
        return find(inside(*at.shape->element),
                    depth + (segment.bracket && segment.text.front() != '!' ? 1 : 0));
      case Shape::Kind::kMap: return find(inside(*at.shape->element), depth + 1);
      case Shape::Kind::kStruct: return find_field(at, depth);
      case Shape::Kind::kDistribution: return find(inside(*distributions_), depth);
      case Shape::Kind::kVariant:
        for (const Alternative& alternative : at.shape->alternatives) {
          if (segment.text == alternative.tag) {
            find({nullptr, at.field, alternative.shape.get(), alternative.tag}, depth + 1);
          } else if (segment.text.front() != '!') {
            find({nullptr, at.field, alternative.shape.get(), alternative.tag}, depth);
          }
        }
        if (segment.text.front() == '!') note_misses(at.shape->tags(), depth);
        return;
      case Shape::Kind::kScalar: return note_misses({}, depth);
    }
  }

  void find_field(const Found& at, std::size_t depth) {
    if (const Field* const field = at.shape->field(segments_[depth].text)) {
      return find({at.shape, field, field->shape.get(), at.kind}, depth + 1);
    }
    note_misses(at.shape->keys(), depth);
  }

  // What would have been possible at the place where the path leaves the known fields.
  void note_misses(const std::vector<std::string>& possible, std::size_t depth) {
    if (depth < missed_at_) return;
    if (depth > missed_at_) possible_.clear();
    missed_at_ = depth;
    for (const std::string& name : possible) {
      if (std::find(possible_.begin(), possible_.end(), name) == possible_.end()) {
        possible_.push_back(name);
      }
    }
  }

  std::string not_found() const {
    const std::string& wrong = segments_[missed_at_].text;
    std::string text = "there is no field `" + printable(wrong) + "`";
    if (missed_at_ > 0) text += " below `" + printable(segments_[missed_at_ - 1].text) + "`";
    if (possible_.empty()) return text + ", which is a single value";
    const std::string meant = suggest(wrong, possible_);
    if (!meant.empty()) return text + "; did you mean " + meant + "?";
    return text + " (expected " + join_names(possible_) + ")";
  }

  std::string section(const Found& found, const std::string& path, bool recursive) const {
    std::string text =
        "FIELD     " + path + (found.kind.empty() ? "" : "  (of " + found.kind + ")");
    text += "\nTYPE      " + found.shape->type + "\n";
    if (found.owner != nullptr) {
      const Field& field = *found.field;
      const std::string range = range_text(field);
      const std::string standard = default_text(*found.owner, field);
      if (!range.empty()) text += "RANGE     " + range + "\n";
      if (!field.info.unless.empty()) {
        text += fmt::format("DEFAULT   none: it must be given, or `{}`\n", field.info.unless);
      } else if (field.info.required) {
        text += "DEFAULT   none: it must be given\n";
      }
      if (!standard.empty()) text += "DEFAULT   " + standard + "\n";
    }
    if (found.field != nullptr) {
      text += "MEANING   " + wrapped(found.field->info.help, 10, 10) + "\n";
    }
    const Shape* const below = fields_below(*found.shape);
    if (below == nullptr) return text;
    return text + "\nFIELDS\n" + children(*below, 2, recursive);
  }

  std::string children(const Shape& shape, std::size_t indent, bool recursive) const {
    std::string text;
    if (shape.kind == Shape::Kind::kDistribution) return children(*distributions_, indent, false);
    for (const Alternative& alternative : shape.alternatives) {
      text.append(indent, ' ') += alternative.tag + "\n";
      text += children(*alternative.shape, indent + 2, recursive);
    }
    for (const Field& field : shape.fields) text += child(shape, field, indent, recursive);
    return text;
  }

  std::string child(const Shape& owner, const Field& field, std::size_t indent,
                    bool recursive) const {
    const std::string standard = default_text(owner, field);
    std::string text = std::string(indent, ' ') + field.key + "  <" + field.shape->type + ">";
    if (field.info.required) text += "  required";
    if (!standard.empty()) text += "  default " + standard;
    text += "\n" + std::string(indent + 4, ' ');
    text += wrapped(field.info.help, indent + 4, indent + 4) + "\n";
    const Shape* const below = recursive ? fields_below(*field.shape) : nullptr;
    if (below != nullptr && below->kind != Shape::Kind::kDistribution) {
      text += children(*below, indent + 4, recursive);
    }
    return text;
  }

  const Shape& root_;
  ShapePtr distributions_;
  std::vector<PathSegment> segments_;
  std::vector<Found> found_;
  std::vector<std::string> possible_;
  std::size_t missed_at_ = 0;
};

}  // namespace

tl::expected<std::string, std::string> explain(const Shape& root, const std::string& path,
                                               bool recursive) {
  return Explainer(root)(path, recursive);
}

}  // namespace faultline
