#include "sim/engine/speeds.h"

#include <algorithm>

namespace faultline {

Speeds::Speeds(const SimulationPlan& plan, const ActiveFaults& faults, const Standing& standing,
               const Places& places, const DegradedParts& parts, Jobs& jobs)
    : plan_(plan),
      faults_(faults),
      standing_(standing),
      places_(places),
      parts_(parts),
      jobs_(jobs),
      cut_by_(plan.jobs().size()) {}

void Speeds::begin() {
  slow_.clear();
  dead_.clear();
  std::fill(cut_by_.begin(), cut_by_.end(), NodeId());
}

void Speeds::slows(std::uint32_t fault) {
  slow_.push_back(fault);
  if (faults_[fault].job.valid()) update(faults_[fault].job);
}

void Speeds::slows_all(std::uint32_t fault, bool dead) {
  slow_.push_back(fault);
  if (dead) dead_.push_back(fault);
  for (std::size_t j = 0; j < jobs_.size(); ++j) update(JobId(j));
}

void Speeds::ends(std::uint32_t index) {
  if (slow_.empty() || std::erase(slow_, index) == 0) return;
  const ActiveFault& fault = faults_[index];
  const bool dead = std::erase(dead_, index) > 0;
  const JobId job = fault.node.slot.valid() ? places_.job_on(fault.node.slot) : fault.job;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    if (!parts_.is_shared(fault) && job != JobId(j)) continue;
    update(JobId(j));
    if (dead) update_cut(JobId(j));
  }
}

void Speeds::update(JobId id) {
  std::int64_t known = WorkClock::kFullSpeed;  // of the slow-downs of known size
  const std::optional<JobPace>& pace = plan_.jobs()[id.index()].pace;
  StepParts degraded = pace ? pace->healthy_parts() : StepParts{};
  std::int64_t slowest = WorkClock::kFullSpeed;
  FaultClassId slowed_by;
  const auto blame = [&](const ActiveFault& fault, std::int64_t alone) {
    if (alone >= slowest) return;
    slowest = alone;
    slowed_by = fault.fault_class;
  };
  for (const std::uint32_t index : slow_) {
    const ActiveFault& fault = faults_[index];
    if (parts_.degrades(fault)) {
      const JobPace::Kind* const kind = parts_.pace_under(fault, id);
      if (kind == nullptr || kind->cut) continue;
      degraded = worse_of(degraded, kind->parts);
      blame(fault, pace->speed(kind->parts, WorkClock::kFullSpeed));
      continue;
    }
    const NodeSlot slot = fault.node.slot;
    const JobId slows = slot.valid() ? places_.job_on(slot) : fault.job;
    if (slows != id || (slot.valid() && standing_[slot].leaving)) continue;
    const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
    const std::int64_t of_node = WorkClock::speed_of(config.slow_speed());
    known = std::min(known, of_node);
    blame(fault, of_node);
  }
  const std::int64_t speed = pace ? pace->speed(degraded, known) : known;
  jobs_.set_speed(id, std::max<std::int64_t>(speed, 1), slowed_by);
}

void Speeds::update_cut(JobId id) {
  if (jobs_.model(id).state() == TrainingJob::State::kDone) return;
  NodeId& cut_by = cut_by_[id.index()];
  NodeId by;
  for (const std::uint32_t index : dead_) {
    const ActiveFault& fault = faults_[index];
    if (!parts_.cuts(fault, id)) continue;
    if (!by.slot.valid() || fault.node == cut_by) by = fault.node;
  }
  if (by == cut_by) return;
  // The new one first: the job stays held without a gap. Both follow from what was before.
  const HappeningId cause = jobs_.newest(id);
  if (by.slot.valid()) jobs_.hold(id, by, cause);
  if (cut_by.slot.valid()) jobs_.release(id, cut_by, TrainingJob::Fit::kInPlace, cause);
  cut_by = by;
}

}  // namespace faultline
