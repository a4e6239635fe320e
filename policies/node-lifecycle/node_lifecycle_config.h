// The node lifecycle controller of Kubernetes as a scenario describes it. The rules are in MODEL.md beside
// this file.
#pragma once

#include <string>
#include <string_view>

#include "models/base/fields.h"
#include "policies/control_plane_facts.h"

namespace faultline {

struct NodeLifecycleConfig {
  static constexpr std::string_view kTag = "node-lifecycle";

  template <class Visitor>
  static void fields(Visitor&) {}

  void describe(const std::string&, ControlPlaneFacts&) const {}
};

}  // namespace faultline
