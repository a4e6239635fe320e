// What a fault does to the job: crash, hang, slow-down, silent corruption.

#include <algorithm>

#include "models/base/check.h"
#include "sim/engine/simulation.h"

namespace faultline {

void Simulation::affect_job(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
  const FaultEffect effect = effect_of(fault);
  if (config.degrades && is_shared(config.degrades->part)) {
    degrade_shared(index);
  } else if (effect == FaultEffect::kSlow && fault.clears != now_) {
    slow_faults_.push_back(index);
    if (fault.job.valid()) update_speed(fault.job);
  }
  if (effect == FaultEffect::kSlow) return;
  const bool on_node = fault.node.slot.valid();
  if (config.effect == FaultEffect::kFlap && fault.clears != now_) {
    flaps_.push_back(index);
    if (fault.job.valid()) flap_job(index);
    return;
  }
  // A lasting fault also fails the restarts of a job that moves to the node later on.
  const bool cuts = config.degrades && effect == FaultEffect::kCrash;
  const bool sickens = on_node && (config.fails_restart || cuts) && fault.clears != now_;
  if (effect == FaultEffect::kCrash && sickens) {
    fault.holds = true;
    ++touch(fault.node.slot).sick;
  }
  const bool hang = effect == FaultEffect::kHang && fault.clears != now_;
  if (!fault.job.valid()) {
    if (hang && sickens) {
      fault.holds = true;
      ++touch(fault.node.slot).sick;
    }
    return;
  }
  JobState& job = jobs_[fault.job.index()];
  const TrainingJob::Blame blame{.node = fault.node, .fault_class = fault.fault_class};
  switch (effect) {
    case FaultEffect::kCrash: {
      const Duration surfaces =
          drawn(job.model.config().crash_surfaces, fault, FaultDraws::kSurfaces);
      // The other nodes of a rack are the same interruption.
      if (fault.primary || job.model.state() != TrainingJob::State::kDown) {
        stop_job(fault.job, StopKind::kCrash, blame, surfaces, fault.struck_as);
      }
      if (on_node) update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
      return;
    }
    case FaultEffect::kHang:
      if (hang) hang_job(index);
      return;
    case FaultEffect::kSilent:
      job.model.corrupt(now_, telling(job, fault.struck_as));
      expect(layout_.fault(Expect::kFaultFound, index),
             now_ + drawn(*config.found_after, fault, FaultDraws::kFound), Expect::kFaultFound);
      return;
    case FaultEffect::kPlanned:
      stop_job(fault.job, StopKind::kPlanned, blame, Duration::zero(), fault.struck_as);
      return;
    case FaultEffect::kNone:
    case FaultEffect::kFlap:
    case FaultEffect::kSlow: return;
  }
}

void Simulation::update_speed(JobId id) {
  std::int64_t known = WorkClock::kFullSpeed;  // of the slow-downs of known size
  const std::optional<JobPace>& pace = plan_.jobs()[id.index()].pace;
  StepParts degraded = pace ? pace->healthy_parts() : StepParts{};
  // Blamed is what alone would slow it most.
  std::int64_t slowest = WorkClock::kFullSpeed;
  FaultClassId slowed_by;
  const auto blame = [&](const ActiveFault& fault, std::int64_t alone) {
    if (alone >= slowest) return;
    slowest = alone;
    slowed_by = fault.fault_class;
  };
  for (const std::uint32_t index : slow_faults_) {
    const ActiveFault& fault = faults_[index];
    const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
    if (config.degrades) {
      const JobPace::Kind* const kind = pace_under(fault, id);
      if (kind == nullptr || kind->cut) continue;
      degraded = worse_of(degraded, kind->parts);
      blame(fault, pace->speed(kind->parts, WorkClock::kFullSpeed));
      continue;
    }
    const bool on_node = fault.node.slot.valid();
    const JobId slows = on_node ? job_on(fault.node.slot) : fault.job;
    if (slows != id || (on_node && slots_[fault.node.slot.index()].leaving)) continue;
    const std::int64_t of_node = WorkClock::speed_of(config.slow_speed());
    known = std::min(known, of_node);
    blame(fault, of_node);
  }
  const std::int64_t speed = pace ? pace->speed(degraded, known) : known;
  JobState& job = jobs_[id.index()];
  job.model.set_speed(now_, std::max<std::int64_t>(speed, 1), slowed_by, telling(job, job.last));
  if (job.model.config().work) follow(id);  // its end comes sooner or later
}

void Simulation::degrade_shared(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const bool dead = degrades_of(fault)->to == 0;
  if (fault.clears != now_) {
    slow_faults_.push_back(index);
    if (dead) dead_parts_.push_back(index);
    for (std::size_t job = 0; job < jobs_.size(); ++job) update_speed(JobId(job));
  }
  if (!dead) return;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const JobId id(j);
    // (the job of the struck node stops as by any crash there)
    if (id == fault.job || !is_cut_by(fault, id)) continue;
    const TrainingJob& model = jobs_[j].model;
    const Duration surfaces = drawn(model.config().crash_surfaces, fault, FaultDraws::kSurfaces);
    if (fault.primary || model.state() != TrainingJob::State::kDown) {
      stop_job(id, StopKind::kCrash, {.node = fault.node, .fault_class = fault.fault_class},
               surfaces, fault.struck_as);
    }
    update_cut(id);
  }
}

