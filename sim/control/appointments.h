// When which controller wants to be called again, and about what.
//
// A (subject, controller) has at most one appointment: a time, or the wish to be called at the first of its
// ticks after a gate has opened. Whoever is called has forgotten it before, so there are no stale ones. A gate that stays
// shut costs nothing, however many nodes wait for it and however often they would look.
//
// The host's own timers (a pod's grace ends) are appointments too, of the controller `kKubernetes`.
//
// Order: by time; at equal times those who wait for something to come (`late`) after all others; then by
// controller, in the order of the list; then in the order in which they were made.
//
// Cost: O(log pending). No allocation once a run had as many.
//
// Thread rule: one per control plane.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "policies/controller.h"
#include "sim/control/calendar.h"

namespace faultline {

class Appointments {
 public:
  static constexpr std::uint8_t kKubernetes = 0xFF;
  struct Due {
    Subject subject;
    std::uint8_t controller = 0;
  };

  void clear();

  // `late`: at equal times after all others. There is none of that subject and controller before.
  void make(Subject subject, std::uint8_t controller, SimTime at, bool late);
  // At the first of since + every, since + 2 every, ... after the gate of `pool` has opened.
  void await_gate(Subject subject, std::uint8_t controller, PoolId pool, SimTime since,
                  Duration every);
  // Whether there was one.
  bool forget(Subject subject, std::uint8_t controller) {
    return has_any(subject) && forget_of(subject, controller);
  }
  // All of a subject that is gone.
  void forget(Subject subject);

  // Whether anybody waits for any gate; for that controller's gate in that pool; and the gate opens: all of these get a
  // time, of which the first is not before `now`.
  bool awaits_gates() const { return awaiting_ > 0; }
  bool awaits(PoolId pool, std::uint8_t controller) const;
  void gate_opens(PoolId pool, std::uint8_t controller, SimTime now);

  // Whether anything was made or forgotten since the last call of this.
  bool take_changed() { return std::exchange(changed_, false); }
  struct Next {
    SimTime at;  // never: there is none
    bool late = false;
  };
  Next next() {
    const Calendar::Due first = calendar_.first();
    return {.at = first.at, .late = first.priority >= kLate};
  }
  // Of which there is one.
  Due take_next();

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xFFFFFFFFU;
  static constexpr std::uint8_t kFree = 0xFE;  // in place of a controller: the entry is not in use
  // Priorities of the calendar: controllers by number, the host itself, then the late ones.
  static constexpr std::uint8_t kMostControllers = 12;
  static constexpr std::uint8_t kHost = 13;
  static constexpr std::uint8_t kLate = 14;

  struct Appointment {
    Due who;
    Index next_of_subject = kNone;
    // Waiting for a gate: where it stands in that list.
    PoolId pool;
    std::uint32_t place = 0;
    SimTime since;
    Duration every;
  };
  using Queue = std::vector<Index>;  // of those who wait for one gate

  bool has_any(Subject subject) const {
    const std::vector<Index>& first = first_[static_cast<std::size_t>(subject.kind)];
    return subject.number < first.size() && first[subject.number] != kNone;
  }
  bool forget_of(Subject subject, std::uint8_t controller);
  Index& first_of(Subject subject);
  Index add(Subject subject, std::uint8_t controller);
  void release(Index index);
  Queue& queue(PoolId pool, std::uint8_t controller);
  void leave_queue(const Appointment& appointment);

  Calendar calendar_;  // by index of the appointment
  std::vector<Appointment> all_;
  std::vector<Index> free_;
  std::array<std::vector<Index>, 3> first_;                  // by kind of subject and number
  std::vector<std::array<Queue, kMostControllers>> queues_;  // by pool
  bool changed_ = false;
  std::size_t awaiting_ = 0;  // in all of them
};

}  // namespace faultline
