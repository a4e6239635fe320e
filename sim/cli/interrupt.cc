#include "sim/cli/interrupt.h"

#include <pthread.h>

namespace faultline {

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &blocked_before_);
  waiter_ = std::thread([this] { wait(); });
}

Interrupt::~Interrupt() {
  over_ = true;
  pthread_kill(waiter_.native_handle(), SIGINT);  // wakes it up
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
}

void Interrupt::wait() {
  int signal = 0;
  sigwait(&signals_, &signal);
  if (over_) return;
  requested_ = true;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point first = Clock::now();
  do {
    sigwait(&signals_, &signal);
    if (over_) return;
  } while (Clock::now() - first < kSameWish);
  std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  raise(signal);
}

}  // namespace faultline
