// Karpenter's provisioner as a scenario describes it. The rules are in MODEL.md beside this file.
#pragma once

#include <string>
#include <string_view>

#include "models/base/fields.h"
#include "models/base/time.h"
#include "policies/control_plane_facts.h"

namespace faultline {

struct ProvisioningConfig {
  static constexpr std::string_view kTag = "provisioning";
  Duration batch_window = 1_s;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit(
        "batch_window", &ProvisioningConfig::batch_window,
        {.help =
             "Time from the deletion of a machine until the one for its pods is requested; it runs "
             "beside the drain."});
  }

  void describe(const std::string&, ControlPlaneFacts&) const {}
};

}  // namespace faultline
