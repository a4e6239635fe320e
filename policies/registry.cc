#include "policies/registry.h"

#include "policies/karpenter/karpenter.h"
#include "policies/restart-in-place/restart_in_place.h"

namespace faultline {
namespace {

struct Make {
  const std::vector<std::string>& condition_names;

  std::unique_ptr<const RepairPolicy> operator()(const KarpenterConfig& config) const {
    return std::make_unique<KarpenterPolicy>(config, condition_names);
  }
  std::unique_ptr<const RepairPolicy> operator()(const RestartInPlaceConfig& config) const {
    return std::make_unique<RestartInPlacePolicy>(config);
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

std::unique_ptr<const RepairPolicy> make_policy(const PolicyConfig& config,
                                                const std::vector<std::string>& condition_names) {
  return std::visit(Make{condition_names}, config);
}

}  // namespace faultline
