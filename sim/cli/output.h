// Where results go. Whether a file can be written is found out before the work starts, so that a bad path costs
// milliseconds, and a result that could not be written to the last byte (a full disk) is an error. A file is
// emptied only when its result comes: killed before, a command leaves no empty file, and an older result alone.
#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "sim/cli/world.h"

namespace faultline {

class Output {
 public:
  // `-` is stdout. The error is a sentence: "cannot write to `out.json`: No such file or directory".
  static tl::expected<Output, std::string> open(const std::string& path, const World& world);

  std::ostream& stream();
  // Whether everything has arrived. Nothing may be written afterwards.
  tl::expected<void, std::string> close();

 private:
  Output(std::string path, std::unique_ptr<std::ofstream> file, std::ostream& stream)
      : path_(std::move(path)), file_(std::move(file)), stream_(&stream) {}

  std::string path_;
  std::unique_ptr<std::ofstream>
      file_;  // null: stdout; closed until it is written to, if it can be
  std::ostream* stream_;
};

// Text to stdout; kInputOutput, with a sentence on stderr, if it does not arrive.
ExitCode print(const World& world, std::string_view text);

}  // namespace faultline
