// The calendar against a sorted list that does the same the slow way.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

#include "sim/control/calendar.h"

namespace faultline {
namespace {

SimTime at(std::int64_t ns) { return SimTime::at(Duration::nanoseconds(ns)); }

class SlowCalendar {
 public:
  void schedule(Calendar::Slot slot, SimTime time, std::uint8_t priority) {
    cancel(slot);
    ++sequence_;
    if (!time.is_never()) pending_[slot] = {time, priority, sequence_};
  }
  void cancel(Calendar::Slot slot) { pending_.erase(slot); }
  SimTime time_of(Calendar::Slot slot) const {
    const auto found = pending_.find(slot);
    return found == pending_.end() ? SimTime::never() : std::get<0>(found->second);
  }
  bool empty() const { return pending_.empty(); }
  std::size_t size() const { return pending_.size(); }
  Calendar::Due pop() {
    auto first = pending_.begin();
    for (auto entry = pending_.begin(); entry != pending_.end(); ++entry) {
      if (entry->second < first->second) first = entry;
    }
    const Calendar::Due due{std::get<0>(first->second), first->first};
    pending_.erase(first);
    return due;
  }

 private:
  std::map<Calendar::Slot, std::tuple<SimTime, std::uint8_t, std::uint64_t>> pending_;
  std::uint64_t sequence_ = 0;
};

// Few slots, few times, few priorities: ties are the rule. The calendar grows on the way and is
// cleared once.
RC_GTEST_PROP(EngineCalendar, DoesWhatAListDoes, ()) {
  Calendar calendar;
  SlowCalendar list;
  std::size_t slots = 8;
  calendar.grow(slots);
  const int steps = *rc::gen::inRange(1, 400);
  for (int step = 0; step < steps; ++step) {
    const auto slot = static_cast<Calendar::Slot>(*rc::gen::inRange<std::size_t>(0, slots));
    switch (*rc::gen::inRange(0, 10)) {
      case 0:
        calendar.cancel(slot);
        list.cancel(slot);
        break;
      case 1:
      case 2:
      case 3:
        if (!list.empty()) {
          const Calendar::Due expected = list.pop();
          RC_ASSERT(!calendar.pop_before(expected.at));
          const Calendar::Due due = calendar.pop();
          RC_ASSERT(due.at == expected.at);
          RC_ASSERT(due.slot == expected.slot);
        }
        break;
      case 4:
        slots += *rc::gen::inRange<std::size_t>(0, 20);
        calendar.grow(slots);
        break;
      default: {
        const std::int64_t time = *rc::gen::inRange(0, 12);
        const auto priority = static_cast<std::uint8_t>(*rc::gen::inRange(0, 3));
        const SimTime when = time == 11 ? SimTime::never() : at(time);
        calendar.schedule(slot, when, priority);
        list.schedule(slot, when, priority);
      }
    }
    RC_ASSERT(calendar.at(slot) == list.time_of(slot));
    RC_ASSERT(calendar.pending() == list.size());
    RC_ASSERT(calendar.empty() == list.empty());
  }
  calendar.clear();
  RC_ASSERT(calendar.empty());
  RC_ASSERT(calendar.at(0).is_never());
}

// Equal times: by priority, then in the order in which they were expected.
TEST(EngineCalendar, Ties) {
  Calendar calendar;
  calendar.grow(4);
  calendar.schedule(3, at(5), 1);
  calendar.schedule(2, at(5), 0);
  calendar.schedule(1, at(5), 1);
  calendar.schedule(0, at(5), 0);
  calendar.schedule(2, at(5), 0);  // expected anew: behind the other of its priority
  for (const Calendar::Slot expected : {0U, 2U, 3U, 1U}) EXPECT_EQ(calendar.pop().slot, expected);
}

}  // namespace
}  // namespace faultline
