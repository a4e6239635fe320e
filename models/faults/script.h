// Strikes at known instants: the `strikes` of the fault classes, in order of time.
//
// A scripted strike is an arrival like any other, of a population of its own (`kScript`): what it
// draws (how long the fault lasts, whether it is seen) is addressed by its class and its place in
// the class's list, so a line more in another class changes nothing. It names a part of the whole
// fleet: a node, for which the part around it stands that the class counts, or a failure domain. Its clock
// is the simulated time, and ageing plays no part.
//
// Equal times: in the order of the catalogue. A strike on a place where no machine stands hits
// nothing.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/time.h"
#include "models/faults/arrivals.h"
#include "models/faults/fault_classes.h"
#include "models/fleet/fleet.h"

namespace faultline {

// The population index of scripted strikes.
inline constexpr std::uint32_t kScript = 0xFFFFFFU;

class Script {
 public:
  // The scenario has checked that every node, domain and job exists. `job_names`: in the order of their
  // ids.
  Script(const std::vector<FaultClass>& classes, const Fleet& fleet,
         const std::vector<std::string>& job_names);

  void begin() { next_ = 0; }
  // Time of the next strike; never if there is none left.
  SimTime next() const { return next_ < lines_.size() ? lines_[next_].at : SimTime::never(); }
  // Takes the strike that `next` announced.
  Arrival take() { return lines_[next_++].arrival; }

 private:
  struct Line {
    SimTime at;
    Arrival arrival;
  };
  std::vector<Line> lines_;
  std::size_t next_ = 0;
};

}  // namespace faultline
