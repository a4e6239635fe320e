// The event calendar: one slot per expectation, at most one time per slot.
//
// `schedule` on a slot replaces what was there, `cancel` empties it, `pop` takes the earliest. So
// there are no handles, no stale events and no tombstones.
//
// Total order: (time, priority, sequence), the sequence counting calls of `schedule`. Equal times
// resolve by priority, causes before effects; equal priorities in the order in which they were
// expected.
//
// Structure: an implicit 4-ary heap of the *pending* slots with the position of each. A run has
// millions of possible expectations (every node could drain) but only some dozens are pending, so
// the heap stays in the first-level cache whatever the size of the fleet; a winner tree over all
// slots, the fastest structure for a full calendar, would grow with the fleet.
// test/bench/calendar_bench.cc compares them.
//
// Cost: O(log pending). No allocation once the vectors have grown.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/time.h"

namespace faultline {

class Calendar {
 public:
  using Slot = std::uint32_t;
  struct Due {
    SimTime at;
    Slot slot;
  };

  // Empties every slot and starts the sequence anew.
  void clear();
  // Slots are 0 .. slots - 1. Never shrinks.
  void grow(std::size_t slots);
  std::size_t slots() const { return position_.size(); }

  // A time of never empties the slot.
  void schedule(Slot slot, SimTime at, std::uint8_t priority);
  void cancel(Slot slot);
  // The pending time of a slot; never if there is none.
  SimTime at(Slot slot) const;

  bool empty() const { return heap_.empty(); }
  std::size_t pending() const { return heap_.size(); }
  // The earliest; undefined if empty.
  SimTime next() const { return heap_.front().at; }
  Due pop();

 private:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
  static constexpr std::size_t kArity = 4;
  static constexpr unsigned kPriorityShift = 56;

  struct Entry {
    SimTime at;
    std::uint64_t order;  // priority, then sequence
    Slot slot;

    bool before(const Entry& other) const {
      return at != other.at ? at < other.at : order < other.order;
    }
  };
  void place(std::size_t position, const Entry& entry) {
    heap_[position] = entry;
    position_[entry.slot] = static_cast<std::uint32_t>(position);
  }
  void sift_up(std::size_t position, const Entry& entry);
  void sift_down(std::size_t position, const Entry& entry);
  // Puts `entry` where `position` has become free.
  void settle(std::size_t position, const Entry& entry);

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> position_;
  std::uint64_t sequence_ = 0;
};

}  // namespace faultline
