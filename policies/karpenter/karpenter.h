// Karpenter's node health controller (kubernetes-sigs/karpenter 22664681,
// pkg/controllers/node/health/controller.go), with the repair policies of a cloud provider.
//
// The rule, for a node whose conditions have changed:
//   1. Among its conditions that match a repair policy, take the one with the earliest
//      lastTransitionTime + toleration. None: nothing to do. Not yet due: look again exactly then.
//   2. Count the nodes of the pool that match any repair policy: every one, however young, however long,
//      booting and terminating ones included. More than the gate allows (ceil(20% of the pool)): blocked,
//      look again in 5 minutes.
//   3. Otherwise delete the node with termination time = now: forced drain, and a replacement that is
//      neither launched before nor waited for.
//
// Worked example: pool of 12, gate 20%: ceil(2.4) = 3 nodes may be unhealthy. With 3 unhealthy
// nodes, each is replaced when its toleration ends; with 4, none is until one recovers or is gone.
//
// With `status_checks`, the instance-status controller of the AWS provider (KAWS 1d927085,
// pkg/controllers/interruption/instancestatus_controller.go) beside it: an instance that is impaired for 2
// min at one of the controller's looks, each minute, is deleted like that, gate or no gate. Impaired since
// 12:00:50: not yet at 12:02:00, deleted at 12:03:00. Since 12:01:00: exactly 2 min at 12:03:00, deleted
// then. Impaired nodes do not count in the gate, unless a repair policy matches them too.
//
// Not in Karpenter: with `on_call`, a person replaces a node on which a job keeps failing while no
// toleration of it runs and its instance is not impaired; otherwise the person leaves it to Karpenter,
// unless the condition clears and the job fails still.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "policies/karpenter/karpenter_config.h"
#include "policies/policy.h"

namespace faultline {

class KarpenterPolicy final : public RepairPolicy {
 public:
  // `condition_names` are those of the cluster that it will see.
  KarpenterPolicy(const KarpenterConfig& config, const std::vector<std::string>& condition_names);

  Provisioning provisioning() const override {
    return {.registration_timeout = config_.registration_ttl,
            .asks_again_after = config_.batch_window};
  }
  void reconcile(const PolicyInput& input, RepairActions& actions) const override;
  void pod_failing(const PolicyInput& input, RepairActions& actions) const override;

 private:
  // A repair policy: the condition type, whether Unknown matches too, and how long it is tolerated.
  struct Rule {
    ConditionId condition;
    bool unknown_counts = false;
    Duration toleration;

    bool matches(ConditionStatus status) const {
      return status == ConditionStatus::kFalse ||
             (unknown_counts && status == ConditionStatus::kUnknown);
    }
  };

  bool matches_any(const observed::Node& node) const;
  // The earliest lastTransitionTime + toleration of a matching condition; never if none matches.
  SimTime due(const observed::Node& node) const;
  // The look at which its instance has been impaired for long enough; never if it is not impaired.
  SimTime impaired_due(const observed::Node& node) const;
  void replace(const PolicyInput& input, RepairActions& actions, bool on_call) const;

  KarpenterConfig config_;
  std::vector<Rule> rules_;
  std::optional<ConditionId> instance_;  // the condition of the status checks
};

}  // namespace faultline
