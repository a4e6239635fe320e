// Every controller that a scenario's list can name; the YAML tag chooses (`- !node-repair {...}`).
#pragma once

#include <variant>

#include "policies/node-lifecycle/node_lifecycle_config.h"
#include "policies/node-repair/node_repair_config.h"
#include "policies/on-call/on_call_config.h"
#include "policies/provisioning/provisioning_config.h"
#include "policies/registration/registration_config.h"
#include "policies/status-checks/status_checks_config.h"
#include "policies/taint-eviction/taint_eviction_config.h"
#include "policies/termination/termination_config.h"

namespace faultline {

using ControllerConfig =
    std::variant<NodeLifecycleConfig, TaintEvictionConfig, StatusChecksConfig, NodeRepairConfig,
                 OnCallControllerConfig, TerminationConfig, ProvisioningConfig, RegistrationConfig>;

}  // namespace faultline
