#include "policies/registry.h"

#include "policies/node-lifecycle/node_lifecycle.h"
#include "policies/node-repair/node_repair.h"
#include "policies/on-call/on_call.h"
#include "policies/provisioning/provisioning.h"
#include "policies/registration/registration.h"
#include "policies/status-checks/status_checks.h"
#include "policies/taint-eviction/taint_eviction.h"
#include "policies/termination/termination.h"

namespace faultline {
namespace {

using One = std::unique_ptr<const Controller>;

struct Make {
  const std::vector<std::string>& condition_types;

  One operator()(const NodeLifecycleConfig&) const { return std::make_unique<NodeLifecycle>(); }
  One operator()(const TaintEvictionConfig&) const { return std::make_unique<TaintEviction>(); }
  One operator()(const StatusChecksConfig& config) const {
    return std::make_unique<StatusChecks>(config, condition_types);
  }
  One operator()(const NodeRepairConfig& config) const {
    return std::make_unique<NodeRepair>(config, condition_types);
  }
  One operator()(const OnCallControllerConfig& config) const {
    return std::make_unique<OnCall>(config);
  }
  One operator()(const TerminationConfig& config) const {
    return std::make_unique<Termination>(config);
  }
  One operator()(const ProvisioningConfig& config) const {
    return std::make_unique<Provisioning>(config);
  }
  One operator()(const RegistrationConfig& config) const {
    return std::make_unique<Registration>(config);
  }
};

}  // namespace

std::vector<PolicyEntry> registered_policies() {
  return {
      {KarpenterConfig::kTag,
       "Karpenter's node repair: tolerations per condition, a safety gate, replacement by "
       "deletion"},
      {RestartInPlaceConfig::kTag,
       "no node repair: restarts on the same node until somebody comes and mends it"},
  };
}

std::vector<PolicyEntry> registered_controllers() {
  return {
      {NodeLifecycleConfig::kTag, "taints nodes whose Ready is Unknown or False"},
      {TaintEvictionConfig::kTag, "deletes pods that tolerate such a taint no longer"},
      {StatusChecksConfig::kTag, "replaces instances that EC2 says are impaired, gate or no gate"},
      {NodeRepairConfig::kTag,
       "replaces nodes whose conditions are bad for too long, if its gate lets it"},
      {OnCallControllerConfig::kTag, "a person who is paged when a job keeps failing on a node"},
      {TerminationConfig::kTag, "drains nodes that are being deleted, and ends their instances"},
      {ProvisioningConfig::kTag, "requests a machine for each one that is deleted"},
      {RegistrationConfig::kTag, "gives machines back whose Node does not register"},
  };
}

std::vector<ControllerConfig> controllers_of(const PolicyConfig& policy) {
  return std::visit([](const auto& config) { return config.controllers(); }, policy);
}

ControllerList make_controllers(const std::vector<ControllerConfig>& configs,
                                const std::vector<std::string>& condition_types) {
  std::vector<One> controllers;
  for (const ControllerConfig& config : configs) {
    controllers.push_back(std::visit(Make{condition_types}, config));
  }
  return ControllerList(std::move(controllers));
}

ControlPlaneFacts facts_of(const PolicyConfig& policy,
                           const std::vector<ControllerConfig>& controllers) {
  ControlPlaneFacts facts;
  if (controllers.empty()) {
    std::visit([&](const auto& config) { config.describe("policy", facts); }, policy);
  }
  for (const ControllerConfig& controller : controllers) {
    std::visit(
        [&](const auto& config) {
          config.describe("controllers[" + std::string(config.kTag) + "]", facts);
        },
        controller);
  }
  return facts;
}

}  // namespace faultline
