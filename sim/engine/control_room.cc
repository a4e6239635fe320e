#include "sim/engine/control_room.h"

#include "models/base/check.h"

namespace faultline {

ControlRoom::ControlRoom(const SimulationPlan& plan, Kernel& kernel)
    : kernel_(kernel), policy_(plan.policy()), cluster_(plan.make_cluster()) {}

void ControlRoom::condition(const ConditionReported& reported) {
  const NodeId node = reported.node;
  if (!cluster_.set_condition(node, reported.condition, reported.status, reported.reason,
                              kernel_.now())) {
    return;
  }
  kernel_.newest(node.slot) =
      kernel_.emit(ConditionChanged{.node = node,
                                    .condition = reported.condition,
                                    .status = reported.status,
                                    .reason = reported.reason,
                                    .fault_class = reported.fault_class,
                                    .since_fault = kernel_.now() - reported.struck},
                   reported.cause);
  look(node);
  // Whoever is on call may have left it to the policy, for which nothing is left to do now.
  const bool fails = !cluster_.pod(node.slot).failing_since.is_never();
  if (fails && !observed::is_bad(reported.status)) look_on_call(node);
  kernel_.post(ConditionsChanged{node});
}

void ControlRoom::pod(const PodRestarts& restarts) {
  cluster_.set_failing(restarts.node.slot, restarts.failing_since);
  if (restarts.failing_since.is_never()) {
    kernel_.cancel(kernel_.of_node(Expect::kOnCallLook, restarts.node));
  } else {
    look_on_call(restarts.node);
  }
}

void ControlRoom::node(const NodeObjectChanges& changes) {
  switch (changes.what) {
    case NodeObject::kRegistered: return cluster_.add_node(changes.node, kernel_.now());
    case NodeObject::kInitialised: return cluster_.initialised(changes.node, kernel_.now());
    case NodeObject::kMended: return mended(changes.node);
    case NodeObject::kRemoved: return cluster_.remove_node(changes.node);
  }
}

// The node came up anew, and its agent with it.
void ControlRoom::mended(NodeId node) {
  cluster_.set_under_repair(node, false);
  for (std::size_t c = 0; c < cluster_.condition_names().size(); ++c) {
    const observed::Condition& bad = cluster_.node(node).condition(ConditionId(c));
    if (!observed::is_bad(bad.status)) continue;
    condition({.node = node,
               .condition = ConditionId(c),
               .status = ConditionStatus::kTrue,
               .reason = bad.reason,
               .fault_class = {},
               .struck = kernel_.now(),
               .cause = kernel_.newest(node.slot)});
  }
}

void ControlRoom::look(NodeId node) {
  looking_ = Expect::kLook;
  timer_ = kernel_.of_node(looking_, node);
  kernel_.cancel(timer_);
  policy_.reconcile(input(node), *this);
}

void ControlRoom::look_on_call(NodeId node) {
  looking_ = Expect::kOnCallLook;
  timer_ = kernel_.of_node(looking_, node);
  kernel_.cancel(timer_);
  policy_.pod_failing(input(node), *this);
}

void ControlRoom::replace(NodeId node, const Replacement& how) {
  cluster_.set_under_repair(node, true);
  kernel_.cancel(kernel_.of_node(Expect::kLook, node));
  kernel_.cancel(kernel_.of_node(Expect::kOnCallLook, node));
  kernel_.post(NodeToReplace{
      .node = node, .drain = how.drain, .launch_after = how.launch_after, .on_call = how.on_call});
}

void ControlRoom::repair_in_place(NodeId node, Duration hands_on) {
  cluster_.set_under_repair(node, true);
  kernel_.post(NodeToMend{.node = node, .hands_on = hands_on});
}

void ControlRoom::report_blocked(NodeId node, const GateClosed& gate) {
  kernel_.emit_of(
      node.slot,
      RepairBlocked{
          .node = node, .unhealthy = gate.unhealthy, .allowed = gate.allowed, .total = gate.total});
}

void ControlRoom::look_again(SimTime at) {
  FAULTLINE_CHECK_AT(kernel_.now(), at >= kernel_.now(),
                     "a policy wants to look again in the past");
  kernel_.expect(timer_, at, looking_);
}

}  // namespace faultline
