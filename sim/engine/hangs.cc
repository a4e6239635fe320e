#include "sim/engine/hangs.h"

#include <algorithm>

#include "models/base/check.h"

namespace faultline {
namespace {

using State = TrainingJob::State;

// From the hang to the end of the processes, if it lasts.
Duration hang_limit(const TrainingConfig& job, HangEnd by) {
  const Duration timeout = by == HangEnd::kWatchdog ? job.nccl_timeout : job.nccl_heartbeat_timeout;
  return std::min(timeout + job.nccl_dump, job.progress_timeout.value_or(Duration::infinite()));
}

}  // namespace

Hangs::Hangs(const SimulationPlan& plan, Kernel& kernel, const ActiveFaults& faults,
             FaultDraws& draws, const Places& places, Holds& holds, Jobs& jobs)
    : plan_(plan),
      kernel_(kernel),
      faults_(faults),
      draws_(draws),
      places_(places),
      holds_(holds),
      jobs_(jobs),
      jobs_hang_(plan.jobs().size()) {}

void Hangs::begin() {
  faults_hang_.clear();
  std::fill(jobs_hang_.begin(), jobs_hang_.end(), OfJob());
  flaps_.clear();
}

Hangs::OfFault& Hangs::touch(std::uint32_t fault) {
  if (fault >= faults_hang_.size()) faults_hang_.resize(fault + 1);
  return faults_hang_[fault];
}

void Hangs::stop(JobId id, StopKind kind, TrainingJob::Blame blame, Duration surfaces,
                 HappeningId cause) {
  if (jobs_.model(id).state() == State::kDone) return;
  const OfJob& hang = jobs_hang_[id.index()];
  const bool hung = hang.faults > 0;
  const SimTime watchdog = hang.watchdog;
  std::uint32_t counted = kNoFault;
  if (hung && (is_of_control_plane(kind) || kind == StopKind::kWatchdog)) {
    const std::uint32_t first = first_hang(id);
    if (faults_[first].clears >= watchdog) {
      counted = first;
      blame.fault_class = faults_[first].fault_class;
    }
  }
  jobs_.stop(id, kind, blame, surfaces, cause);
  if (hung) end_all(id, counted, watchdog);
}

void Hangs::hang(std::uint32_t index) {
  const ActiveFault& fault = faults_[index];
  const TrainingJob& job = jobs_.model(fault.job);
  const SimTime watchdog = kernel_.now() + hang_limit(job.config(), config(index).hang_end());
  if (job.state() == State::kRunning || job.state() == State::kStalled) {
    touch(index) = {.hangs = true, .job = fault.job};
    OfJob& hang = jobs_hang_[fault.job.index()];
    ++hang.faults;
    if (job.state() == State::kStalled) return;
    hang.stalled = kernel_.now();
    hang.watchdog = watchdog;
    jobs_.stall(fault.job, blame(index), watchdog, fault.struck_as);
    return;
  }
  // Nothing is under way that could hang. The fault fails a restart, if it is of that kind, and
  // counts if it would have outlasted the watchdog.
  const bool sickens = fault.node.slot.valid() && config(index).fails_restart;
  if (sickens) holds_.sicken(index, fault.node.slot);
  const bool counts = fault.primary && fault.clears > watchdog;
  if (counts || (sickens && job.state() != State::kDown)) {
    stop(fault.job, StopKind::kWatchdog, blame(index), Duration::zero(), fault.struck_as);
  }
  if (sickens) holds_.update(fault.node.slot, TrainingJob::Fit::kInPlace);
}

void Hangs::flap(std::uint32_t index) {
  flaps_.push_back(index);
  if (faults_[index].job.valid()) stop_messages(index, faults_[index].job);
}

void Hangs::stop_messages(std::uint32_t index, JobId id) {
  const TrainingJob& job = jobs_.model(id);
  const bool stalls = job.state() == State::kStalled;
  if (job.state() != State::kRunning && !stalls) return;
  OfJob& hang = jobs_hang_[id.index()];
  const SimTime now = kernel_.now();
  const bool under_way = !stalls || hang.stalled == now;
  touch(index) = {
      .hangs = true,
      .job = id,
      .gives_up = under_way ? now + job.config().transport.retry_budget() : SimTime::never()};
  ++hang.faults;
  if (stalls) {
    jobs_.stall_ends(id, stall_end(id));
  } else {
    hang.stalled = now;
    hang.watchdog = now + hang_limit(job.config(), HangEnd::kWatchdog);
    jobs_.stall(id, blame(index), stall_end(id), faults_[index].struck_as);
  }
}

void Hangs::meet_flaps(JobId id) {
  if (flaps_.empty() || jobs_.model(id).state() != State::kRunning) return;
  for (const std::uint32_t index : flaps_) {
    const NodeSlot slot = faults_[index].node.slot;
    if (!slot.valid() || places_.job_on(slot) != id) continue;
    kernel_.post(FaultMeetsJob{.fault = index, .job = id});
    stop_messages(index, id);
  }
}

void Hangs::ends(std::uint32_t index) {
  if (!flaps_.empty()) std::erase(flaps_, index);
  if (!hangs(index)) return;
  OfFault& hang = faults_hang_[index];
  hang.hangs = false;
  if (--jobs_hang_[hang.job.index()].faults > 0) {
    still_hangs(hang.job);
  } else if (jobs_.model(hang.job).state() == State::kStalled) {
    jobs_.unstall(hang.job, faults_[index].struck_as);
  }
}

void Hangs::still_hangs(JobId id) {
  if (jobs_.model(id).state() != State::kStalled || flaps_.empty()) return;
  bool silent = false;  // what is left of the stall lets no message through
  for (std::uint32_t i = 0; i < faults_hang_.size(); ++i) {
    const OfFault& hang = faults_hang_[i];
    if (!hang.hangs || hang.job != id) continue;
    silent = silent || config(i).effect != FaultEffect::kFlap || !hang.gives_up.is_never();
  }
  for (const std::uint32_t index : flaps_) {
    if (silent || !hangs(index) || faults_hang_[index].job != id) continue;
    faults_hang_[index].gives_up =
        kernel_.now() + jobs_.model(id).config().transport.retry_budget();
  }
  jobs_.stall_ends(id, stall_end(id));
}

SimTime Hangs::stall_end(JobId id) const {
  SimTime end = jobs_hang_[id.index()].watchdog;
  for (const std::uint32_t index : flaps_) {
    if (hangs(index) && faults_hang_[index].job == id) {
      end = std::min(end, faults_hang_[index].gives_up);
    }
  }
  return end;
}

std::uint32_t Hangs::first_hang(JobId id) const {
  std::uint32_t first = kNoFault;
  for (std::uint32_t i = 0; i < faults_hang_.size(); ++i) {
    if (!faults_hang_[i].hangs || faults_hang_[i].job != id) continue;
    if (first == kNoFault || faults_[i].id < faults_[first].id) first = i;
  }
  return first;
}

void Hangs::times_out(JobId id) {
  for (const std::uint32_t index : flaps_) {
    if (hangs(index) && faults_hang_[index].job == id &&
        faults_hang_[index].gives_up == kernel_.now()) {
      return transport_fails(index);
    }
  }
  const std::uint32_t first = first_hang(id);
  FAULTLINE_CHECK_AT(kernel_.now(), first != kNoFault, "a watchdog fired without a hang");
  stop(id, StopKind::kWatchdog, blame(first), Duration::zero(), jobs_.newest(id));
}

void Hangs::transport_fails(std::uint32_t index) {
  const JobId id = faults_hang_[index].job;
  faults_hang_[index].hangs = false;
  --jobs_hang_[id.index()].faults;
  const Duration surfaces = draws_.sample(jobs_.model(id).config().crash_surfaces,
                                          plan_.classes()[faults_[index].fault_class.index()],
                                          faults_[index], FaultDraws::kSurfaces);
  stop(id, StopKind::kCrash, blame(index), surfaces, jobs_.newest(id));
  stays(index);
}

void Hangs::end_all(JobId id, std::uint32_t counted, SimTime watchdog) {
  jobs_hang_[id.index()].faults = 0;
  for (std::uint32_t i = 0; i < faults_hang_.size(); ++i) {
    if (!faults_hang_[i].hangs || faults_hang_[i].job != id) continue;
    faults_hang_[i].hangs = false;
    const ActiveFault& fault = faults_[i];
    // The next first step meets a flap on a node, if it is still there.
    const bool flap = config(i).effect == FaultEffect::kFlap;
    if (flap && fault.node.slot.valid()) continue;
    if (!flap && i != counted && fault.primary && fault.clears > watchdog) {
      jobs_.stop(id, StopKind::kWatchdog, blame(i), Duration::zero(), fault.struck_as);
    }
    stays(i);
  }
}

void Hangs::stays(std::uint32_t index) {
  const NodeSlot slot = faults_[index].node.slot;
  if (!slot.valid()) {
    std::erase(flaps_, index);
    kernel_.post(FaultDropped{index});
  } else if (config(index).fails_restart) {
    holds_.sicken(index, slot);
    holds_.update(slot, TrainingJob::Fit::kInPlace);
  }
}

}  // namespace faultline
