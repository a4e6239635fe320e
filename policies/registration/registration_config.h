// Karpenter's registration time-out as a scenario describes it. The rules are in MODEL.md beside this file.
#pragma once

#include <string>
#include <string_view>

#include "models/base/fields.h"
#include "models/base/time.h"
#include "policies/control_plane_facts.h"

namespace faultline {

struct RegistrationConfig {
  static constexpr std::string_view kTag = "registration";
  Duration ttl = 15_min;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("ttl", &RegistrationConfig::ttl,
          {.help = "A machine whose Node has not registered so long after its launch is deleted, "
                   "and another "
                   "one is requested; `infinite`: it is waited for.",
           .more_than_zero = true});
  }

  void describe(const std::string& path, ControlPlaneFacts& facts) const {
    facts.registration = {.path = path + ".ttl", .after = ttl};
  }
};

}  // namespace faultline
