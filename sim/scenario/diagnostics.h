// All that is wrong with what a user wrote, in one go.
//
// Each error names its place, the field, the problem and the way out, then shows the line:
//
//   traces/my.yaml:12:20: workloads[llama3].checkpoint.evry: unknown key; did you mean every?
//             checkpoint: {evry: 10m}
//                          ^~~~
//
// The parts are FILE:LINE:COLUMN, PATH, problem, "(got X, expected Y)" and "did you mean Z?";
// whatever is empty is left out. A warning says `warning: ` before the path. An error in a command line option starts with the option (`--set
// a.b=10`). An error without a line (a missing file) starts with the file's name alone.
//
// Errors print in the order of their position, file by file in the order in which files were first
// complained about. Very many errors are cut off with a count: the first ones are what a person
// reads. User text is shown with control characters replaced and long lines shortened around the
// place.
//
// Thread rule: not for sharing; one collector per load.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/source.h"

namespace faultline {

struct Diagnostic {
  Mark mark;
  std::string path;        // "fleet.pools[train].nodes"; empty: the file as a whole
  std::string problem;     // continues the sentence "PATH ..." or "FILE ..."
  std::string got;         // the offending text, as the user wrote it
  std::string expected;    // "a duration such as 10m"
  std::string suggestion;  // a name to use instead
  bool warning = false;    // nothing is wrong, but something has no effect
};

// One error with its source line and caret line, without a newline at the end.
std::string render(const Diagnostic& diagnostic);

class Diagnostics {
 public:
  void add(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }

  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  const std::vector<Diagnostic>& all() const { return all_; }

  // Every error, in order of position, each ending with a newline.
  std::string render() const;

 private:
  std::vector<Diagnostic> all_;
};

// User text fit for a message: control characters replaced, cut to `most` bytes at a whole
// character.
std::string printable(std::string_view text, std::size_t most = 60);

// Characters (not bytes) of a UTF-8 text.
int count_characters(std::string_view text);

}  // namespace faultline
