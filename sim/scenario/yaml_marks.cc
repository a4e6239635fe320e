#include "sim/scenario/yaml_marks.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

constexpr const char* kWhiteSpace = " \t\r\n";

}  // namespace

YamlMarks::YamlMarks(SourcePtr source, std::size_t begin)
    : source_(std::move(source)), begin_(begin) {
  for (std::size_t i = 0; i < source_->text.size(); ++i) {
    if (source_->text[i] == '\n') line_begins_.push_back(i + 1);
  }
}

Mark YamlMarks::at(const YAML::Mark& place, int width) const {
  return make(line_of(place), byte_of(place), width);
}

Mark YamlMarks::at_byte(std::size_t byte) const {
  const auto next = std::upper_bound(line_begins_.begin(), line_begins_.end(), byte);
  return make(static_cast<int>(next - line_begins_.begin()) - 1, byte, 1);
}

Mark YamlMarks::at_end() const {
  const std::size_t last = source_->text.find_last_not_of(kWhiteSpace);
  return at_byte(last == std::string::npos ? 0 : last);
}

bool YamlMarks::is_past_text(const YAML::Mark& place) const {
  return source_->text.find_first_not_of(kWhiteSpace, byte_of(place)) == std::string::npos;
}

bool YamlMarks::closes_quote(const YAML::Mark& place) const {
  const std::string& text = source_->text;
  const std::size_t begin = byte_of(place);
  if (begin >= text.size() || (text[begin] != '"' && text[begin] != '\'')) return true;
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    const bool escapes = text[begin] == '"' ? text[i] == '\\' : text.compare(i, 2, "''") == 0;
    if (escapes) {
      ++i;
    } else if (text[i] == text[begin]) {
      return true;
    }
  }
  return false;
}

std::string YamlMarks::tag_at(const YAML::Mark& place) const {
  const std::string& text = source_->text;
  const std::size_t begin = byte_of(place);
  if (begin >= text.size() || text[begin] != '!') return "";
  return text.substr(begin, text.find_first_of(" \t\r\n,]}", begin) - begin);
}

int YamlMarks::line_of(const YAML::Mark& place) const {
  return std::clamp(place.line, 0, static_cast<int>(line_begins_.size()) - 1);
}

std::size_t YamlMarks::byte_of(const YAML::Mark& place) const {
  const int line = line_of(place);
  const auto column = static_cast<std::size_t>(std::max(0, place.column));
  return line_begins_[static_cast<std::size_t>(line)] + column + (line == 0 ? begin_ : 0);
}

Mark YamlMarks::make(int line, std::size_t byte, int width) const {
  const std::size_t begin = line_begins_[static_cast<std::size_t>(line)];
  byte = std::clamp(byte, begin, source_->text.size());
  if (counted_to_ < begin || counted_to_ > byte) {
    counted_to_ = begin;
    characters_ = 0;
  }
  const std::string_view text = source_->text;
  characters_ += count_characters(text.substr(counted_to_, byte - counted_to_));
  counted_to_ = byte;
  return {source_, line + 1, characters_ + 1, width};
}

}  // namespace faultline
