#include "sim/engine/gangs.h"

#include <utility>

namespace faultline {

Gangs::Gangs(const SimulationPlan& plan, Kernel& kernel, const Standing& standing,
             const NodeHealth& health, Places& places, Jobs& jobs, Holds& holds, Speeds& speeds)
    : plan_(plan),
      kernel_(kernel),
      standing_(standing),
      health_(health),
      places_(places),
      jobs_(jobs),
      holds_(holds),
      speeds_(speeds),
      gangs_(plan.jobs().size()) {
  for (std::size_t j = 0; j < plan.jobs().size(); ++j) {
    if (plan.jobs()[j].config->gang) add(JobId(j));
  }
}

void Gangs::add(JobId id) {
  const SimulationPlan::Job& job = plan_.jobs()[id.index()];
  const auto slots_of = [&](PoolId pool) {
    std::vector<NodeSlot> slots;
    if (!pool.valid()) return slots;
    of_pool_.resize(plan_.fleet().pools().size());
    of_pool_[pool.index()] = id;
    const Fleet::Pool& nodes = plan_.fleet().pool(pool);
    for (std::uint32_t n = 0; n < nodes.slots; ++n) slots.emplace_back(nodes.first_slot + n);
    return slots;
  };
  gangs_[id.index()].emplace(State{
      .line = Gang(id, job.places.size(), static_cast<std::size_t>(job.config->gang->standbys),
                   slots_of(job.pool), slots_of(job.preempts), plan_.fleet().slots()),
      .waits_for = {}});
}

void Gangs::begin() {
  for (std::size_t j = 0; j < gangs_.size(); ++j) {
    if (!gangs_[j]) continue;
    State& gang = *gangs_[j];
    gang.line.begin();
    gang.waits = gang.preempts = false;
    gang.selections = 1;
    const JobId id(j);
    jobs_.emit_of(id, JobSubmitted{id});
    jobs_.emit_of(
        id, HostsSelected{.job = id, .standbys = static_cast<std::uint32_t>(gang.line.standbys())});
    jobs_.select_hosts(id);
  }
}

void Gangs::update(NodeSlot slot) {
  const JobId id = job_of(slot);
  if (!id.valid()) return;
  State& state = gang(id);
  const bool fit = standing_[slot].fit() && health_.healthy(standing_.node(slot));
  if (fit == state.line.available(slot)) return;
  if (!fit) return state.line.leave(slot);
  state.line.enter(slot);
  if (state.waits && !state.preempts) go_on_waiting(id);
}

void Gangs::vacate(NodeSlot slot) {
  gang(job_of(slot)).line.vacate(slot);
  lose_place(slot);
}

void Gangs::crashed(const ActiveFault& fault, bool explained) {
  const NodeSlot slot = fault.node.slot;
  const JobId id = fault.job;
  if (places_.job_on(slot) != id) return;
  gang(id).line.to_the_end(slot);
  if (explained || !jobs_.model(id).config().gang->swap_unexplained) return;
  vacate(slot);
}

void Gangs::lose_place(NodeSlot slot) {
  const JobId id = places_.job_on(slot);
  // (a node that leaves is drained of its pod)
  if (standing_[slot].fit()) {
    kernel_.post(PodMoves{.job = id, .rank = places_.share(slot).rank, .to = {}});
  }
  places_.give_up(slot);
  if (standing_.lemons().exist()) kernel_.post(PlaceMoves{.job = id, .slot = slot, .taken = false});
  holds_.leave(slot, id);
  speeds_.places_changed(id);
}

void Gangs::fill_place(JobId id, const Gang::Move& move) {
  const NodeSlot place = places_.of(id)[move.rank];
  const HappeningId taken = kernel_.emit(
      PlaceTaken{.job = id, .from = standing_.node(place), .to = standing_.node(move.to)},
      kernel_.newest(place));
  kernel_.newest(move.to) = taken;
  jobs_.set_newest(id, taken);
  places_.take(id, move.rank, move.to);
  kernel_.post(PodMoves{.job = id, .rank = move.rank, .to = move.to});
  if (standing_.lemons().exist()) {
    kernel_.post(PlaceMoves{.job = id, .slot = move.to, .taken = true});
  }
  holds_.update(move.to, TrainingJob::Fit::kAnew);
  speeds_.places_changed(id);
}

bool Gangs::is_whole(JobId id) {
  State& state = gang(id);
  Gang::Move move{};
  while (state.line.take_standby(move)) fill_place(id, move);
  if (!state.line.has_vacancy()) return !jobs_.model(id).held();
  if (state.line.in_line() >= places_.of(id).size()) {
    form(id);
    return false;
  }
  if (state.line.idle_suffice()) {
    jobs_.emit_of(id, HostsSelected{.job = id});
    while (state.line.take_idle(move)) fill_place(id, move);
    jobs_.select_hosts(id);
    return false;
  }
  state.waits = true;
  state.waits_for = standing_.node(state.line.missing());
  jobs_.hold(id, state.waits_for, jobs_.newest(id));
  go_on_waiting(id);
  return false;
}

void Gangs::form(JobId id) {
  State& state = gang(id);
  const std::vector<Gang::Move>& moves = state.line.select(kernel_.random(), state.selections++);
  jobs_.emit_of(
      id, HostsSelected{.job = id, .standbys = static_cast<std::uint32_t>(state.line.standbys())});
  // Those who worked and work no longer give up their places first.
  for (const Gang::Move& move : moves) {
    const NodeSlot from = places_.of(id)[move.rank];
    if (places_.share(from).job == id && places_.share(from).rank == move.rank) lose_place(from);
  }
  for (const Gang::Move& move : moves) fill_place(id, move);
  jobs_.select_hosts(id);
}

void Gangs::go_on_waiting(JobId id) {
  State& state = gang(id);
  const GangConfig& config = *jobs_.model(id).config().gang;
  const std::size_t standbys =
      config.refill_standbys ? static_cast<std::size_t>(config.standbys) : 0;
  if (state.line.in_line() >= places_.of(id).size() + standbys) {
    state.waits = state.preempts = false;
    jobs_.wait_ends(id);
    jobs_.release(id, state.waits_for, TrainingJob::Fit::kAnew, jobs_.newest(id));
    return form(id);
  }
  state.preempts = state.line.can_preempt();
  jobs_.wait_until(id, state.preempts ? kernel_.now() + config.preemption : SimTime::never());
  // The ledger charges the wait to a node that is still away.
  const NodeSlot away = state.line.missing();
  if (!state.line.in_line(state.waits_for.slot) || !away.valid()) return;
  const NodeId before = std::exchange(state.waits_for, standing_.node(away));
  const HappeningId cause = jobs_.newest(id);
  jobs_.hold(id, state.waits_for, cause);
  jobs_.release(id, before, TrainingJob::Fit::kAnew, cause);
}

void Gangs::preempted(JobId id) {
  const NodeSlot slot = gang(id).line.preempt();
  if (slot.valid()) {
    jobs_.set_newest(id,
                     kernel_.emit_of(slot, NodePreempted{.job = id, .node = standing_.node(slot)}));
  }
  go_on_waiting(id);
}

}  // namespace faultline
