// Restart in place: no node is ever replaced. The job restarts on the same node, sick or not, until the person
// on call has found the node and worked on it: what a Kubernetes cluster does without node repair. Node conditions
// decide nothing; only a job that keeps failing pages somebody.
//
// A short form, as `!karpenter` is: it stands for a list of controllers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "policies/controllers_config.h"

namespace faultline {

struct RestartInPlaceConfig {
  static constexpr std::string_view kTag = "restart-in-place";
  OnCallConfig on_call;
  Distribution repair;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("on_call", &RestartInPlaceConfig::on_call,
          {.help = "Who looks at a node on which a job keeps failing.", .required = true});
    visit("repair", &RestartInPlaceConfig::repair,
          {.help = "Hands-on time until the node works again (reset, reboot, swapped card).",
           .required = true});
  }

  std::vector<ControllerConfig> controllers() const;
  void describe(const std::string& path, ControlPlaneFacts& facts) const;
};

}  // namespace faultline
