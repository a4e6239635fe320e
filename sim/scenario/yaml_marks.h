// From the places that yaml-cpp reports to marks that people understand.
//
// yaml-cpp counts lines and bytes from 0 and starts at the beginning of what it was given; a `Mark`
// counts lines and characters from 1 in the whole source. Also answers what yaml-cpp does not ask:
// whether a quote is closed, which tag stands before an empty value.
//
// Thread rule: one instance per parse (the count of characters is remembered between calls).
#pragma once

#include <yaml-cpp/mark.h>

#include <cstddef>
#include <string>
#include <vector>

#include "sim/scenario/source.h"

namespace faultline {

class YamlMarks {
 public:
  // `begin`: the byte of the source at which the YAML starts; no line break comes before it.
  YamlMarks(SourcePtr source, std::size_t begin);

  Mark at(const YAML::Mark& place, int width = 1) const;
  Mark at_byte(std::size_t byte) const;
  // The last character of the text: where something was missing that never came.
  Mark at_end() const;

  // Nothing but white space follows.
  bool is_past_text(const YAML::Mark& place) const;
  // The quoted text that starts here ends before the file does.
  bool closes_quote(const YAML::Mark& place) const;
  // The tag that stands here, or nothing.
  std::string tag_at(const YAML::Mark& place) const;

  // The byte at which each line begins.
  const std::vector<std::size_t>& line_begins() const { return line_begins_; }

 private:
  int line_of(const YAML::Mark& place) const;
  std::size_t byte_of(const YAML::Mark& place) const;
  Mark make(int line, std::size_t byte, int width) const;

  SourcePtr source_;
  std::size_t begin_;
  std::vector<std::size_t> line_begins_{0};
  // Marks come in the order of the text, so the count goes on from the last one: a file of one long
  // line stays linear.
  mutable std::size_t counted_to_ = 0;
  mutable int characters_ = 0;
};

}  // namespace faultline
