// The policies that exist. To add one: a folder with its config (a `kTag`, a field list), its code
// and its MODEL.md; the config as an alternative of `PolicyConfig`; a line in registry.cc.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policies/policy.h"
#include "policies/policy_config.h"

namespace faultline {

struct PolicyEntry {
  std::string_view tag;   // the YAML tag, without the `!`
  std::string_view help;  // one line
};

// In the order of `PolicyConfig`.
std::vector<PolicyEntry> registered_policies();

// The policy of a scenario, for a cluster with these condition types.
std::unique_ptr<const RepairPolicy> make_policy(const PolicyConfig& config,
                                                const std::vector<std::string>& condition_names);

}  // namespace faultline
