#include "sim/engine/calendar.h"

#include <algorithm>

namespace faultline {

void Calendar::clear() {
  for (const Entry& entry : heap_) position_[entry.slot] = kNowhere;
  heap_.clear();
  sequence_ = 0;
}

void Calendar::grow(std::size_t slots) {
  if (slots > position_.size()) position_.resize(slots, kNowhere);
}

void Calendar::schedule(Slot slot, SimTime at, std::uint8_t priority) {
  if (at.is_never()) {
    cancel(slot);
    return;
  }
  const Entry entry{
      .at = at, .order = (std::uint64_t{priority} << kPriorityShift) | sequence_++, .slot = slot};
  std::size_t position = position_[slot];
  if (position == kNowhere) {
    position = heap_.size();
    heap_.push_back(entry);
    sift_up(position, entry);
  } else {
    settle(position, entry);
  }
}

void Calendar::cancel(Slot slot) {
  const std::size_t position = position_[slot];
  if (position == kNowhere) return;
  position_[slot] = kNowhere;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (position < heap_.size()) settle(position, last);
}

SimTime Calendar::at(Slot slot) const {
  const std::size_t position = position_[slot];
  return position == kNowhere ? SimTime::never() : heap_[position].at;
}

Calendar::Due Calendar::pop() {
  const Due due{.at = heap_.front().at, .slot = heap_.front().slot};
  cancel(due.slot);
  return due;
}

void Calendar::settle(std::size_t position, const Entry& entry) {
  if (position > 0 && entry.before(heap_[(position - 1) / kArity])) {
    sift_up(position, entry);
  } else {
    sift_down(position, entry);
  }
}

void Calendar::sift_up(std::size_t position, const Entry& entry) {
  while (position > 0) {
    const std::size_t parent = (position - 1) / kArity;
    if (!entry.before(heap_[parent])) break;
    place(position, heap_[parent]);
    position = parent;
  }
  place(position, entry);
}

void Calendar::sift_down(std::size_t position, const Entry& entry) {
  for (;;) {
    const std::size_t first = kArity * position + 1;
    if (first >= heap_.size()) break;
    const std::size_t last = std::min(first + kArity, heap_.size());
    std::size_t best = first;
    for (std::size_t child = first + 1; child < last; ++child) {
      if (heap_[child].before(heap_[best])) best = child;
    }
    if (!heap_[best].before(entry)) break;
    place(position, heap_[best]);
    position = best;
  }
  place(position, entry);
}

}  // namespace faultline
