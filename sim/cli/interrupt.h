// Ctrl-C (SIGINT) and SIGTERM ask for an early end: the first one sets a flag, a later one kills the process as
// usual. What comes within a second of the first is the same wish: `timeout` signals its child and then the
// child's group, which is the child again, and a terminal and a shell may both pass on one Ctrl-C.
//
// The signals are blocked in this thread, and so in every thread that is started while this object lives; a
// thread of its own waits for them. No signal handler, and nothing global.
//
// Thread rule: one at a time, made by the main thread before others are started.
#pragma once

#include <csignal>

#include <atomic>
#include <chrono>
#include <thread>

namespace faultline {

class Interrupt {
 public:
  static constexpr std::chrono::milliseconds kSameWish{1000};

  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  const std::atomic<bool>& requested() const { return requested_; }

 private:
  void wait();

  sigset_t signals_{};
  sigset_t blocked_before_{};
  std::atomic<bool> requested_ = false;
  std::atomic<bool> over_ = false;
  std::thread waiter_;
};

}  // namespace faultline
