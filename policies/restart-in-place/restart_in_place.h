// Restart in place: no node is ever replaced. The job restarts on the same node, sick or not, until
// the person on call has found the node and worked on it. What a Kubernetes cluster does without
// node repair.
//
// Node conditions are not looked at: only a job that keeps failing pages somebody.
#pragma once

#include "policies/policy.h"
#include "policies/restart-in-place/restart_in_place_config.h"

namespace faultline {

class RestartInPlacePolicy final : public RepairPolicy {
 public:
  explicit RestartInPlacePolicy(const RestartInPlaceConfig& config) : config_(config) {}

  void reconcile(const PolicyInput&, RepairActions&) const override {}
  void pod_failing(const PolicyInput& input, RepairActions& actions) const override;

 private:
  RestartInPlaceConfig config_;
};

}  // namespace faultline
