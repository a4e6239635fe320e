// What ends a stall: the watchdog, the transport, or the end of the fault.
//
// A flap stops the messages that are under way. They are sent again until the transport's budget is
// used up, and then the queue pairs fail at both ends: a crash. A flap that strikes a job that waits
// already stops nothing as yet: its messages are sent, and their retries count, when what the job
// waits for is over. One that strikes a job that is down or restarts does so at the first step.

#include <algorithm>

#include "models/base/check.h"
#include "sim/engine/simulation.h"

namespace faultline {
namespace {

// From the hang to the end of the processes, if it lasts.
Duration hang_limit(const TrainingConfig& job, HangEnd by) {
  const Duration timeout = by == HangEnd::kWatchdog ? job.nccl_timeout : job.nccl_heartbeat_timeout;
  return std::min(timeout + job.nccl_dump, job.progress_timeout.value_or(Duration::infinite()));
}

}  // namespace

void Simulation::hang_job(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
  JobState& job = jobs_[fault.job.index()];
  const TrainingConfig& training = job.model.config();
  const SimTime watchdog = now_ + hang_limit(training, config.hang_end());
  const TrainingJob::Blame blame{.node = fault.node, .fault_class = fault.fault_class};
  using State = TrainingJob::State;
  if (job.model.state() == State::kRunning || job.model.state() == State::kStalled) {
    fault.hangs = true;
    ++job.hanging;
    if (job.model.state() == State::kStalled) return;
    job.stalled = now_;
    job.watchdog = watchdog;
    job.model.stall(now_, blame, watchdog, telling(job, fault.struck_as));
    follow(fault.job);
    return;
  }
  // Nothing is under way that could hang. The fault fails a restart, if it is of that kind, and
  // counts if it would have outlasted the watchdog.
  const bool sickens = fault.node.slot.valid() && config.fails_restart;
  if (sickens) {
    fault.holds = true;
    ++touch(fault.node.slot).sick;
  }
  const bool counts = fault.primary && fault.clears > watchdog;
  if (counts || (sickens && job.model.state() != State::kDown)) {
    stop_job(fault.job, StopKind::kWatchdog, blame, Duration::zero(), fault.struck_as);
  }
  if (sickens) update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
}

void Simulation::flap_job(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  JobState& job = jobs_[fault.job.index()];
  const TrainingConfig& training = job.model.config();
  using State = TrainingJob::State;
  const bool stalls = job.model.state() == State::kStalled;
  if (job.model.state() != State::kRunning && !stalls) return;
  fault.hangs = true;
  ++job.hanging;
  const bool under_way = !stalls || job.stalled == now_;
  fault.gives_up = under_way ? now_ + training.transport.retry_budget() : SimTime::never();
  if (stalls) {
    job.model.stall_ends(stall_end(fault.job));
  } else {
    job.stalled = now_;
    job.watchdog = now_ + hang_limit(training, HangEnd::kWatchdog);
    job.model.stall(now_, {.node = fault.node, .fault_class = fault.fault_class},
                    stall_end(fault.job), telling(job, fault.struck_as));
  }
  follow(fault.job);
}

void Simulation::meet_flaps(JobId id) {
  if (jobs_[id.index()].model.state() != TrainingJob::State::kRunning) return;
  for (const std::uint32_t index : flaps_) {
    ActiveFault& fault = faults_[index];
    if (!fault.node.slot.valid() || job_on(fault.node.slot) != id) continue;
    fault.job = id;
    flap_job(index);
  }
}

void Simulation::still_hangs(JobId id) {
  JobState& job = jobs_[id.index()];
  if (job.model.state() != TrainingJob::State::kStalled || flaps_.empty()) return;
  bool silent = false;  // what is left of the stall lets no message through
  for (std::uint32_t i = 0; i < faults_.capacity(); ++i) {
    const ActiveFault& fault = faults_[i];
    if (!fault.hangs || fault.job != id) continue;
    silent = silent || !is_flap(fault) || !fault.gives_up.is_never();
  }
  for (const std::uint32_t index : flaps_) {
    ActiveFault& fault = faults_[index];
    if (silent || !fault.hangs || fault.job != id) continue;
    fault.gives_up = now_ + job.model.config().transport.retry_budget();
  }
  job.model.stall_ends(stall_end(id));
  follow(id);
}

bool Simulation::is_flap(const ActiveFault& fault) const {
  return plan_.classes()[fault.fault_class.index()].config->effect == FaultEffect::kFlap;
}

SimTime Simulation::stall_end(JobId id) const {
  SimTime end = jobs_[id.index()].watchdog;
  for (const std::uint32_t index : flaps_) {
    const ActiveFault& fault = faults_[index];
    if (fault.hangs && fault.job == id) end = std::min(end, fault.gives_up);
  }
  return end;
}

void Simulation::transport_fails(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const JobId id = fault.job;
  JobState& job = jobs_[id.index()];
  fault.hangs = false;
  --job.hanging;
  const Duration surfaces = drawn(job.model.config().crash_surfaces, fault, FaultDraws::kSurfaces);
  stop_job(id, StopKind::kCrash, {.node = fault.node, .fault_class = fault.fault_class}, surfaces,
           job.last);
  if (!fault.node.slot.valid()) return drop(index);
  if (!plan_.classes()[fault.fault_class.index()].config->fails_restart) return;
  fault.holds = true;
  ++touch(fault.node.slot).sick;
  update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
}

std::uint32_t Simulation::first_hang(JobId id) const {
  std::uint32_t first = kNoFault;
  for (std::uint32_t i = 0; i < faults_.capacity(); ++i) {
    if (!faults_[i].hangs || faults_[i].job != id) continue;
    if (first == kNoFault || faults_[i].id < faults_[first].id) first = i;
  }
  return first;
}

void Simulation::stall_times_out(JobId id) {
  for (const std::uint32_t index : flaps_) {
    const ActiveFault& flap = faults_[index];
    if (flap.hangs && flap.job == id && flap.gives_up == now_) return transport_fails(index);
  }
  const std::uint32_t first = first_hang(id);
  FAULTLINE_CHECK_AT(now_, first != kNoFault, "a watchdog fired without a hang");
  stop_job(id, StopKind::kWatchdog,
           {.node = faults_[first].node, .fault_class = faults_[first].fault_class},
           Duration::zero(), jobs_[id.index()].last);
}

void Simulation::end_hangs(JobId id, std::uint32_t counted, SimTime watchdog) {
  JobState& job = jobs_[id.index()];
  job.hanging = 0;
  for (std::uint32_t i = 0; i < faults_.capacity(); ++i) {
    ActiveFault& fault = faults_[i];
    if (!fault.hangs || fault.job != id) continue;
    fault.hangs = false;
    if (is_flap(fault)) {  // the next first step meets it, if it is still there
      if (!fault.node.slot.valid()) drop(i);
      continue;
    }
    if (i != counted && fault.primary && fault.clears > watchdog) {
      stop_job(id, StopKind::kWatchdog, {.node = fault.node, .fault_class = fault.fault_class},
               Duration::zero(), fault.struck_as);
    }
    if (!fault.node.slot.valid()) {
      drop(i);
      continue;
    }
    const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
    if (!config.fails_restart) continue;
    fault.holds = true;
    ++touch(fault.node.slot).sick;
    update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
  }
}

}  // namespace faultline
