#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "sim/cli/command_line.h"

int main(int argc, char** argv) {
  // The launcher sets it; without it, the project is the working directory.
  const char* home = std::getenv("FAULTLINE_HOME");
  const faultline::DiskFiles files(home == nullptr ? "" : home);
  const char* no_colour = std::getenv("NO_COLOR");  // no-color.org: set and not empty
  const bool colour = no_colour == nullptr || *no_colour == '\0';
  const faultline::World world{.files = files,
                               .out = std::cout,
                               .err = std::cerr,
                               .colour_out = colour && isatty(STDOUT_FILENO) != 0,
                               .err_is_terminal = isatty(STDERR_FILENO) != 0};
  return static_cast<int>(faultline::run_command_line({argv + 1, argv + argc}, world));
}
