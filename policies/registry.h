// The policies and controllers that exist, and the control plane that a scenario's fields come to.
//
// To add a controller: a folder with its config (a `kTag`, a field list, `describe`), its code and its MODEL.md; the
// config as an alternative of `ControllerConfig`; its line in registry.cc. To add a short form of several: a
// config with `controllers()` as an alternative of `PolicyConfig`, and its line.
//
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policies/control_plane_facts.h"
#include "policies/controller.h"
#include "policies/controllers_config.h"
#include "policies/policy_config.h"

namespace faultline {

struct PolicyEntry {
  std::string_view tag;   // the YAML tag, without the `!`
  std::string_view help;  // one line
};

// In the order of `PolicyConfig` and of `ControllerConfig`.
std::vector<PolicyEntry> registered_policies();
std::vector<PolicyEntry> registered_controllers();

std::vector<ControllerConfig> controllers_of(const PolicyConfig& policy);
// For pictures with these condition types.
ControllerList make_controllers(const std::vector<ControllerConfig>& configs,
                                const std::vector<std::string>& condition_types);

// What a policy, or a list, says about itself; `controllers` counts where it is not empty.
ControlPlaneFacts facts_of(const PolicyConfig& policy,
                           const std::vector<ControllerConfig>& controllers);

}  // namespace faultline
