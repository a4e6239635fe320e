#include "policies/restart-in-place/restart_in_place_config.h"

namespace faultline {

std::vector<ControllerConfig> RestartInPlaceConfig::controllers() const {
  return {NodeLifecycleConfig{}, TaintEvictionConfig{},
          OnCallControllerConfig{.pages = on_call, .mends = repair}};
}

void RestartInPlaceConfig::describe(const std::string&, ControlPlaneFacts& facts) const {
  facts.mends_in_place = true;
}

}  // namespace faultline
