// The instance-status controller of Karpenter's AWS provider (KAWS 1d927085,
// pkg/controllers/interruption/instancestatus_controller.go): an instance that is impaired for 2 min at one of
// the controller's looks, each minute, is deleted, gate or no gate. Its drain is forced, as in node repair;
// before aws/karpenter-provider-aws#9198 it was graceful.
//
// Worked example: impaired since 12:00:50: not yet at 12:02:00, deleted at 12:03:00. Since 12:01:00: exactly
// 2 min at 12:03:00, deleted then. Impaired nodes do not count in the gate of node repair, unless a repair
// policy matches them too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "policies/controller.h"
#include "policies/status-checks/status_checks_config.h"

namespace faultline {

class StatusChecks final : public Controller {
 public:
  StatusChecks(const StatusChecksConfig& config, const std::vector<std::string>& condition_types);

  std::string_view name() const override { return StatusChecksConfig::kTag; }
  std::uint32_t watches() const override { return Watch::kConditions | Watch::kDeletions; }
  bool cares_for(ConditionId type) const override { return instance_ == type; }
  void reconcile(const Request& request, Verbs& verbs) const override;
  // The look at which its instance has been impaired for long enough.
  SimTime acts_at(const observed::Node& node) const override;

 private:
  StatusChecksConfig config_;
  std::optional<ConditionId> instance_;  // absent: nobody publishes it
};

}  // namespace faultline
