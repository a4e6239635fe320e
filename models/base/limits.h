// How large a scenario may be. Slots of nodes, parts of a fault class and elements of a fabric have
// numbers of 32 bits, and one replication has to end: what is larger is refused when the scenario is
// read, with the field that is too large.
//
// Thread rule: constants.
#pragma once

#include <cstdint>

namespace faultline {

// Nodes of a fleet, and any count of things of which there is at most one for each node.
inline constexpr std::int64_t kMostNodes = 10'000'000;
// GPUs or NICs of a node: kMostNodes x this has more than 32 bits, and far fewer than 64.
inline constexpr std::int64_t kMostPerNode = 1'000;
// Faults that a class may be expected to cause in a run: seconds to minutes of work. Example:
// 1e9 per 1 gpu-hours on 8 GPUs within 10 h comes to 8e10.
inline constexpr double kMostFaults = 1e7;

}  // namespace faultline
