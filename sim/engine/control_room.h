// The control room: the picture of the cluster that a controller has, and the controllers.
//
// It is the only place that changes `observed::Cluster` and the only one that asks the `RepairPolicy`.
//
//   facts in     a condition is reported, restarts of a pod begin or cease to fail, a Node object registers,
//                is initialised, is mended, or is removed; a controller's own timer
//   orders out   NodeToReplace, NodeToMend: by the agenda; and a look later on: by the calendar
//
// Level-triggered, like a Kubernetes controller: at every change of a node's conditions the policy is asked
// anew, and what it had wanted to look at later is forgotten. The person on call is asked in the same way,
// with a timer of her own, when restarts on a node begin to fail.
//
// Once an order is given the node is `under_repair` in the picture, so nobody orders twice.
//
// Invariants: a status that has not changed is no change: no happening, nobody is asked.
//
// Ownership: owns the picture; work reads a node's health (`NodeHealth`). No fault is known here: what a
// report says of the fault behind it is passed on to the statistics.
//
// Re-entrance: none; orders are posted, never carried out here.
//
// Thread rule: one per simulation; the policy is shared.
#pragma once

#include "models/observed/cluster.h"
#include "policies/policy.h"
#include "sim/engine/kernel.h"
#include "sim/engine/node_health.h"
#include "sim/engine/plan.h"

namespace faultline {

class ControlRoom final : public NodeHealth, private RepairActions {
 public:
  ControlRoom(const SimulationPlan& plan, Kernel& kernel);
  void begin() { cluster_.reset(); }

  // --- facts ---
  void condition(const ConditionReported& reported);
  void pod(const PodRestarts& restarts);
  void node(const NodeObjectChanges& changes);
  // The time has come at which the policy, or the person on call, wanted to look again.
  void look(NodeId node);
  void look_on_call(NodeId node);

  // --- what others may see ---
  bool healthy(NodeId node) const override { return cluster_.node(node).bad_conditions == 0; }
  SimTime ready_changed(NodeId node) const override {
    return cluster_.node(node).condition(observed::kReady).last_transition;
  }

 private:
  void mended(NodeId node);
  PolicyInput input(NodeId node) const {
    return {.cluster = cluster_, .node = node, .now = kernel_.now(), .random = kernel_.random()};
  }
  void replace(NodeId node, const Replacement& how) override;
  void repair_in_place(NodeId node, Duration hands_on) override;
  void report_blocked(NodeId node, const GateClosed& gate) override;
  void look_again(SimTime at) override;

  Kernel& kernel_;
  const RepairPolicy& policy_;
  observed::Cluster cluster_;
  Expect looking_ = Expect::kLook;  // whose timer `look_again` sets
  Calendar::Slot timer_ = 0;
};

}  // namespace faultline
