// Where a piece of user input came from: a file, or the text of a command line option.
//
// Every node of a value tree carries a `Mark`, so that each later error can show the line it is
// about, whichever file or option that line came from. Lines and columns count from 1; columns
// count characters, not bytes. A mark with line 0 is about the source as a whole (a missing file).
//
// Thread rule: immutable after construction; share freely.
#pragma once

#include <memory>
#include <string>

namespace faultline {

struct Source {
  std::string name = {};  // as errors print it: "traces/llama3-2024.yaml", "--set policy.gate=20%"
  std::string folder = {};  // paths written in this source start here; empty: the working directory
  std::string text = {};    // the whole content, for the line under an error
  bool is_option = false;   // an option has no line number to print
};
using SourcePtr = std::shared_ptr<const Source>;

struct Mark {
  SourcePtr source = nullptr;
  int line = 0;
  int column = 0;
  int width = 1;  // characters to underline
};

}  // namespace faultline
