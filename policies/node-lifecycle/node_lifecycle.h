// The taints of the node lifecycle controller (kube-controller-manager, pkg/controller/nodelifecycle): a node
// whose Ready is Unknown is tainted node.kubernetes.io/unreachable:NoExecute, one whose Ready is False
// node.kubernetes.io/not-ready:NoExecute; the taints go when Ready is True again.
//
// That Ready becomes Unknown when a lease is not renewed belongs to the same controller in Kubernetes; here it
// is a detection channel (`!lease`, models/detectors), because its delay is computed from the lease's phase.
#pragma once

#include "policies/controller.h"
#include "policies/node-lifecycle/node_lifecycle_config.h"

namespace faultline {

class NodeLifecycle final : public Controller {
 public:
  std::string_view name() const override { return NodeLifecycleConfig::kTag; }
  std::uint32_t watches() const override { return watching(Watch::kConditions); }
  bool cares_for(ConditionId type) const override { return type == observed::kReady; }
  void reconcile(const Request& request, Verbs& verbs) const override;
};

}  // namespace faultline
