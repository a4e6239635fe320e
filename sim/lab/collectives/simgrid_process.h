// SimGrid in a process of its own: started once for a fabric, asked many times.
//
// There can be one SimGrid engine in a process, none in threads, and its library takes tens of
// milliseconds to load; so it lives in the program `faultline-simgrid` (models/collectives/simgrid),
// which ends when this object goes.
//
// Errors: sentences (the program is missing, it ended in the middle of a question).
// Thread rule: one thread at a time.
#pragma once

#include <sys/types.h>

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/collectives/simgrid_request.h"

namespace faultline {

class SimGridProcess {
 public:
  // `program`: the path of faultline-simgrid.
  static tl::expected<SimGridProcess, std::string> start(const std::string& program,
                                                         const Fabric& fabric);
  // faultline-simgrid beside the running program.
  static std::string program_beside_this();

  SimGridProcess(SimGridProcess&& other) noexcept;
  SimGridProcess& operator=(SimGridProcess&&) = delete;
  ~SimGridProcess();

  tl::expected<std::vector<double>, std::string> ask(const SimGridRequest& request);

 private:
  SimGridProcess(pid_t process, int socket) : process_(process), socket_(socket) {}
  bool send(std::string_view line);

  pid_t process_ = -1;
  int socket_ = -1;
  std::string received_;  // what came after the last answer
};

}  // namespace faultline
