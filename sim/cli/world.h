// What a command may touch: streams and files come in here, so that a test can put others in their place.
//
// stdout is data, stderr is talk.
#pragma once

#include <ostream>

#include "sim/scenario/files.h"

namespace faultline {

enum class ExitCode : int {
  kDone = 0,
  kThreshold = 1,  // a threshold failed, or nothing meets what was asked for
  kUsage = 2,      // usage or configuration
  kInputOutput = 3,
  kOurBug = 70,
  // Before there was an answer (a report, a verdict), or before a result store was complete.
  kInterrupted = 130,
};

struct World {
  const FileSystem& files;
  std::ostream& out;
  std::ostream& err;
  bool colour_out = false;  // stdout is a terminal, and NO_COLOR is not set
  bool err_is_terminal = false;
};

}  // namespace faultline
