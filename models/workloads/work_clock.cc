#include "models/workloads/work_clock.h"

#include <algorithm>

namespace faultline {
namespace {

// Work done in `wall` at a speed, rounded down: no more than was possible. The split keeps the product
// inside 64 bits for every horizon.
Duration work_in(Duration wall, std::int64_t speed) {
  if (speed == WorkClock::kFullSpeed) return wall;
  const std::int64_t whole = wall.ns() / WorkClock::kFullSpeed;
  const std::int64_t rest = wall.ns() % WorkClock::kFullSpeed;
  return Duration::nanoseconds(whole * speed + rest * speed / WorkClock::kFullSpeed);
}

// The least wall time in which `work` is done; infinite where that is 292 years or more.
Duration wall_for(Duration work, std::int64_t speed) {
  if (speed == WorkClock::kFullSpeed) return work;
  const std::int64_t whole = work.ns() / speed;
  const std::int64_t rest = work.ns() % speed;
  return Duration::nanoseconds(whole) * WorkClock::kFullSpeed +
         Duration::nanoseconds((rest * WorkClock::kFullSpeed + speed - 1) / speed);
}

// How much longer noise makes steps of that length, rounded up.
Duration noise_on(Duration stepping, std::int64_t noise) {
  if (noise == 0) return Duration::zero();
  const std::int64_t whole = stepping.ns() / WorkClock::kFullSpeed;
  const std::int64_t rest = stepping.ns() % WorkClock::kFullSpeed;
  return Duration::nanoseconds(whole) * noise +
         Duration::nanoseconds((rest * noise + WorkClock::kFullSpeed - 1) / WorkClock::kFullSpeed);
}

// The steps, by their length without noise, that fit into `wall`, rounded down.
Duration stepping_in(Duration wall, std::int64_t noise) {
  if (noise == 0) return wall;
  const std::int64_t whole = wall.ns() / (WorkClock::kFullSpeed + noise);
  const std::int64_t rest = wall.ns() % (WorkClock::kFullSpeed + noise);
  return Duration::nanoseconds(whole * WorkClock::kFullSpeed +
                               rest * WorkClock::kFullSpeed / (WorkClock::kFullSpeed + noise));
}

Duration rounded_up(Duration value, Duration unit) {
  const Duration rest = value % unit;
  return rest == Duration::zero() ? value : value + (unit - rest);
}

}  // namespace

WorkClock::WorkClock(const TrainingConfig& config)
    : interval_(rounded_up(config.checkpoint.every, config.step_length())),
      blocks_(config.checkpoint.blocks),
      write_(config.checkpoint.write),
      verified_every_(config.checkpoint.verified_every) {
  begin();
}

void WorkClock::begin() {
  work_ = saved_ = writing_ = blocking_left_ = Duration::zero();
  next_checkpoint_ = interval_;
  written_at_ = SimTime::never();
}

Duration WorkClock::saved(SimTime now) const { return written_at_ <= now ? writing_ : saved_; }

Duration WorkClock::verified_before(Duration work) const {
  const Duration unit = interval_ * verified_every_;
  return work < unit ? Duration::zero() : unit * (work / unit);
}

void WorkClock::complete_checkpoint(SimTime at) {
  saved_ = saved(at);
  writing_ = work_;
  written_at_ = at + write_;
  next_checkpoint_ = work_ + interval_;
}

WorkClock::Stretch WorkClock::advance(SimTime from, SimTime to, std::int64_t speed,
                                      std::int64_t noise) {
  Stretch stretch;
  Duration left = to - from;
  const Duration stepping = wall_for(interval_, speed);
  const Duration noisy = noise_on(stepping, noise);
  const Duration cycle = stepping + noisy + blocks_;
  while (left > Duration::zero()) {
    if (blocking_left_ > Duration::zero()) {
      const Duration blocked = std::min(left, blocking_left_);
      stretch.checkpoint += blocked;
      blocking_left_ -= blocked;
      left -= blocked;
      if (blocking_left_ == Duration::zero()) complete_checkpoint(to - left);
      continue;
    }
    // Whole cycles at once, but the last, which the steps below take one by one.
    const std::int64_t cycles = work_ + interval_ == next_checkpoint_ ? left / cycle : 0;
    if (cycles > 1) {
      const std::int64_t skipped = cycles - 1;
      work_ += interval_ * skipped;
      stretch.work += interval_ * skipped;
      stretch.straggler += (stepping - interval_) * skipped;
      stretch.noise += noisy * skipped;
      stretch.checkpoint += blocks_ * skipped;
      left -= cycle * skipped;
      complete_checkpoint(to - left);
      continue;
    }
    const Duration to_go = next_checkpoint_ - work_;
    const Duration steps_to_go = wall_for(to_go, speed);
    const Duration noise_to_go = noise_on(steps_to_go, noise);
    if (left < steps_to_go + noise_to_go) {
      const Duration steps = stepping_in(left, noise);
      const Duration done = work_in(steps, speed);
      work_ += done;
      stretch.work += done;
      stretch.straggler += steps - done;
      stretch.noise += left - steps;
      break;
    }
    work_ = next_checkpoint_;
    stretch.work += to_go;
    stretch.straggler += steps_to_go - to_go;
    stretch.noise += noise_to_go;
    left -= steps_to_go + noise_to_go;
    blocking_left_ = blocks_;
    if (blocks_ == Duration::zero()) complete_checkpoint(to - left);
  }
  return stretch;
}

Duration WorkClock::wall_until(Duration work, std::int64_t speed, std::int64_t noise) const {
  const auto wall = [=](Duration todo) {
    const Duration steps = wall_for(todo, speed);
    return steps + noise_on(steps, noise);
  };
  if (work <= work_) return Duration::zero();
  if (work <= next_checkpoint_) return blocking_left_ + wall(work - work_);
  // After the next checkpoint, whole cycles, and what is left of a last interval.
  const Duration after = work - next_checkpoint_;
  const std::int64_t cycles = (after - 1_ns) / interval_;
  const Duration of_cycles = cycles == 0 ? Duration::zero() : (wall(interval_) + blocks_) * cycles;
  return blocking_left_ + wall(next_checkpoint_ - work_) + blocks_ + of_cycles +
         wall(after - interval_ * cycles);
}

Duration WorkClock::roll_back(Duration position) {
  const Duration lost = work_ - position;
  work_ = saved_ = position;
  blocking_left_ = Duration::zero();
  written_at_ = SimTime::never();
  next_checkpoint_ = interval_ * (position / interval_ + 1);
  return lost;
}

void WorkClock::save_now() { roll_back(work_); }

}  // namespace faultline
