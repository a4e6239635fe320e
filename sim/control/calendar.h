// The event calendar: one slot per expectation, at most one time per slot.
//
// `schedule` on a slot replaces what was there, `cancel` empties it, `pop` takes the earliest. So
// there are no handles, no stale events and no tombstones.
//
// Total order: (time, priority, sequence), the sequence counting calls of `schedule`. Equal times
// resolve by priority, causes before effects; equal priorities in the order in which they were
// expected.
//
// Structure. A run has hundreds of thousands of possible expectations (every node could drain), but mostly
// a handful is pending: 2 on average in a run of Llama 3, 4 with 100,000 GPUs. So the earliest ones, up to
// kFront, stand in the *front*, an array in no order: an expectation is added at its end, and `pop` looks
// at all of them. That has no branch that a processor would have to guess; where a sorted array is short, a
// wrong guess at the place of what is new costs more than it saves. When a gate that holds back thousands of
// nodes makes thousands pending, the later ones overflow into a winner tree (tournament) whose leaves hold
// keys of 128 bits (time, priority, sequence, leaf) and whose inner nodes hold the least key below them;
// the front is filled again from the tree when it runs empty. Every key of the front is less than every
// key of the tree.
// test/bench/calendar_bench.cc compares it with the alternatives.
//
// Cost: O(log pending), with a small constant up to kFront. No allocation once the vectors have grown.
//
// Thread rule: one per simulation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
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
  std::size_t slots() const { return where_.size(); }

  // A time of never empties the slot. Times are not negative; priorities are below kPriorities.
  void schedule(Slot slot, SimTime at, std::uint8_t priority);
  void cancel(Slot slot);
  // The pending time of a slot; never if there is none.
  SimTime at(Slot slot) const;

  bool empty() const { return pending() == 0; }
  std::size_t pending() const { return front_size_ + in_tree_; }
  // The earliest, if it is before `end`.
  std::optional<Due> pop_before(SimTime end) {
    if (front_size_ == 0) refill();
    if (front_size_ == 0) return std::nullopt;
    const std::size_t place = earliest();
    const SimTime at = SimTime::at(Duration::nanoseconds(front_time_[place]));
    if (at >= end) return std::nullopt;
    const Due due{.at = at,
                  .slot = front_slot_[place],
                  .priority = static_cast<std::uint8_t>(front_order_[place] >> kPriorityShift)};
    erase_from_front(place);
    where_[due.slot] = kNowhere;
    return due;
  }
  // The earliest, which stays; at never if there is none.
  Due first() {
    if (front_size_ == 0) refill();
    if (front_size_ == 0) return {.at = SimTime::never(), .slot = 0, .priority = 0};
    const std::size_t place = earliest();
    return {.at = SimTime::at(Duration::nanoseconds(front_time_[place])),
            .slot = front_slot_[place],
            .priority = static_cast<std::uint8_t>(front_order_[place] >> kPriorityShift)};
  }
  // The earliest; undefined if empty.
  Due pop() { return *pop_before(SimTime::never()); }

 private:
  __extension__ using Key = unsigned __int128;
  static constexpr std::size_t kFront = 16;
  // Where a slot's key is: a leaf of the tree, kInFront + a place of the front, or nowhere.
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
  static constexpr std::uint32_t kInFront = 0xFFFFFF00U;
  static constexpr Key kEmpty = ~Key{0};
  // The lower half of a key: priority, sequence, leaf (0 in the front).
  static constexpr unsigned kLeafBits = 24;
  static constexpr unsigned kPriorityShift = 60;

  static Key key_of(std::int64_t time, std::uint64_t order) {
    return (Key{static_cast<std::uint64_t>(time)} << 64) | order;
  }
  static SimTime time_of(Key key) {
    return SimTime::at(Duration::nanoseconds(static_cast<std::int64_t>(key >> 64)));
  }
  Key front_key(std::size_t place) const { return key_of(front_time_[place], front_order_[place]); }
  // The place of the least key, without a branch; the front is not empty.
  std::size_t earliest() const {
    Key least = front_key(0);
    std::size_t place = 0;
    for (std::size_t i = 1; i < front_size_; ++i) {
      const Key key = front_key(i);
      const bool less = key < least;
      least = less ? key : least;
      place = less ? i : place;
    }
    return place;
  }
  void add_to_front(std::int64_t time, std::uint64_t order, Slot slot) {
    where_[slot] = kInFront + static_cast<std::uint32_t>(front_size_);
    front_time_[front_size_] = time;
    front_order_[front_size_] = order;
    front_slot_[front_size_++] = slot;
  }
  void erase_from_front(std::size_t place) {
    const std::size_t last = --front_size_;
    where_[front_slot_[last]] = kInFront + static_cast<std::uint32_t>(place);
    front_time_[place] = front_time_[last];
    front_order_[place] = front_order_[last];
    front_slot_[place] = front_slot_[last];
  }
  // The place of the greatest key of a full front.
  std::size_t latest() const;
  void refill();
  void insert_in_tree(Key key, Slot slot);
  void erase_from_tree(std::uint32_t leaf);
  void set(std::uint32_t leaf, Key key);
  void double_leaves();

  // The front, each part of an entry by itself: what was written as two words is read as two words.
  std::array<std::int64_t, kFront> front_time_{};
  std::array<std::uint64_t, kFront> front_order_{};
  std::array<Slot, kFront> front_slot_{};
  std::size_t front_size_ = 0;
  std::vector<Key> tree_;      // 1 is the root; leaf l is at leaves_ + l
  std::uint32_t leaves_;       // a power of two
  std::vector<Slot> slot_of_;  // by leaf
  std::vector<std::uint32_t> free_leaves_;
  std::size_t in_tree_ = 0;
  std::vector<std::uint32_t> where_;  // by slot
  std::uint64_t sequence_ = 0;
};

}  // namespace faultline
