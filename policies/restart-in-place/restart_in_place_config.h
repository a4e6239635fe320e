// Restart in place as a scenario describes it: what a cluster without node repair does.
#pragma once

#include <string_view>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "policies/on-call/on_call_config.h"

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
};

}  // namespace faultline
