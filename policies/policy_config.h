// Every policy that a scenario can name; the YAML tag chooses (`!karpenter {...}`). A policy is a short form: it
// stands for a list of controllers.
#pragma once

#include <variant>

#include "policies/karpenter/karpenter_config.h"
#include "policies/restart-in-place/restart_in_place_config.h"

namespace faultline {

using PolicyConfig = std::variant<KarpenterConfig, RestartInPlaceConfig>;

}  // namespace faultline
