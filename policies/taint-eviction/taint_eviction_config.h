// Taint-based eviction of Kubernetes as a scenario describes it. The rules are in MODEL.md beside this file.
#pragma once

#include <string>
#include <string_view>

#include "models/base/fields.h"
#include "policies/control_plane_facts.h"

namespace faultline {

struct TaintEvictionConfig {
  static constexpr std::string_view kTag = "taint-eviction";

  template <class Visitor>
  static void fields(Visitor&) {}

  void describe(const std::string&, ControlPlaneFacts&) const {}
};

}  // namespace faultline
