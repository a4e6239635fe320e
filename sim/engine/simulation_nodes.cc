// A condition changes, a policy decides, a node is repaired or replaced.

#include <algorithm>
#include <limits>

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
  // Whoever is on call may have left it to the policy, for which nothing is left to do now.
  const bool fails = !cluster_.pod(node.slot).failing_since.is_never();
  if (fails && !observed::is_bad(status)) pod_failing(node);
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
    const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
    const bool real = fault.present && !fault.misplaced && !config.false_alarm;
    if (real && (fault.clears.is_never() || config.effect != FaultEffect::kNone)) return false;
  }
  return true;
}

void Simulation::replace(NodeId node, const Replacement& how) {
  SlotState& state = touch(node.slot);
  FAULTLINE_CHECK_AT(now_, state.standing && !state.leaving && standing_node(node.slot) == node,
                     "{} is replaced, but it does not stand", plan_.fleet().name(node));
  state.last = emit(RepairDecided{.node = node,
                                  .action = RepairAction::kReplace,
                                  .needless = needless(node.slot),
                                  .on_call = how.on_call},
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
  state.last = emit(RepairDecided{.node = node,
                                  .action = RepairAction::kRepairInPlace,
                                  .needless = needless(node.slot),
                                  .on_call = true},
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
  const LaunchPlan launch =
      state.timeouts == 0 ? capacity_.request(node, now_)
                          : capacity_.request_again(node, state.timeouts,
                                                    state.machines[node.generation % 2], now_);
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
  if (!launch.times_out.is_never()) {
    expect(expectation(Expect::kRegistered, node), launch.times_out, Expect::kTimesOut);
    return;
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

void Simulation::registration_times_out(NodeId node) {
  SlotState& state = touch(node.slot);
  state.last = emit(RegistrationTimedOut{node}, state.last);
  if (state.timeouts < std::numeric_limits<std::uint16_t>::max()) ++state.timeouts;
  expect(expectation(Expect::kRequested, node),
         now_ + plan_.policy().provisioning().asks_again_after, Expect::kRequested);
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
  state.sick = state.timeouts = 0;
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

}  // namespace faultline
