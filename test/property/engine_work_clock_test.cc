// The work clock against a clock that ticks: random stretches, speeds, stops and stalls, nanosecond
// by nanosecond.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "models/workloads/work_clock.h"

namespace faultline {
namespace {

Duration ns(std::int64_t n) { return Duration::nanoseconds(n); }

// Steps one nanosecond at a time. Work is counted in quarters, so that the speeds 1, 1/2 and 1/4
// are exact.
class TickingClock {
 public:
  explicit TickingClock(std::int64_t interval, std::int64_t blocks, std::int64_t write)
      : interval_(interval), blocks_(blocks), write_(write), next_(interval) {}

  void tick(std::int64_t quarters) {
    ++now_;
    if (blocking_ > 0) {
      ++checkpoint;
      if (--blocking_ == 0) complete();
      return;
    }
    work_ += quarters;
    if (work_ == 4 * next_) {
      blocking_ = blocks_;
      if (blocks_ == 0) complete();
    }
  }
  // Work of less than a nanosecond is dropped at the end of a stretch.
  void end_stretch() { work_ -= work_ % 4; }
  void idle(std::int64_t time) { now_ += time; }
  std::int64_t quarters() const { return work_; }
  std::int64_t saved() const {
    std::int64_t saved = kept_;
    for (const auto& [position, durable] : written_) {
      if (durable <= now_) saved = std::max(saved, position);
    }
    return saved;
  }
  void roll_back(std::int64_t position) {
    work_ = 4 * position;
    kept_ = position;
    written_.clear();
    blocking_ = 0;
    next_ = interval_ * (position / interval_ + 1);
  }
  std::int64_t now() const { return now_; }

  std::int64_t checkpoint = 0;

 private:
  void complete() {
    written_.emplace_back(next_, now_ + write_);
    next_ += interval_;
  }

  std::int64_t interval_;
  std::int64_t blocks_;
  std::int64_t write_;
  std::int64_t now_ = 0;
  std::int64_t work_ = 0;
  std::int64_t next_;
  std::int64_t blocking_ = 0;
  std::int64_t kept_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> written_;
};

RC_GTEST_PROP(EngineWorkClock, DoesWhatATickingClockDoes, ()) {
  TrainingConfig config;
  config.step = ns(4);
  const std::int64_t interval = 4 * *rc::gen::inRange(1, 12);
  const std::int64_t blocks = *rc::gen::inRange(0, 12);
  const std::int64_t write = *rc::gen::inRange<std::int64_t>(0, interval + 1);
  config.checkpoint = {.every = ns(interval), .blocks = ns(blocks), .write = ns(write), .load = {}};
  WorkClock clock(config);
  TickingClock ticking(interval, blocks, write);
  const int steps = *rc::gen::inRange(1, 30);
  for (int step = 0; step < steps; ++step) {
    const SimTime now = SimTime::at(ns(ticking.now()));
    switch (*rc::gen::inRange(0, 5)) {
      case 0: {  // a stop: back to what is saved
        const Duration saved = clock.saved(now);
        RC_ASSERT(saved.ns() == ticking.saved());
        const Duration lost = clock.roll_back(saved);
        RC_ASSERT(4 * lost.ns() == ticking.quarters() - 4 * saved.ns());
        ticking.roll_back(saved.ns());
        break;
      }
      case 1:  // a stall: time passes, an asynchronous write goes on
        ticking.idle(*rc::gen::inRange(0, 40));
        break;
      case 2:
        if (*rc::gen::inRange(0, 4) == 0) {  // an announced stop
          clock.save_now();
          ticking.roll_back(ticking.quarters() / 4);
          break;
        }
        [[fallthrough]];
      default: {
        const std::int64_t quarters = *rc::gen::element<std::int64_t>(1, 2, 4, 4);
        const std::int64_t length = *rc::gen::inRange(0, 240);
        const std::int64_t work_before = ticking.quarters();
        const std::int64_t checkpoint_before = ticking.checkpoint;
        for (std::int64_t t = 0; t < length; ++t) ticking.tick(quarters);
        ticking.end_stretch();
        const WorkClock::Stretch stretch =
            clock.advance(now, now + ns(length), WorkClock::kFullSpeed * quarters / 4);
        RC_ASSERT(stretch.work + stretch.straggler + stretch.checkpoint == ns(length));
        RC_ASSERT(4 * stretch.work.ns() == ticking.quarters() - work_before);
        RC_ASSERT(stretch.checkpoint.ns() == ticking.checkpoint - checkpoint_before);
      }
    }
    RC_ASSERT(4 * clock.work().ns() == ticking.quarters());
    RC_ASSERT(clock.saved(SimTime::at(ns(ticking.now()))).ns() == ticking.saved());
  }
}

// At any speed, with any noise, a stretch is accounted for to the nanosecond, and never makes more
// work than time.
RC_GTEST_PROP(EngineWorkClock, StretchesSumUpAtAnySpeedWithAnyNoise, ()) {
  const TrainingConfig config;
  WorkClock clock(config);
  SimTime now;
  for (int step = 0; step < 10; ++step) {
    const auto length = ns(*rc::gen::inRange<std::int64_t>(0, 100'000'000'000'000));
    const auto speed = *rc::gen::inRange<std::int64_t>(1, WorkClock::kFullSpeed + 1);
    const auto noise = *rc::gen::oneOf(rc::gen::just<std::int64_t>(0),
                                       rc::gen::inRange<std::int64_t>(1, 3'000'000));
    const Duration before = clock.work();
    const WorkClock::Stretch stretch = clock.advance(now, now + length, speed, noise);
    now = now + length;
    RC_ASSERT(stretch.work + stretch.straggler + stretch.noise + stretch.checkpoint == length);
    RC_ASSERT(stretch.work >= Duration::zero() && stretch.straggler >= Duration::zero() &&
              stretch.noise >= Duration::zero() && stretch.checkpoint >= Duration::zero());
    RC_ASSERT((noise == 0) == (stretch.noise == Duration::zero()) || length < 4_us);
    RC_ASSERT(clock.work() - before == stretch.work);
    RC_ASSERT(clock.saved(now) <= clock.work());
    RC_ASSERT(clock.verified_before(clock.work()) <= clock.work());
  }
}

// `wall_until` is the first nanosecond at which the work is done.
RC_GTEST_PROP(EngineWorkClock, TheWallUntilSomeWorkIsTheLeast, ()) {
  const TrainingConfig config;
  const auto speed = *rc::gen::inRange<std::int64_t>(1000, WorkClock::kFullSpeed + 1);
  const auto noise = *rc::gen::inRange<std::int64_t>(0, 3'000'000);
  const Duration work = ns(*rc::gen::inRange<std::int64_t>(1, 10'000'000'000'000));
  WorkClock clock(config);
  const Duration wall = clock.wall_until(work, speed, noise);
  clock.advance(SimTime(), SimTime() + (wall - 1_ns), speed, noise);
  RC_ASSERT(clock.work() < work);
  clock.begin();
  clock.advance(SimTime(), SimTime() + wall, speed, noise);
  RC_ASSERT(clock.work() == work);
}

}  // namespace
}  // namespace faultline
