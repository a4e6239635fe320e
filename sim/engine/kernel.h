// The kernel: what every room of the engine stands on, and that knows no room.
//
//   the clock      `now`; it only goes forward, to the next expectation
//   the calendar   what is expected later, one slot per expectation (calendar.h, expectations.h)
//   the agenda     what follows at this instant, in another room (agenda.h, follow_ups.h)
//   the journal    numbers what happens, and tells it: to a sink, or straight to the metrics, for which no
//                  Happening is made (a seventh faster)
//   randomness     the source of this replication
//
// Of each node it keeps one thing: the newest happening about it, which is the cause of the next one.
//
// Invariants, checked in every run: the clock never goes back. Numbers of happenings count from 0.
//
// Re-entrance: none. No function here calls a room.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <optional>

#include "models/base/check.h"
#include "models/base/random.h"
#include "models/base/touched_table.h"
#include "models/happenings.h"
#include "sim/control/calendar.h"
#include "sim/engine/expectations.h"
#include "sim/engine/follow_ups.h"
#include "sim/engine/metrics.h"
#include "sim/engine/sink.h"

namespace faultline {

class Kernel {
 public:
  // `machines`: those that have numbers (models/capacity/capacity.h).
  Kernel(std::size_t jobs, std::size_t node_slots, std::size_t machines);

  // A new replication: nothing is expected, nothing has happened. `random` is asked until the next one.
  void begin(const RandomSource& random, Duration horizon);
  // Who is told from now on: one of them.
  void tell(HappeningSink& sink) { metrics_ = nullptr, sink_ = &sink; }
  void tell(RunMetrics& metrics) { metrics_ = &metrics; }

  // --- the clock and the calendar ---
  SimTime now() const { return now_; }
  // The next expectation before the end, at whose time it is now.
  std::optional<Calendar::Due> next() {
    const std::optional<Calendar::Due> due = calendar_.pop_before(end_);
    if (due) {
      FAULTLINE_CHECK_AT(now_, due->at >= now_, "an event at {} is in the past",
                         to_string(due->at));
      now_ = due->at;
    }
    return due;
  }
  // The run is over now, whatever the horizon is; and the step to the end.
  void end_now() { end_ = now_; }
  void to_the_end() { now_ = end_; }

  void expect(Calendar::Slot slot, SimTime at, Expect what) {
    calendar_.schedule(slot, at, static_cast<std::uint8_t>(what));
  }
  void cancel(Calendar::Slot slot) { calendar_.cancel(slot); }
  SimTime expected(Calendar::Slot slot) const { return calendar_.at(slot); }
  const SlotLayout& layout() const { return layout_; }
  // There are so many faults, or fewer.
  void make_room(std::size_t faults) { calendar_.grow(layout_.slots(faults)); }
  // The calendar's slot of what is expected of a node: each of two generations in a row has its own.
  Calendar::Slot of_node(Expect what, NodeId node) {
    nodes_.touch(node.slot.index());
    return layout_.node(what, 2 * std::size_t{nodes_.row(node.slot.index())} + node.generation % 2);
  }
  // And back: the place, and which of its two generations.
  NodeSlot node_slot_of(Calendar::Slot slot) const {
    return NodeSlot(nodes_.owner(layout_.place_of(slot) / 2));
  }
  std::uint32_t parity_of(Calendar::Slot slot) const { return layout_.place_of(slot) % 2; }

  // --- the journal ---
  template <class What>
  HappeningId emit(const What& what, HappeningId cause) {
    const HappeningId id(next_happening_++);
    if (metrics_ != nullptr) {
      metrics_->take(what, now_);
    } else {
      sink_->on({.time = now_, .id = id, .cause = cause, .what = what});
    }
    return id;
  }
  // The newest happening about a node.
  HappeningId& newest(NodeSlot slot) { return nodes_.touch(slot.index()); }
  // Something about the node that follows from the newest, and is the newest now.
  template <class What>
  HappeningId emit_of(NodeSlot slot, const What& what) {
    HappeningId& newest = nodes_.touch(slot.index());
    return newest = emit(what, newest);
  }

  // --- the agenda ---
  template <class FollowUp>
  void post(const FollowUp& follow_up) {
    agenda_.post(follow_up);
  }
  FollowUps& agenda() { return agenda_; }

  const RandomSource& random() const { return *random_; }

 private:
  SlotLayout layout_;
  Calendar calendar_;
  FollowUps agenda_;
  TouchedTable<HappeningId> nodes_;
  const RandomSource* random_ = nullptr;
  RunMetrics* metrics_ = nullptr;
  HappeningSink* sink_ = nullptr;
  SimTime now_;
  SimTime end_;
  std::uint32_t next_happening_ = 0;
};

}  // namespace faultline
