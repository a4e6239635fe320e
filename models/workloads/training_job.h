// A gang-scheduled training job: the state machine from a fault to useful work again.
//
//   running --stall--> stalled --watchdog--> down --last hold released--> restarting --> running
//      |  ^------unstall---'                 ^  |                              |
//      '---------------- stop ---------------'  '<------------ stop -----------'
//   running --work done--> done, for good
//
// Inputs are what happens to its nodes; the answers are happenings, told at once, and at most one expectation:
// the time at which the watchdog fires, the restart begins, or the first step is made. Asking
// `expected()` again after any input replaces what was expected before.
//
// Holds. While at least one of its nodes is sick in a way that fails restarts, or is away, the job
// is *held* and stays down. The engine says `hold` and `release` for each such node; the job
// counts.
//
// Gang. A job with a `gang` starts down: the engine forms its gang and says `select_hosts`, as often
// as it has to be formed anew.
//
// Silent corruption. From the strike on, everything that is saved is corrupt. When it is found, the
// job goes back to the last verified checkpoint before the strike (or before the point to which it
// had gone back since: a corrupting node corrupts again).
//
// Invariants: held jobs do not run; a job that is not running makes no progress; work never exceeds
// the time that has passed.
//
// Thread rule: one per job and simulation.
#pragma once

#include <cstdint>

#include "models/base/ids.h"
#include "models/base/time.h"
#include "models/happenings.h"
#include "models/workloads/job_teller.h"
#include "models/workloads/noise_by_speed.h"
#include "models/workloads/restart.h"
#include "models/workloads/training_config.h"
#include "models/workloads/work_clock.h"

namespace faultline {

class TrainingJob {
 public:
  enum class State { kRunning, kStalled, kDown, kRestarting, kDone };
  enum class Expected { kNothing, kWatchdog, kRestart, kFirstStep, kDone };
  struct Expectation {
    Expected what = Expected::kNothing;
    SimTime at = SimTime::never();
  };
  // Whose fault or drain it is.
  struct Blame {
    NodeId node;
    FaultClassId fault_class;
  };
  // How the last hold ended.
  enum class Fit {
    kInPlace,  // the fault is gone or was mended: the next container restart will do
    kAnew,     // the node was replaced, or the stop was planned: the gang starts anew
  };

  // `config` must outlive the job; `ranks` is its number of GPUs; `noise` is what monitoring agents
  // add to its steps.
  TrainingJob(const TrainingConfig& config, JobId id, std::uint64_t ranks, NoiseBySpeed noise = {});

  void begin();

  State state() const { return state_; }
  bool held() const { return holds_ > 0; }
  // Down: when a restart first fails on a node that is sick from `now` on. `fit`: how the gang
  // comes there.
  SimTime restart_fails_at(SimTime now, Fit fit) const;
  Expectation expected() const { return expected_; }
  // Its processes are there: running, or on the way to it. The clock of `clock: running` faults.
  bool busy() const { return state_ != State::kDown && state_ != State::kDone; }
  const TrainingConfig& config() const { return config_; }

  // Stops the job (whatever it does); `surfaces` is the time until the error has reached every
  // rank.
  void stop(SimTime now, StopKind kind, const Blame& blame, Duration surfaces, JobTeller& teller);
  void hold(SimTime now, JobTeller& teller, NodeId node);
  void release(SimTime now, JobTeller& teller, NodeId node, Fit fit);
  // Down: a sick node, on which the restarts have failed until now, is taken away.
  void sick_node_leaves(SimTime now) { fails_until_ = now; }

  // Down: a gang is formed from `now` on, which takes so long; the restart begins after that.
  void select_hosts(SimTime now, Duration takes);

  // A collective hangs, or no longer. `ends`: when a watchdog or the transport gives up; that may
  // come sooner or later than was thought.
  void stall(SimTime now, const Blame& blame, SimTime ends, JobTeller& teller);
  void stall_ends(SimTime ends);
  void unstall(SimTime now, JobTeller& teller);
  // The pace of the slowest rank, in millionths of full speed, and what slows it.
  void set_speed(SimTime now, std::int64_t speed, FaultClassId slowed_by, JobTeller& teller);
  // What is computed from now on is wrong.
  void corrupt(SimTime now, JobTeller& teller);

  // The expected restart begins, the first step is made, or the work is done. (The watchdog is the engine's to
  // handle: it knows which nodes are to blame, and says `stop`.)
  void fulfil(SimTime now, JobTeller& teller);

  // The horizon: accounts for the stretch that is under way.
  void end(SimTime now, JobTeller& teller);

 private:
  // Ends the stretch of steps that is under way.
  void account(SimTime now, JobTeller& teller);
  RestartStart restart_start(SimTime now, Fit fit) const;
  void plan_restart(SimTime now, Fit fit);
  // Running from `accounted_` on: the end of the work, if it has one.
  void expect_done();
  Duration lose_work(SimTime now, StopKind kind);

  const TrainingConfig& config_;
  JobId id_;
  RestartRules restart_;
  WorkClock work_;
  NoiseBySpeed noise_by_speed_;

  State state_ = State::kRunning;
  Expectation expected_;
  int holds_ = 0;
  std::int64_t speed_ = WorkClock::kFullSpeed;
  FaultClassId slowed_by_;
  std::int64_t noise_ = 0;  // at this speed
  SimTime accounted_;       // running: up to here
  SimTime running_since_;
  SimTime idle_;                // down: when the last process has ended
  SimTime fails_until_;         // down: restarts have met a sick node until then
  std::uint32_t failures_ = 0;  // container restarts in a row that did not last
  RestartStart restart_at_;     // the restart that is expected; in place it may have begun already
  bool anew_ = false;           // with new pods, which know no back-off
  Duration corrupt_from_ = Duration::infinite();
};

}  // namespace faultline
