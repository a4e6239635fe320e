#include "sim/engine/placement.h"

#include <algorithm>

namespace faultline {

Placement::Placement(const SimulationPlan& plan, Kernel& kernel, const Standing& standing,
                     const NodeHealth& health, Places& places, Jobs& jobs, Holds& holds,
                     Hangs& hangs, Speeds& speeds, Gangs& gangs)
    : plan_(plan),
      kernel_(kernel),
      standing_(standing),
      health_(health),
      places_(places),
      jobs_(jobs),
      holds_(holds),
      hangs_(hangs),
      speeds_(speeds),
      gangs_(gangs) {}

void Placement::stop_for_repair(JobId job, NodeId node, StopKind kind) {
  hangs_.stop(job, kind, {.node = node, .fault_class = {}}, Duration::zero(),
              kernel_.newest(node.slot));
}

void Placement::node_emptied(const NodeEmptied& emptied) {
  const NodeSlot slot = emptied.node.slot;
  gangs_.update(slot);
  const JobId job = places_.job_on(slot);
  if (!job.valid()) return;
  if (jobs_.model(job).state() != TrainingJob::State::kDown) {
    stop_for_repair(job, emptied.node, StopKind::kDrain);
  }
  if (!emptied.leaves) return holds_.update(slot, TrainingJob::Fit::kInPlace);
  if (gangs_.has(slot)) return gangs_.vacate(slot);
  holds_.update(slot, TrainingJob::Fit::kAnew);
  if (jobs_.model(job).config().may_move) move_to_spare(slot);
}

void Placement::node_ready(const NodeReady& ready) {
  const NodeSlot slot = ready.node.slot;
  holds_.update(slot, ready.fit);
  conditions_changed(ready.node);
}

void Placement::conditions_changed(NodeId node) {
  gangs_.update(node.slot);
  // A spare that is fit again may be what a job waits for.
  if (is_free_spare(node.slot)) serve_waiting_jobs(node.slot);
}

void Placement::evicted(NodeId node) {
  const JobId job = places_.job_on(node.slot);
  if (!job.valid() || !standing_[node.slot].fit() || !jobs_.model(job).busy()) return;
  stop_for_repair(job, node, StopKind::kEvicted);
}

bool Placement::is_free_spare(NodeSlot slot) const {
  return !places_.job_on(slot).valid() && standing_[slot].fit() &&
         health_.healthy(standing_.node(slot));
}

void Placement::move_to_spare(NodeSlot from) {
  const NodeSlot spare = places_.last_idle(plan_.fleet().pool_of(from),
                                           [&](NodeSlot slot) { return is_free_spare(slot); });
  if (spare.valid()) take_place(from, spare);
}

void Placement::serve_waiting_jobs(NodeSlot spare) {
  const PoolId pool = plan_.fleet().pool_of(spare);
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const TrainingJob& job = jobs_.model(JobId(j));
    if (!job.config().may_move || !job.held() || job.config().gang) continue;
    const std::vector<NodeSlot>& places = places_.of(JobId(j));
    const auto away = std::find_if(places.begin(), places.end(), [&](NodeSlot slot) {
      return plan_.fleet().pool_of(slot) == pool && holds_.is_holding(slot) &&
             standing_[slot].leaving;
    });
    if (away == places.end()) continue;
    return take_place(*away, spare);
  }
}

void Placement::take_place(NodeSlot from, NodeSlot to) {
  const JobId job = places_.job_on(from);
  const HappeningId taken =
      kernel_.emit(PlaceTaken{.job = job, .from = standing_.node(from), .to = standing_.node(to)},
                   kernel_.newest(from));
  kernel_.newest(to) = taken;
  kernel_.post(PodMoves{.job = job, .rank = places_.share(from).rank, .to = to});
  places_.move(from, to);
  if (standing_.lemons().exist()) {
    kernel_.post(PlaceMoves{.job = job, .slot = from, .taken = false});
    kernel_.post(PlaceMoves{.job = job, .slot = to, .taken = true});
  }
  // The new place first: if the spare is sick too, the job stays held without a gap.
  holds_.update(to, TrainingJob::Fit::kAnew);
  if (speeds_.any_dead()) speeds_.update_cut(job);
  holds_.leave_for_spare(from, job, taken);
  speeds_.update(job);
}

}  // namespace faultline
