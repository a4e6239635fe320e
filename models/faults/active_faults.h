// The faults that are present, or whose signals are still on their way.
//
// A pool: entries are reused, an entry keeps its index while it lives (the engine's expectations
// about a fault are numbered by it). Faults of one machine form a list, so that a replacement ends
// them all. What a fault does to work, and what can be seen of it, is kept by those who deal with it, by
// the same index.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/ids.h"
#include "models/base/time.h"

namespace faultline {

inline constexpr std::size_t kMaxCatalogueSignals = 4;
// Those, and the status check that a host fails when it is gone.
inline constexpr std::size_t kMaxSignals = kMaxCatalogueSignals + 1;
inline constexpr std::uint32_t kNoFault = 0xFFFFFFFFU;

struct ActiveFault {
  FaultId id;  // invalid: it was removed
  FaultClassId fault_class;
  NodeId node;            // invalid slot: a fault of the job itself
  JobId job;              // that used the part when it struck, or that a flap has met since
  std::uint32_t gpu = 0;  // of the node
  SimTime struck;
  SimTime clears;             // never: it stays
  std::uint32_t ordinal = 0;  // address of its draws
  std::uint32_t population = 0;
  bool primary = true;  // of a rack fault: counted here
  bool present = true;
  bool misplaced = false;  // nothing is wrong here: a signal of the fault blames this node
  HappeningId struck_as;
  std::uint32_t next_on_node = kNoFault;
};

class ActiveFaults {
 public:
  explicit ActiveFaults(std::size_t slots) : first_(slots, kNoFault) {}

  void clear();

  // A new entry; its index. Indices are below `capacity()`.
  std::uint32_t add(const ActiveFault& fault);
  // Ends the fault: its index may be used again.
  void remove(std::uint32_t index);

  ActiveFault& operator[](std::uint32_t index) { return pool_[index]; }
  const ActiveFault& operator[](std::uint32_t index) const { return pool_[index]; }
  std::uint32_t index_of(const ActiveFault& fault) const {
    return static_cast<std::uint32_t>(&fault - pool_.data());
  }
  std::size_t capacity() const { return pool_.size(); }

  // The faults of the machine in a slot, newest first: first, then next_on_node.
  std::uint32_t first_on(NodeSlot slot) const { return first_[slot.index()]; }

 private:
  std::vector<ActiveFault> pool_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> first_;
};

}  // namespace faultline