void Simulation::update_cut(JobId id) {
  JobState& job = jobs_[id.index()];
  if (job.model.state() == TrainingJob::State::kDone) return;
  NodeId by;
  for (const std::uint32_t index : dead_parts_) {
    const ActiveFault& fault = faults_[index];
    if (!is_cut_by(fault, id)) continue;
    if (!by.slot.valid() || fault.node == job.cut_by) by = fault.node;
  }
  if (by == job.cut_by) return;
  // The new one first: the job stays held without a gap.
  JobTeller& teller = telling(job, job.last);
  if (by.slot.valid()) job.model.hold(now_, teller, by);
  if (job.cut_by.slot.valid()) {
    job.model.release(now_, teller, job.cut_by, TrainingJob::Fit::kInPlace);
  }
  job.cut_by = by;
  follow(id);
}

bool Simulation::is_cut_by(const ActiveFault& fault, JobId id) const {
  const JobPace::Kind* const kind = pace_under(fault, id);
  return kind != nullptr && kind->cut;
}

FaultEffect Simulation::effect_of(const ActiveFault& fault) const {
  const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
  if (!config.degrades) return config.effect;
  const JobPace::Kind* kind = nullptr;
  if (fault.job.valid()) {
    kind = pace_under(fault, fault.job);
  } else if (!is_shared(config.degrades->part)) {
    // What it would do to a job that moves here.
    for (const SimulationPlan::Job& job : plan_.jobs()) {
      if (job.pool != plan_.fleet().pool_of(fault.node.slot)) continue;
      kind = &job.pace->kind(fault.fault_class, job.places.front(), fault.gpu);
    }
  }
  return kind != nullptr && kind->cut ? FaultEffect::kCrash : config.effect;
}

const JobPace::Kind* Simulation::pace_under(const ActiveFault& fault, JobId id) const {
  const NodeSlot at = place_of(fault, id);
  if (!at.valid()) return nullptr;
  return &plan_.jobs()[id.index()].pace->kind(fault.fault_class, at, fault.gpu);
}

NodeSlot Simulation::place_of(const ActiveFault& fault, JobId id) const {
  const DegradedPart part = degrades_of(fault)->part;
  const NodeSlot struck = fault.node.slot;
  const std::vector<NodeSlot>& places = plan_.jobs()[id.index()].places;
  const auto place = [&](NodeSlot slot) {
    const PlaceShare& share = shares_[slot.index()];
    return share.job == id ? places[share.rank] : NodeSlot();
  };
  if (!is_shared(part)) return slots_[struck.index()].leaving ? NodeSlot() : place(struck);
  if (!is_of_leaf(part)) return struck;
  const auto at_leaf = static_cast<std::uint32_t>(plan_.scenario().fleet.fabric->nodes_per_leaf);
  const std::uint32_t first = struck.value() / at_leaf * at_leaf;
  const std::uint32_t after = std::min(first + at_leaf, plan_.fleet().slots());
  NodeSlot moved = place(struck);
  for (NodeSlot slot(first); slot.value() < after; slot = NodeSlot(slot.value() + 1)) {
    const NodeSlot at = place(slot);
    if (at == slot) return struck;  // it stands where it stood at the start
    if (at.valid() && part == DegradedPart::kLeaf) moved = at;
  }
  return moved;
}

void Simulation::fault_found(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
  const bool on_node = fault.node.slot.valid();
  stop_job(fault.job, StopKind::kSilent, {.node = fault.node, .fault_class = fault.fault_class},
           Duration::zero(), fault.struck_as);
  if (on_node && config.fails_restart && fault.present) {
    fault.holds = true;
    ++touch(fault.node.slot).sick;
    update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
  }
  if (on_node) {
    forget_if_over(index);
  } else {
    drop(index);  // over with the restart that it causes
  }
}

void Simulation::undo_effect(ActiveFault& fault) {
  if (std::erase(slow_faults_, faults_.index_of(fault)) > 0) {
    const bool dead = std::erase(dead_parts_, faults_.index_of(fault)) > 0;
    const bool shared = degrades_of(fault) && is_shared(degrades_of(fault)->part);
    const JobId job = fault.node.slot.valid() ? job_on(fault.node.slot) : fault.job;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (!shared && job != JobId(j)) continue;
      update_speed(JobId(j));
      if (dead) update_cut(JobId(j));
    }
  }
  std::erase(flaps_, faults_.index_of(fault));
  if (fault.hangs) {
    fault.hangs = false;
    JobState& job = jobs_[fault.job.index()];
    if (--job.hanging > 0) {
      still_hangs(fault.job);
    } else if (job.model.state() == TrainingJob::State::kStalled) {
      job.model.unstall(now_, telling(job, fault.struck_as));
      follow(fault.job);
    }
  }
  if (fault.holds) {
    fault.holds = false;
    --touch(fault.node.slot).sick;
  }
}

}  // namespace faultline
