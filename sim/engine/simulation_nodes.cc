// A condition changes, a policy decides, a node is repaired or replaced, a job's place is held and
// released.

#include <algorithm>

#include "models/base/check.h"
#include "sim/engine/simulation.h"

namespace faultline {

void Simulation::condition_changes(NodeId node, ConditionId condition, ConditionStatus status,
                                   ReasonId reason, FaultClassId fault_class, SimTime struck,
                                   HappeningId cause) {
  if (!cluster_.set_condition(node, condition, status, reason, now_)) return;
  touch(node.slot).last = emit(ConditionChanged{.node = node,
                                                .condition = condition,
                                                .status = status,
                                                .reason = reason,
                                                .fault_class = fault_class,
                                                .since_fault = now_ - struck},
                               cause);
  reconcile(node);
  update_line(node.slot);
  // A spare that is fit again may be what a job waits for.
  if (is_free_spare(node.slot)) serve_waiting_jobs(node.slot);
}

void Simulation::reconcile(NodeId node) {
  looking_kind_ = Expect::kLook;
  looking_ = expectation(Expect::kLook, node);
  calendar_.cancel(looking_);
  plan_.policy().reconcile({.cluster = cluster_, .node = node, .now = now_, .random = *random_},
                           *this);
}

void Simulation::pod_failing(NodeId node) {
  looking_kind_ = Expect::kOnCallLook;
  looking_ = expectation(Expect::kOnCallLook, node);
  calendar_.cancel(looking_);
  plan_.policy().pod_failing({.cluster = cluster_, .node = node, .now = now_, .random = *random_},
                             *this);
}

void Simulation::look_again(SimTime at) {
  FAULTLINE_CHECK_AT(now_, at >= now_, "a policy wants to look again in the past");
  expect(looking_, at, looking_kind_);
}

void Simulation::report_blocked(NodeId node, const GateClosed& gate) {
  SlotState& state = touch(node.slot);
  state.last = emit(
      RepairBlocked{
          .node = node, .unhealthy = gate.unhealthy, .allowed = gate.allowed, .total = gate.total},
      state.last);
}

bool Simulation::needless(NodeSlot slot) const {
  for (std::uint32_t index = faults_.first_on(slot); index != kNoFault;
       index = faults_[index].next_on_node) {
    const ActiveFault& fault = faults_[index];
    const bool real =
        !fault.misplaced && !plan_.classes()[fault.fault_class.index()].config->false_alarm;
    if (fault.present && real && fault.clears.is_never()) return false;
  }
  return true;
}

void Simulation::replace(NodeId node, const Replacement& how) {
  SlotState& state = touch(node.slot);
  FAULTLINE_CHECK_AT(now_, state.standing && !state.leaving && standing_node(node.slot) == node,
                     "{} is replaced, but it does not stand", plan_.fleet().name(node));
  state.last = emit(
      RepairDecided{
          .node = node, .action = RepairAction::kReplace, .needless = needless(node.slot)},
      state.last);
  const HappeningId decided = state.last;
  state.leaving = true;
  cluster_.set_under_repair(node, true);
  calendar_.cancel(expectation(Expect::kLook, node));
  calendar_.cancel(expectation(Expect::kOnCallLook, node));
  if (capacity_.shop() != nullptr && how.drain == Duration::zero()) {
    leaving_now_.emplace_back(node.slot, how.launch_after);
  } else {
    expect(expectation(Expect::kDrained, node), now_ + how.drain, Expect::kDrained);
    expect(expectation(Expect::kRequested, {node.slot, node.generation + 1}),
           now_ + how.launch_after, Expect::kRequested);
  }
  update_line(node.slot);
  const JobId job = job_on(node.slot);
  if (!job.valid()) return;
  if (jobs_[job.index()].model.state() != TrainingJob::State::kDown) {
    stop_job(job, StopKind::kDrain, {.node = node, .fault_class = {}}, Duration::zero(), decided);
  }
  if (GangState* gang = gang_at(node.slot)) {
    gang->line.vacate(node.slot);
    lose_place(node.slot);
    return;
  }
  update_hold(node.slot, TrainingJob::Fit::kAnew);
  if (jobs_[job.index()].model.config().may_move) move_to_spare(node.slot);
}

void Simulation::repair_in_place(NodeId node, Duration hands_on) {
  SlotState& state = touch(node.slot);
  state.last = emit(
      RepairDecided{
          .node = node, .action = RepairAction::kRepairInPlace, .needless = needless(node.slot)},
      state.last);
  state.mending = true;
  cluster_.set_under_repair(node, true);
  expect(expectation(Expect::kRepaired, node), now_ + hands_on, Expect::kRepaired);
  const JobId job = job_on(node.slot);
  if (job.valid() && jobs_[job.index()].model.state() != TrainingJob::State::kDown) {
    stop_job(job, StopKind::kDrain, {.node = node, .fault_class = {}}, Duration::zero(),
             state.last);
  }
  update_hold(node.slot, TrainingJob::Fit::kInPlace);
  update_line(node.slot);
}

void Simulation::node_repaired(NodeSlot slot) {
  SlotState& state = touch(slot);
  const NodeId node = standing_node(slot);
  state.last = emit(NodeRepaired{node}, state.last);
  state.mending = false;
  end_faults_on(slot);
  cluster_.set_under_repair(node, false);
  // The node came up anew, and its agent with it.
  for (std::size_t c = 0; c < plan_.contract().conditions().size(); ++c) {
    const observed::Condition& condition = cluster_.node(node).condition(ConditionId(c));
    if (!observed::is_bad(condition.status)) continue;
    condition_changes(node, ConditionId(c), ConditionStatus::kTrue, condition.reason, {}, now_,
                      state.last);
  }
  update_hold(slot, TrainingJob::Fit::kInPlace);
  update_line(slot);
}

void Simulation::node_drained(NodeSlot slot) {
  SlotState& state = touch(slot);
  const NodeId node = standing_node(slot);
  state.last = emit(NodeDrained{node}, state.last);
  lemon_comes_or_goes(slot, false);
  state.standing = false;
  end_faults_on(slot);
  const Duration terminate = capacity_.terminate(node);
  if (capacity_.shop() != nullptr) {
    to_shop(node);
    if (terminate == Duration::zero()) return node_removed(node);
  }
  expect(expectation(Expect::kRemoved, node), now_ + terminate, Expect::kRemoved);
}

void Simulation::node_removed(NodeId node) {
  calendar_.cancel(expectation(Expect::kRemoved, node));
  cluster_.remove_node(node);
  emit(NodeRemoved{node}, touch(node.slot).last);
  if (capacity_.limited() && capacity_.shop() == nullptr) {
    capacity_.machine_leaves(node, now_);
    expect(layout_.machine_back(), capacity_.next_return(), Expect::kMachineBack);
  }
}

void Simulation::node_requested(NodeId node) {
  SlotState& state = touch(node.slot);
  state.last = emit(NodeRequested{node}, state.last);
  const LaunchPlan launch = capacity_.request(node, now_);
  if (launch.launched > now_) {
    state.last = emit(CapacityMissing{node}, state.last);
    expect(expectation(Expect::kCapacityFound, node), launch.launched, Expect::kCapacityFound);
  }
  follow_launch(node, launch);
}

void Simulation::follow_launch(NodeId node, const LaunchPlan& launch) {
  if (launch.launched.is_never()) return;  // it waits for a machine
  touch(node.slot).machines[node.generation % 2] = launch.machine;
  if (capacity_.shop() != nullptr && launch.joined == now_ && !slots_[node.slot.index()].standing) {
    node_registered(node);
    return node_joined(node);
  }
  expect(expectation(Expect::kRegistered, node), launch.registered, Expect::kRegistered);
  // A machine that is there before the old one is drained waits: the pods' names are still taken.
  const SimTime drained =
      calendar_.at(expectation(Expect::kDrained, {node.slot, node.generation - 1}));
  const SimTime joined = drained.is_never() ? launch.joined : std::max(launch.joined, drained);
  expect(expectation(Expect::kJoined, node), joined, Expect::kJoined);
}

void Simulation::machine_back() {
  const Capacity::Served served = capacity_.machine_returns(now_);
  expect(layout_.machine_back(), capacity_.next_return(), Expect::kMachineBack);
  if (served.node.slot.valid()) serve(served);
}

void Simulation::capacity_found(NodeId node) {
  SlotState& state = touch(node.slot);
  state.last = emit(CapacityFound{node}, state.last);
}

void Simulation::node_registered(NodeId node) {
  // Its place may still be taken by the generation before the last, if that terminates very slowly.
  const observed::Node& before = cluster_.node(node);
  if (before.exists) node_removed({node.slot, before.generation});
  SlotState& state = touch(node.slot);
  cluster_.add_node(node, now_);
  state.last = emit(NodeRegistered{node}, state.last);
}

void Simulation::node_joined(NodeId node) {
  SlotState& state = touch(node.slot);
  cluster_.initialised(node, now_);
  state.generation = node.generation;
  state.standing = true;
  state.leaving = false;
  state.started = now_;
  state.first_report = SimTime::never();
  state.sick = 0;
  state.last = emit(NodeJoined{node}, state.last);
  if (lemons_.exist()) {
    if (in_shop_as_.empty()) state.lemon = lemons_.launched(node);
    lemon_comes_or_goes(node.slot, true);
  }
  update_line(node.slot);
  if (job_on(node.slot).valid()) {
    update_hold(node.slot, TrainingJob::Fit::kAnew);
  } else {
    serve_waiting_jobs(node.slot);
  }
}

void Simulation::stop_job(JobId id, StopKind kind, TrainingJob::Blame blame, Duration surfaces,
                          HappeningId cause) {
  JobState& job = jobs_[id.index()];
  if (job.model.state() == TrainingJob::State::kDone) return;
  const bool hung = job.hanging > 0;
  const SimTime watchdog = hung ? job.watchdog : SimTime::never();
  std::uint32_t counted = kNoFault;
  if (hung && (kind == StopKind::kDrain || kind == StopKind::kWatchdog)) {
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
  Share& share = shares_[from.index()];
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
