// Who waits for a machine, or for a crew: first come, first served.
//
// A ring that grows to the longest line there was and keeps its memory: queues that take memory as they
// move on (std::deque) would allocate in every replication.
//
// Thread rule: one per simulation.
#pragma once

#include <boost/circular_buffer.hpp>
#include <cstddef>

namespace faultline {

template <class T>
class WaitingLine {
 public:
  bool empty() const { return ring_.empty(); }
  void clear() { ring_.clear(); }
  void join(const T& who) {
    if (ring_.full()) ring_.set_capacity(2 * ring_.capacity() + 8);
    ring_.push_back(who);
  }
  // The first one leaves. Undefined if nobody waits.
  T next() {
    const T first = ring_.front();
    ring_.pop_front();
    return first;
  }

 private:
  boost::circular_buffer<T> ring_;
};

}  // namespace faultline
