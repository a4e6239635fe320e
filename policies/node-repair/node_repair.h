// Karpenter's node health controller (kubernetes-sigs/karpenter 22664681,
// pkg/controllers/node/health/controller.go), with the repair policies of a cloud provider.
//
// The rule, for a node whose conditions have changed:
//   1. Among its conditions that match a repair policy, take the one with the earliest lastTransitionTime +
//      toleration. None: nothing to do. Not yet due: look again exactly then. Nothing asks whether the node
//      was ever initialised: one whose Ready is False for too long after it has registered is deleted while
//      it boots, and its successor too (case: Azure/karpenter-provider-azure#857).
//   2. Count the nodes of the pool that match any repair policy: every one, however young, however long,
//      booting and terminating ones included. More than the gate allows (ceil(20% of the pool)): blocked,
//      look again in 5 minutes.
//   3. Otherwise delete the node with termination time = now: forced drain, and a replacement that is neither
//      launched before nor waited for. Who drains, terminates and launches are controllers of their own.
//
// Worked example: pool of 12, gate 20%: ceil(2.4) = 3 nodes may be unhealthy. With 3 unhealthy nodes, each is
// replaced when its toleration ends; with 4, none is until one recovers or is gone.
#pragma once

#include <string>
#include <vector>

#include "policies/controller.h"
#include "policies/node-repair/node_repair_config.h"

namespace faultline {

class NodeRepair final : public Controller {
 public:
  // `condition_types` are those of the pictures that it will see.
  NodeRepair(const NodeRepairConfig& config, const std::vector<std::string>& condition_types);

  std::string_view name() const override { return NodeRepairConfig::kTag; }
  std::uint32_t watches() const override { return Watch::kConditions | Watch::kDeletions; }
  bool cares_for(ConditionId type) const override;
  void reconcile(const Request& request, Verbs& verbs) const override;
  std::vector<observed::ConditionMatch> counts() const override;
  bool gate_is_open(const observed::Pool& pool, std::size_t self) const override {
    return pool.matching[self] <= config_.gate.allowed(pool.nodes);
  }
  // The earliest lastTransitionTime + toleration of a matching condition.
  SimTime acts_at(const observed::Node& node) const override;

 private:
  // A repair policy: what it matches, and how long that is tolerated.
  struct Rule {
    observed::ConditionMatch match;
    Duration toleration;
  };

  NodeRepairConfig config_;
  std::vector<Rule> rules_;
};

}  // namespace faultline
