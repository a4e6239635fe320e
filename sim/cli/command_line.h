// The command line as a function: arguments in, exit code out.
//
// Errors of use are one line on stderr ("faultline run: no option `--rep`; did you mean `--reps`?") and exit
// code 2; a failed check of our own is 70, with what is needed to report it.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/world.h"

namespace faultline {

// `arguments` without the name of the program.
ExitCode run_command_line(const std::vector<std::string>& arguments, const World& world);

}  // namespace faultline
