#include "sim/engine/stalls.h"

#include <algorithm>

namespace faultline {

void StallRecords::Saving::add(const Saving& other) {
  saved.add(other.saved);
  regained.add(other.regained);
  shortened += other.shortened;
  cut += other.cut;
}

void StallRecords::add(const StallRecords& other) {
  for (std::size_t c = 0; c < by_class.size(); ++c) {
    by_class[c].count += other.by_class[c].count;
    by_class[c].lost.add(other.by_class[c].lost);
    by_class[c].lengths.add(other.by_class[c].lengths);
  }
  for (std::size_t s = 0; s < savings.size(); ++s) savings[s].add(other.savings[s]);
}

bool StallRecords::any() const {
  return std::any_of(by_class.begin(), by_class.end(),
                     [](const OfClass& of_class) { return of_class.count > 0; });
}

void StallTracker::record(FaultClassId by, Duration lost, Duration length) {
  StallRecords::OfClass& of_class = records_.by_class[by.index()];
  ++of_class.count;
  of_class.lost.add(lost);
  of_class.lengths.add(length);
}

Duration StallTracker::saved(const StallLimit& limit, const Job& job, const Stall& stall) const {
  const FaultClassConfig& config = *plan_.classes()[stall.by.index()].config;
  const bool stuck =
      config.effect == FaultEffect::kHang && config.hang_end() == HangEnd::kHeartbeat;
  if (limit.watchdog && stuck) return Duration::zero();
  const TrainingConfig& training =
      *plan_.jobs()[static_cast<std::size_t>(&job - jobs_.data())].config;
  const Duration ends = limit.timeout + (limit.watchdog ? training.nccl_dump : Duration::zero());
  return std::max(Duration::zero(), stall.length - ends);
}

StallTracker::Stall StallTracker::stall_ends(Job& job, SimTime now, bool by_itself) {
  const Stall stall{.by = job.stalled_by, .length = now - job.since};
  if (!stall.by.valid()) return stall;
  job.stalled_by = {};
  record(stall.by, stall.length, stall.length);
  for (std::size_t l = 0; l < kStallLimits.size(); ++l) {
    const Duration sooner = saved(kStallLimits[l], job, stall);
    if (sooner == Duration::zero()) continue;
    records_.savings[l].saved.add(sooner);
    ++(by_itself ? records_.savings[l].cut : records_.savings[l].shortened);
  }
  return stall;
}

void StallTracker::take(const JobStalled& stalled, SimTime now) {
  Job& job = jobs_[stalled.job.index()];
  job.since = now;
  job.stalled_by = stalled.fault_class;
}

void StallTracker::take(const JobUnstalled& unstalled, SimTime now) {
  stall_ends(jobs_[unstalled.job.index()], now, true);
}

void StallTracker::take(const JobInterrupted& interrupted, SimTime now) {
  if (interrupted.already_down) return;
  Job& job = jobs_[interrupted.job.index()];
  end_slow(job);
  job.stopped = stall_ends(job, now, false);
  if (is_of_control_plane(interrupted.kind)) job.stopped = {};
  if (interrupted.surfaces > Duration::zero() && interrupted.fault_class.valid() &&
      plan_.classes()[interrupted.fault_class.index()].config->effect == FaultEffect::kCrash) {
    record(interrupted.fault_class, interrupted.surfaces, interrupted.surfaces);
  }
}

void StallTracker::take(const JobRestarting& restarting) {
  Job& job = jobs_[restarting.job.index()];
  if (!job.stopped.by.valid()) return;
  for (std::size_t l = 0; l < kStallLimits.size(); ++l) {
    records_.savings[l].regained.add(saved(kStallLimits[l], job, job.stopped));
  }
  job.stopped = {};
}

void StallTracker::take(const JobProgressed& progressed) {
  Job& job = jobs_[progressed.job.index()];
  if (progressed.slowed_by != job.slow.by) end_slow(job);
  if (!progressed.slowed_by.valid()) return;
  job.slow.by = progressed.slowed_by;
  job.slow.length += progressed.work + progressed.straggler + progressed.checkpoint;
  records_.by_class[progressed.slowed_by.index()].lost.add(progressed.straggler);
}

void StallTracker::end_slow(Job& job) {
  if (job.slow.by.valid()) record(job.slow.by, Duration::zero(), job.slow.length);
  job.slow = {};
}

void StallTracker::end(SimTime now) {
  for (Job& job : jobs_) {
    end_slow(job);
    // Cut by the end of the run: no watchdog would have changed how it ends.
    if (job.stalled_by.valid()) record(job.stalled_by, now - job.since, now - job.since);
  }
}

}  // namespace faultline
