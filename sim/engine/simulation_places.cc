// A job is stopped; its places are held and released, and move to spares.

#include <algorithm>

#include "sim/engine/simulation.h"

namespace faultline {

void Simulation::stop_job(JobId id, StopKind kind, TrainingJob::Blame blame, Duration surfaces,
                          HappeningId cause) {
  JobState& job = jobs_[id.index()];
  if (job.model.state() == TrainingJob::State::kDone) return;
  const bool hung = job.hanging > 0;
  const SimTime watchdog = hung ? job.watchdog : SimTime::never();
  std::uint32_t counted = kNoFault;
  if (hung && (is_of_control_plane(kind) || kind == StopKind::kWatchdog)) {
    // A repair that takes a node from a job that hangs for good only ends the hang.
    const std::uint32_t first = first_hang(id);
    if (faults_[first].clears >= watchdog) {
      counted = first;
      blame.fault_class = faults_[first].fault_class;
    }
  }
  job.model.stop(now_, kind, blame, surfaces, telling(job, cause));
  if (hung) end_hangs(id, counted, watchdog);
  follow(id);
}

void Simulation::kubelet_back(NodeId node, SimTime ready) {
  const JobId id = job_on(node.slot);
  const SlotState& state = slots_[node.slot.index()];
  if (!id.valid() || !state.standing || state.leaving || state.mending) return;
  const observed::Condition& condition = cluster_.node(node).condition(observed::kReady);
  const TrainingJob& job = jobs_[id.index()].model;
  if (ready - condition.last_transition <= job.config().unreachable_toleration) return;
  if (!job.busy() || is_silent(node.slot)) return;
  stop_job(id, StopKind::kEvicted, {.node = node, .fault_class = {}}, Duration::zero(), state.last);
}

void Simulation::update_hold(NodeSlot slot, TrainingJob::Fit fit) {
  const JobId id = job_on(slot);
  if (!id.valid()) return;
  SlotState& state = touch(slot);
  const bool fails = state.sick > 0 && state.standing && !state.leaving && !state.mending;
  const bool holds = fails || !state.standing || state.leaving || state.mending;
  const bool was_failing = !cluster_.pod(slot).failing_since.is_never();
  const NodeId node = standing_node(slot);
  if (fails != was_failing) {
    const SimTime since = jobs_[id.index()].model.restart_fails_at(now_, fit);
    cluster_.set_failing(slot, fails ? since : SimTime::never());
    if (!fails) calendar_.cancel(expectation(Expect::kOnCallLook, node));
    if (state.leaving) jobs_[id.index()].model.sick_node_leaves(now_);
  }
  if (holds != state.holding) {
    state.holding = holds;
    JobState& job = jobs_[id.index()];
    if (holds) {
      job.model.hold(now_, telling(job, state.last), node);
    } else {
      job.model.release(now_, telling(job, state.last), node, fit);
    }
    follow(id);
  }
  // Last, because the answer may be to act at once.
  if (fails && !was_failing) pod_failing(node);
}

bool Simulation::is_free_spare(NodeSlot slot) const {
  const SlotState& state = slots_[slot.index()];
  if (job_on(slot).valid() || !state.standing || state.leaving || state.mending) return false;
  return cluster_.node(standing_node(slot)).bad_conditions == 0;
}

void Simulation::move_to_spare(NodeSlot from) {
  std::vector<NodeSlot>& idle = idle_[plan_.fleet().pool_of(from).index()];
  const auto spare =
      std::find_if(idle.rbegin(), idle.rend(), [&](NodeSlot slot) { return is_free_spare(slot); });
  if (spare == idle.rend()) return;
  const NodeSlot to = *spare;
  idle.erase(std::next(spare).base());
  idle.push_back(from);
  take_place(from, to);
}

void Simulation::serve_waiting_jobs(NodeSlot spare) {
  const PoolId pool = plan_.fleet().pool_of(spare);
  for (JobState& job : jobs_) {
    if (!job.model.config().may_move || !job.model.held() || job.gang) continue;
    const auto away = std::find_if(job.places.begin(), job.places.end(), [&](NodeSlot slot) {
      const SlotState& state = slots_[slot.index()];
      return plan_.fleet().pool_of(slot) == pool && state.holding && state.leaving;
    });
    if (away == job.places.end()) continue;
    const NodeSlot from = *away;
    std::vector<NodeSlot>& idle = idle_[pool.index()];
    std::erase(idle, spare);
    idle.push_back(from);
    take_place(from, spare);
    return;
  }
}

void Simulation::take_place(NodeSlot from, NodeSlot to) {
  SlotState& left = touch(from);
  SlotState& taken = touch(to);
  PlaceShare& share = shares_[from.index()];
  const JobId id = share.job;
  JobState& job = jobs_[id.index()];
  const HappeningId cause =
      emit(PlaceTaken{.job = id, .from = standing_node(from), .to = standing_node(to)}, left.last);
  job.places[share.rank] = to;
  std::swap(shares_[to.index()], share);
  if (job.lemons) {
    job.lemons->erase(from);
    if (is_lemon(to)) job.lemons->insert(to);
  }
  left.holding = false;
  taken.last = cause;
  // The new place first: if the spare is sick too, the job stays held without a gap.
  update_hold(to, TrainingJob::Fit::kAnew);
  if (!dead_parts_.empty()) update_cut(id);
  job.model.release(now_, telling(job, cause), standing_node(from), TrainingJob::Fit::kAnew);
  update_speed(id);
  follow(id);
}

}  // namespace faultline
