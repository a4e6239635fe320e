#include "policies/karpenter/karpenter_config.h"

namespace faultline {

std::vector<ControllerConfig> KarpenterConfig::controllers() const {
  std::vector<ControllerConfig> list{NodeLifecycleConfig{}, TaintEvictionConfig{}};
  if (status_checks) list.emplace_back(*status_checks);
  list.emplace_back(NodeRepairConfig{.tolerations = tolerations,
                                     .unknown_counts = unknown_counts,
                                     .gate = gate,
                                     .blocked_requeue = blocked_requeue});
  if (on_call) list.emplace_back(OnCallControllerConfig{.pages = *on_call, .mends = {}});
  list.emplace_back(
      TerminationConfig{.min_drain = drain, .pod_grace = pod_grace, .stuck_after = stuck_after});
  list.emplace_back(ProvisioningConfig{.batch_window = batch_window});
  list.emplace_back(RegistrationConfig{.ttl = registration_ttl});
  return list;
}

void KarpenterConfig::describe(const std::string& path, ControlPlaneFacts& facts) const {
  NodeRepairConfig{.tolerations = tolerations,
                   .unknown_counts = unknown_counts,
                   .gate = gate,
                   .blocked_requeue = blocked_requeue}
      .describe(path, facts);
  if (status_checks) status_checks->describe(path + ".status_checks", facts);
  facts.shortest_drain = drain;
  facts.registration = {.path = path + ".registration_ttl", .after = registration_ttl};
}

}  // namespace faultline
