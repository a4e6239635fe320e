#include "models/workloads/training_job.h"

#include <algorithm>
#include <utility>

#include "models/base/check.h"

namespace faultline {

TrainingJob::TrainingJob(const TrainingConfig& config, JobId id, std::uint64_t ranks,
                         NoiseBySpeed noise)
    : config_(config),
      id_(id),
      restart_(config, ranks),
      work_(config),
      noise_by_speed_(std::move(noise)) {
  begin();
}

void TrainingJob::begin() {
  work_.begin();
  state_ = config_.gang ? State::kDown : State::kRunning;
  holds_ = 0;
  speed_ = WorkClock::kFullSpeed;
  slowed_by_ = {};
  noise_ = noise_by_speed_.at(speed_);
  accounted_ = running_since_ = idle_ = fails_until_ = SimTime::start();
  failures_ = 0;
  corrupt_from_ = Duration::infinite();
  expect_done();
}

void TrainingJob::expect_done() {
  expected_ = {};
  if (!config_.work || state_ != State::kRunning) return;
  expected_ = {.what = Expected::kDone,
               .at = accounted_ + work_.wall_until(*config_.work, speed_, noise_)};
}

void TrainingJob::account(SimTime now, JobTeller& teller) {
  if (state_ != State::kRunning || now == accounted_) return;
  const WorkClock::Stretch stretch = work_.advance(accounted_, now, speed_, noise_);
  accounted_ = now;
  teller.tell(JobProgressed{.job = id_,
                            .work = stretch.work,
                            .straggler = stretch.straggler,
                            .noise = stretch.noise,
                            .checkpoint = stretch.checkpoint,
                            .slowed_by = slowed_by_});
}

Duration TrainingJob::lose_work(SimTime now, StopKind kind) {
  if (kind == StopKind::kPlanned && state_ == State::kRunning) {
    work_.save_now();
    return Duration::zero();
  }
  Duration back_to = work_.saved(now);
  if (kind == StopKind::kSilent && !corrupt_from_.is_infinite()) {
    back_to = std::min(back_to, work_.verified_before(corrupt_from_));
    corrupt_from_ = Duration::infinite();
  } else if (!corrupt_from_.is_infinite()) {
    corrupt_from_ = std::min(corrupt_from_, back_to);
  }
  return work_.roll_back(back_to);
}

void TrainingJob::stop(SimTime now, StopKind kind, const Blame& blame, Duration surfaces,
                       JobTeller& teller) {
  account(now, teller);
  const bool already_down = state_ == State::kDown;
  teller.tell(JobInterrupted{.job = id_,
                             .kind = kind,
                             .node = blame.node,
                             .fault_class = blame.fault_class,
                             .work_lost = lose_work(now, kind),
                             .already_down = already_down,
                             .surfaces = surfaces});
  if (already_down) return;
  if (state_ != State::kRestarting && now - running_since_ >= config_.restart.backoff_reset) {
    failures_ = 0;
  }
  state_ = State::kDown;
  idle_ = now + surfaces + restart_.tear_down();
  fails_until_ = idle_;
  expected_ = {};
  if (!held()) plan_restart(now, kind == StopKind::kPlanned ? Fit::kAnew : Fit::kInPlace);
}

void TrainingJob::hold(SimTime now, JobTeller& teller, NodeId node) {
  FAULTLINE_CHECK_AT(now, state_ == State::kDown, "a job that is not down is held");
  ++holds_;
  expected_ = {};
  teller.tell(JobHeld{.job = id_, .node = node});
}

void TrainingJob::release(SimTime now, JobTeller& teller, NodeId node, Fit fit) {
  FAULTLINE_CHECK_AT(now, holds_ > 0, "a job that is not held is released");
  --holds_;
  teller.tell(JobReleased{.job = id_, .node = node});
  if (holds_ == 0) plan_restart(now, fit);
}

RestartStart TrainingJob::restart_start(SimTime now, Fit fit) const {
  if (fit == Fit::kInPlace) return restart_.in_place(idle_, now, failures_);
  RestartStart start{.at = std::max(now, idle_)};
  if (fails_until_ > idle_) {
    start.failed_attempts = restart_.in_place(idle_, fails_until_, failures_).failed_attempts;
  }
  return start;
}

SimTime TrainingJob::restart_fails_at(SimTime now, Fit fit) const {
  return restart_start(now, fit).at + restart_.until_gpu();
}

void TrainingJob::plan_restart(SimTime now, Fit fit) {
  restart_at_ = restart_start(now, fit);
  anew_ = fit == Fit::kAnew;
  expected_ = {.what = Expected::kRestart, .at = std::max(now, restart_at_.at)};
}

void TrainingJob::select_hosts(SimTime now, Duration takes) {
  FAULTLINE_CHECK_AT(now, state_ == State::kDown, "a gang is formed for a job that is not down");
  idle_ = now + takes;
  if (!held()) plan_restart(now, Fit::kAnew);
}

void TrainingJob::stall(SimTime now, const Blame& blame, SimTime ends, JobTeller& teller) {
  FAULTLINE_CHECK_AT(now, state_ == State::kRunning, "only a running job stalls");
  account(now, teller);
  state_ = State::kStalled;
  expected_ = {.what = Expected::kWatchdog, .at = ends};
  teller.tell(JobStalled{.job = id_, .node = blame.node, .fault_class = blame.fault_class});
}

void TrainingJob::stall_ends(SimTime ends) {
  FAULTLINE_CHECK(state_ == State::kStalled, "the job does not stall");
  expected_.at = ends;
}

void TrainingJob::unstall(SimTime now, JobTeller& teller) {
  FAULTLINE_CHECK_AT(now, state_ == State::kStalled, "the job does not stall");
  state_ = State::kRunning;
  accounted_ = now;
  expect_done();
  teller.tell(JobUnstalled{.job = id_});
}

void TrainingJob::set_speed(SimTime now, std::int64_t speed, FaultClassId slowed_by,
                            JobTeller& teller) {
  if (speed == speed_) return;
  account(now, teller);
  speed_ = speed;
  slowed_by_ = slowed_by;
  noise_ = noise_by_speed_.at(speed);
  if (state_ == State::kRunning) expect_done();
}

void TrainingJob::corrupt(SimTime now, JobTeller& teller) {
  account(now, teller);
  corrupt_from_ = std::min(corrupt_from_, work_.work());
}

void TrainingJob::fulfil(SimTime now, JobTeller& teller) {
  if (expected_.what == Expected::kDone) {
    account(now, teller);
    state_ = State::kDone;
    expected_ = {};
    teller.tell(JobCompleted{.job = id_});
    return;
  }
  if (expected_.what == Expected::kRestart) {
    state_ = State::kRestarting;
    failures_ = anew_ ? 0 : failures_ + restart_at_.failed_attempts + 1;
    expected_ = {.what = Expected::kFirstStep, .at = restart_at_.at + restart_.length()};
    teller.tell(JobRestarting{.job = id_, .failed_attempts = restart_at_.failed_attempts});
    // A restart that takes no time is one event.
    if (expected_.at > now) return;
  }
  FAULTLINE_CHECK_AT(now, expected_.what == Expected::kFirstStep,
                     "nothing was expected of the job");
  state_ = State::kRunning;
  accounted_ = running_since_ = now;
  expect_done();
  teller.tell(JobResumed{.job = id_});
}

void TrainingJob::end(SimTime now, JobTeller& teller) { account(now, teller); }

}  // namespace faultline
