// Counts the heap allocations of the whole benchmark program: it replaces operator new (allocations.cc).
#pragma once

#include <cstdint>

namespace faultline {

// Calls of operator new since the start of the program.
std::uint64_t allocations();

}  // namespace faultline
