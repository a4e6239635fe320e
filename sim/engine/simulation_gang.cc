// A gang is formed and kept whole: who works, who stands by, what is waited for.

#include <utility>

#include "sim/engine/simulation.h"

namespace faultline {

GangState* Simulation::gang_at(NodeSlot slot) {
  if (gang_of_pool_.empty()) return nullptr;
  const JobId job = gang_of_pool_[plan_.fleet().pool_of(slot).index()];
  return job.valid() ? &*jobs_[job.index()].gang : nullptr;
}

void Simulation::gangs_begin() {
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    JobState& job = jobs_[j];
    if (!job.gang) continue;
    job.gang->line.begin();
    job.gang->waits = job.gang->preempts = false;
    job.gang->selections = 1;
    const JobId id(j);
    job.last = emit(JobSubmitted{id}, HappeningId());
    job.last = emit(
        HostsSelected{.job = id, .standbys = static_cast<std::uint32_t>(job.gang->line.standbys())},
        job.last);
    job.model.select_hosts(now_, job.model.config().gang->host_selection);
    follow(id);
  }
}

void Simulation::update_line(NodeSlot slot) {
  GangState* gang = gang_at(slot);
  if (gang == nullptr) return;
  const SlotState& state = slots_[slot.index()];
  const bool fit = state.standing && !state.leaving && !state.mending &&
                   cluster_.node(standing_node(slot)).bad_conditions == 0;
  if (fit == gang->line.available(slot)) return;
  if (!fit) {
    gang->line.leave(slot);
    return;
  }
  gang->line.enter(slot);
  if (gang->waits && !gang->preempts) {
    go_on_waiting(gang_of_pool_[plan_.fleet().pool_of(slot).index()]);
  }
}

void Simulation::lose_place(NodeSlot slot) {
  PlaceShare& share = shares_[slot.index()];
  const JobId id = share.job;
  JobState& job = jobs_[id.index()];
  SlotState& state = touch(slot);
  if (job.lemons) job.lemons->erase(slot);
  share = PlaceShare{};
  if (!cluster_.pod(slot).failing_since.is_never()) {
    cluster_.set_failing(slot, SimTime::never());
    job.model.sick_node_leaves(now_);
    calendar_.cancel(expectation(Expect::kOnCallLook, standing_node(slot)));
  }
  if (state.holding) {
    state.holding = false;
    job.model.release(now_, telling(job, state.last), standing_node(slot), TrainingJob::Fit::kAnew);
    follow(id);
  }
  if (!slow_faults_.empty()) update_speed(id);
  if (!dead_parts_.empty()) update_cut(id);
}

void Simulation::fill_place(JobId id, const Gang::Move& move) {
  JobState& job = jobs_[id.index()];
  NodeSlot& place = job.places[move.rank];
  SlotState& taken = touch(move.to);
  taken.last =
      emit(PlaceTaken{.job = id, .from = standing_node(place), .to = standing_node(move.to)},
           slots_[place.index()].last);
  job.last = taken.last;
  place = move.to;
  shares_[move.to.index()] = {.job = id, .rank = move.rank};
  if (job.lemons && is_lemon(move.to)) job.lemons->insert(move.to);
  update_hold(move.to, TrainingJob::Fit::kAnew);
  if (!slow_faults_.empty()) update_speed(id);
  if (!dead_parts_.empty()) update_cut(id);
}

bool Simulation::gang_is_whole(JobId id) {
  JobState& job = jobs_[id.index()];
  GangState& gang = *job.gang;
  Gang::Move move{};
  while (gang.line.take_standby(move)) fill_place(id, move);
  if (!gang.line.has_vacancy()) return !job.model.held();
  if (gang.line.in_line() >= job.places.size()) {
    form_gang(id);
    follow(id);
    return false;
  }
  if (gang.line.idle_suffice()) {
    job.last = emit(HostsSelected{.job = id}, job.last);
    while (gang.line.take_idle(move)) fill_place(id, move);
    job.model.select_hosts(now_, job.model.config().gang->host_selection);
    follow(id);
    return false;
  }
  gang.waits = true;
  gang.waits_for = standing_node(gang.line.missing());
  job.model.hold(now_, telling(job, job.last), gang.waits_for);
  go_on_waiting(id);
  return false;
}

void Simulation::form_gang(JobId id) {
  JobState& job = jobs_[id.index()];
  GangState& gang = *job.gang;
  const std::vector<Gang::Move>& moves = gang.line.select(*random_, gang.selections++);
  job.last =
      emit(HostsSelected{.job = id, .standbys = static_cast<std::uint32_t>(gang.line.standbys())},
           job.last);
  // Those who worked and work no longer give up their places first.
  for (const Gang::Move& move : moves) {
    const NodeSlot from = job.places[move.rank];
    if (shares_[from.index()].job == id && shares_[from.index()].rank == move.rank) {
      lose_place(from);
    }
  }
  for (const Gang::Move& move : moves) fill_place(id, move);
  job.model.select_hosts(now_, job.model.config().gang->host_selection);
}

void Simulation::go_on_waiting(JobId id) {
  JobState& job = jobs_[id.index()];
  GangState& gang = *job.gang;
  const GangConfig& config = *job.model.config().gang;
  const std::size_t standbys =
      config.refill_standbys ? static_cast<std::size_t>(config.standbys) : 0;
  if (gang.line.in_line() >= job.places.size() + standbys) {
    gang.waits = gang.preempts = false;
    job.model.release(now_, telling(job, job.last), gang.waits_for, TrainingJob::Fit::kAnew);
    form_gang(id);
  } else {
    gang.preempts = gang.line.can_preempt();
    gang.node_comes = gang.preempts ? now_ + config.preemption : SimTime::never();
    // The ledger charges the wait to a node that is still away.
    const NodeSlot away = gang.line.missing();
    if (gang.line.in_line(gang.waits_for.slot) && away.valid()) {
      const NodeId before = std::exchange(gang.waits_for, standing_node(away));
      JobTeller& teller = telling(job, job.last);
      job.model.hold(now_, teller, gang.waits_for);
      job.model.release(now_, teller, before, TrainingJob::Fit::kAnew);
    }
  }
  follow(id);
}

void Simulation::node_preempted(JobId id) {
  JobState& job = jobs_[id.index()];
  const NodeSlot slot = job.gang->line.preempt();
  if (slot.valid()) {
    SlotState& state = touch(slot);
    job.last = state.last = emit(NodePreempted{.job = id, .node = standing_node(slot)}, state.last);
  }
  go_on_waiting(id);
}

// A node that has crashed and stays goes to the end of the line; if nobody knows why it crashed, a
// standby may take its place.
void Simulation::after_crash(NodeSlot slot, JobId id, bool explained) {
  JobState& job = jobs_[id.index()];
  if (!job.gang || job_on(slot) != id) return;
  job.gang->line.to_the_end(slot);
  if (explained || !job.model.config().gang->swap_unexplained) return;
  job.gang->line.vacate(slot);
  lose_place(slot);
}

void Simulation::complete(JobId id) {
  for (const NodeSlot slot : jobs_[id.index()].places) shares_[slot.index()] = PlaceShare{};
  if (++jobs_done_ == jobs_.size()) end_ = now_;
}

}  // namespace faultline
