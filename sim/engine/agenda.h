// What follows at the same instant, in another room: the queue that lets no room call its way back.
//
// A room that has done its part *posts* what follows, a small struct of ids, and returns. When it has
// returned, the entries are handed out one by one until none is left: first the kind that stands first in
// the list of kinds, and entries of one kind in the order in which they were posted. So an instant is
// worked off cause before effect, whoever posted what first, and no function of a room is ever entered
// while another one of the same room is under way.
//
// Structure: one queue per kind, and a word with a bit for each queue that holds something. An empty agenda
// costs the test of that word.
//
// Invariants: the bit of a kind is set exactly while its queue holds an entry; a queue that runs empty
// starts anew in the memory that it has, so nothing is allocated once the longest instant was seen.
//
// Re-entrance: `post` may be called while an entry is being handled (that is what it is for); `drain` may
// not.
//
// Thread rule: one per simulation.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

namespace faultline {

template <class... Kinds>
class Agenda {
 public:
  Agenda() { (std::get<Queue<Kinds>>(queues_).entries.reserve(kExpected), ...); }

  bool empty() const { return waiting_ == 0; }

  template <class Kind>
  void post(const Kind& entry) {
    std::get<Queue<Kind>>(queues_).entries.push_back(entry);
    waiting_ |= bit_of<Kind>();
  }

  // Forgets what a run that was broken off has left.
  void clear() {
    ((std::get<Queue<Kinds>>(queues_).entries.clear(), std::get<Queue<Kinds>>(queues_).next = 0),
     ...);
    waiting_ = 0;
  }

  // Hands out every entry, also those that are posted meanwhile, as `who.on(entry)`.
  template <class Who>
  void drain(Who& who) {
    static constexpr std::array kHandOut{&Agenda::hand_out<Kinds, Who>...};
    while (waiting_ != 0) {
      (this->*kHandOut[static_cast<std::size_t>(std::countr_zero(waiting_))])(who);
    }
  }

 private:
  static constexpr std::size_t kExpected = 8;
  static_assert(sizeof...(Kinds) <= 64 && (std::is_trivially_copyable_v<Kinds> && ...));

  template <class Kind>
  struct Queue {
    std::vector<Kind> entries;
    std::size_t next = 0;
  };

  template <class Kind>
  static constexpr std::uint64_t bit_of() {
    std::uint64_t bit = 1;
    static_cast<void>(((std::is_same_v<Kind, Kinds> || (bit <<= 1, false)) || ...));
    return bit;
  }

  template <class Kind, class Who>
  void hand_out(Who& who) {
    Queue<Kind>& queue = std::get<Queue<Kind>>(queues_);
    const Kind entry = queue.entries[queue.next++];
    if (queue.next == queue.entries.size()) {
      queue.entries.clear();
      queue.next = 0;
      waiting_ &= ~bit_of<Kind>();
    }
    who.on(entry);
  }
  std::tuple<Queue<Kinds>...> queues_;
  std::uint64_t waiting_ = 0;
};

}  // namespace faultline
