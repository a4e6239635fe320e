// The person who is paged when a job does not come back. The rules are in MODEL.md beside this file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "policies/control_plane_facts.h"

namespace faultline {

// As a policy's own field says it.
struct OnCallConfig {
  Distribution answers;
  Duration overrides_after = Duration::infinite();

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("answers", &OnCallConfig::answers,
          {.help =
               "Time from the first failed restart on a node until somebody has found the node and "
               "acts.",
           .required = true});
    visit("overrides_after", &OnCallConfig::overrides_after,
          {.help =
               "So long after the first failed restart the person acts, whatever a toleration or a "
               "closed gate says; `infinite`: what a controller is going to do is left to it for "
               "ever."});
  }
};

// As a controller of the list.
struct OnCallControllerConfig {
  static constexpr std::string_view kTag = "on-call";
  OnCallConfig pages;
  std::optional<Distribution> mends;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("pages", &OnCallControllerConfig::pages,
          {.help = "How the person answers.", .required = true});
    visit(
        "mends", &OnCallControllerConfig::mends,
        {.help =
             "Hands-on time until the node works again (reset, reboot, swapped card). Absent: the "
             "person deletes the node, and a new machine takes its place."});
  }

  void describe(const std::string&, ControlPlaneFacts& facts) const {
    facts.mends_in_place = mends.has_value();
    facts.replaces_nodes = facts.replaces_nodes || !mends;
  }
};

}  // namespace faultline
