// Where a job's work stands, and what a checkpoint would save of it. Nothing is simulated between
// two happenings: a stretch of a thousand steps and a hundred checkpoints is arithmetic.
//
// Work is measured as time at full speed. The job steps; whenever its work reaches the next
// multiple of the checkpoint interval C (`every`, rounded up to whole steps) it stops for B
// (`blocks`), and the checkpoint is durable W (`write`) after that. At speed s < 1, C of work takes
// C/s.
//
// Monitoring agents make steps longer by a share n of the time that they take at speed s (the wait
// for the slowest rank included, behind which some noise hides already: noise_by_speed.h).
//
//   one cycle takes ceil(ceil(C/s) (1 + n)) + B;  in a stretch of length L without interruption:
//   L = work + straggler + noise + checkpoint   (exactly, in nanoseconds)
//
// A stop at time t goes back to the last checkpoint that is durable at t (one that becomes durable
// at t counts; one that is still blocking does not). The work since then is lost.
//
// Worked example: C = 10 min, B = 5 s, W = 0. Stopped 25 min after the start: the second checkpoint
// was complete at 20 min 10 s, so 4 min 50 s of work is lost: work 24:50, checkpoint 10 s.
// With s = 1/2 and n = 1/4, C takes 20 min and 5 min of noise: one cycle is 25 min 5 s.
//
// A C that is `infinite`, or that takes 292 years or more at speed s, is never reached there: there
// is no checkpoint, and a stop loses the work since the last one (or since the start).
//
// Invariants: saved <= work; work grows by at most the time that passes.
// Thread rule: one per job.
#pragma once

#include <cstdint>

#include "models/base/time.h"
#include "models/workloads/training_config.h"

namespace faultline {

class WorkClock {
 public:
  // Speeds are millionths of the full speed, so that the arithmetic is exact.
  static constexpr std::int64_t kFullSpeed = 1'000'000;

  static constexpr std::int64_t speed_of(double share) {
    const auto speed = static_cast<std::int64_t>(share * static_cast<double>(kFullSpeed) + 0.5);
    return speed < 1 ? 1 : speed;
  }

  struct Stretch {
    Duration work;
    Duration straggler;
    Duration noise;
    Duration checkpoint;
  };

  explicit WorkClock(const TrainingConfig& config);

  void begin();

  // Steps from `from` to `to` at a speed; `noise` in millionths of the time that they take at it.
  Stretch advance(SimTime from, SimTime to, std::int64_t speed, std::int64_t noise = 0);

  Duration work() const { return work_; }
  // The time that it takes from here until the work comes to `work`, checkpoints included.
  Duration wall_until(Duration work, std::int64_t speed, std::int64_t noise = 0) const;
  // The work that a restart at time `now` would find saved.
  Duration saved(SimTime now) const;
  // The last verified checkpoint that holds no more than `work`.
  Duration verified_before(Duration work) const;

  // Goes back to `position` (at most `work`); answers the work that is lost.
  Duration roll_back(Duration position);
  // Saves everything as it stands: an announced stop.
  void save_now();

 private:
  void complete_checkpoint(SimTime at);

  Duration interval_;
  Duration blocks_;
  Duration write_;
  std::int64_t verified_every_;

  Duration work_;
  Duration next_checkpoint_;
  Duration blocking_left_;
  Duration saved_;
  Duration writing_;                       // the position of the newest checkpoint
  SimTime written_at_ = SimTime::never();  // when it becomes durable
};

}  // namespace faultline
