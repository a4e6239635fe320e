// The event calendar: one slot per expectation, at most one time per slot.
//
// `schedule` on a slot replaces what was there, `cancel` empties it, `pop` takes the earliest. So
// there are no handles, no stale events and no tombstones.
//
// Total order: (time, priority, sequence), the sequence counting calls of `schedule`. Equal times
// resolve by priority, causes before effects; equal priorities in the order in which they were
// expected.
//
// Structure: a winner tree (tournament) over the *pending* slots. Its leaves hold keys of 128 bits
// (time, priority, sequence, leaf); an inner node holds the least key below it. An update walks from
// the leaf towards the root, a minimum per level, and ends where nothing changes. The leaf that `pop`
// leaves behind stays stale until the next call: mostly a `schedule`, which takes it over, so that an
// event and its successor cost one walk. A run has hundreds of
// thousands of possible expectations (every node could drain), but only some dozens are pending: a
// pending slot borrows a leaf, so the tree stays small and in the first-level cache whatever the
// size of the fleet. test/bench/calendar_bench.cc compares it with the alternatives.
//
// Cost: O(log pending). No allocation once the vectors have grown.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/time.h"

namespace faultline {

class Calendar {
 public:
  using Slot = std::uint32_t;
  struct Due {
    SimTime at;
    Slot slot;
    std::uint8_t priority;
  };
  static constexpr unsigned kPriorities = 16;

  Calendar();

  // Empties every slot and starts the sequence anew.
  void clear();
  // Slots are 0 .. slots - 1. Never shrinks.
  void grow(std::size_t slots);
  std::size_t slots() const { return leaf_of_.size(); }

  // A time of never empties the slot. Times are not negative; priorities are below kPriorities.
  void schedule(Slot slot, SimTime at, std::uint8_t priority);
  void cancel(Slot slot);
  // The pending time of a slot; never if there is none.
  SimTime at(Slot slot) const;

  bool empty() const { return pending_ == 0; }
  std::size_t pending() const { return pending_; }
  // The earliest time; never if empty.
  SimTime next() {
    fill_hole();
    return time_of(tree_[1]);
  }
  // Undefined if empty.
  Due pop();

 private:
  __extension__ using Key = unsigned __int128;
  static constexpr std::uint32_t kNoLeaf = 0xFFFFFFFFU;
  static constexpr Key kEmpty = ~Key{0};
  // The lower half of a key: priority, sequence, leaf.
  static constexpr unsigned kLeafBits = 20;
  static constexpr unsigned kPriorityShift = 60;

  static SimTime time_of(Key key) {
    return key == kEmpty ? SimTime::never()
                         : SimTime::at(Duration::nanoseconds(static_cast<std::int64_t>(key >> 64)));
  }
  void set(std::uint32_t leaf, Key key);
  // Brings the tree up to date after a `pop`.
  void fill_hole() {
    if (hole_ == kNoLeaf) return;
    free_leaves_.push_back(hole_);
    set(std::exchange(hole_, kNoLeaf), kEmpty);
  }
  void double_leaves();

  std::vector<Key> tree_;               // 1 is the root; leaf l is at leaves_ + l
  std::uint32_t leaves_;                // a power of two
  std::vector<std::uint32_t> leaf_of_;  // by slot
  std::vector<Slot> slot_of_;           // by leaf
  std::vector<std::uint32_t> free_leaves_;
  std::uint32_t hole_ = kNoLeaf;  // the leaf of the last pop, still with its old key
  std::size_t pending_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace faultline
