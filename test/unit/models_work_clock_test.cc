// A checkpoint interval beyond what can be worked: the arithmetic leaves 64 bits at a low speed, and
// says "never".
#include "models/workloads/work_clock.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

WorkClock clock_with(Duration every, std::int64_t verified_every = 1) {
  TrainingConfig config;
  config.step = 6_s;
  config.checkpoint = {.every = every, .blocks = 5_s, .write = {}, .load = {}};
  config.checkpoint.verified_every = verified_every;
  return WorkClock(config);
}

void expect_no_checkpoint(Duration every, double share, std::int64_t noise) {
  WorkClock clock = clock_with(every);
  const std::int64_t speed = WorkClock::speed_of(share);
  const SimTime end = SimTime::at(100_h);
  const WorkClock::Stretch stretch = clock.advance(SimTime::start(), end, speed, noise);
  // 100 h of steps of which 1 / (1 + noise) is not noise, at that speed.
  const Duration steps = noise == 0 ? 100_h : 80_h;
  EXPECT_EQ(stretch.work.ns(), steps.ns() / WorkClock::kFullSpeed * speed);
  EXPECT_EQ(stretch.straggler, steps - stretch.work);
  EXPECT_EQ(stretch.noise, 100_h - steps);
  EXPECT_EQ(stretch.checkpoint, 0_s);
  EXPECT_EQ(clock.saved(end), 0_s);
  EXPECT_EQ(clock.verified_before(clock.work()), 0_s);
  // Ten more minutes of work, and the wall until then: 10 min / share.
  const Duration more = 1_s * static_cast<std::int64_t>(600 / share + 0.5);
  EXPECT_EQ(clock.wall_until(clock.work() + 10_min, speed, noise),
            noise == 0 ? more : more + Duration::nanoseconds(more.ns() / 4));
  EXPECT_EQ(clock.roll_back(clock.saved(end)), stretch.work);
}

TEST(WorkClock, AnInfiniteIntervalIsNeverReached) {
  for (const double share : {1.0, 0.5, 0.01, 1e-6}) {
    for (const std::int64_t noise : {0, 250'000}) {
      SCOPED_TRACE(share);
      expect_no_checkpoint(Duration::infinite(), share, noise);
    }
  }
}

TEST(WorkClock, NeitherIsOneThatTakes292YearsAtThatSpeed) {
  expect_no_checkpoint(7_d * 15'000, 0.5, 0);  // 287 years, 575 at that speed
  expect_no_checkpoint(7_d * 160, 0.01, 0);    // 3 years, 307 at that speed
  expect_no_checkpoint(7_d * 160, 0.01, 250'000);
}

// The job has worked most of an interval at full speed before it slows down.
TEST(WorkClock, ALongIntervalIsReachedAtALowSpeedFromNearby) {
  WorkClock clock = clock_with(7_d * 160);
  const SimTime near = SimTime::at(7_d * 160 - 1_min);
  clock.advance(SimTime::start(), near, WorkClock::kFullSpeed);
  const std::int64_t slow = WorkClock::speed_of(0.01);
  // 1 min at 1% is 100 min; then 5 s of checkpoint.
  EXPECT_EQ(clock.wall_until(7_d * 160 + 6_s, slow), 100_min + 5_s + 10_min);
  const WorkClock::Stretch stretch = clock.advance(near, near + (100_min + 5_s), slow);
  EXPECT_EQ(stretch.work, 1_min);
  EXPECT_EQ(stretch.straggler, 99_min);
  EXPECT_EQ(stretch.checkpoint, 5_s);
  EXPECT_EQ(clock.saved(near + (100_min + 5_s)), 7_d * 160);
}

TEST(WorkClock, WithoutCheckpointsAnAnnouncedStopIsWhatIsSaved) {
  WorkClock clock = clock_with(Duration::infinite(), 2);
  clock.advance(SimTime::start(), SimTime::at(1_h), WorkClock::kFullSpeed);
  clock.save_now();
  clock.advance(SimTime::at(1_h), SimTime::at(3_h), WorkClock::speed_of(0.5));
  EXPECT_EQ(clock.work(), 2_h);
  EXPECT_EQ(clock.saved(SimTime::at(3_h)), 1_h);
  EXPECT_EQ(clock.verified_before(2_h), 0_s);
}

}  // namespace
}  // namespace faultline
