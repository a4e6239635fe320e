// Karpenter's termination of a node as a scenario describes it. The rules are in MODEL.md beside this file.
#pragma once

#include <string>
#include <string_view>

#include "models/base/fields.h"
#include "models/base/time.h"
#include "policies/control_plane_facts.h"

namespace faultline {

struct TerminationConfig {
  static constexpr std::string_view kTag = "termination";
  Duration min_drain = 5_s;
  Duration pod_grace = 1_s;
  Duration stuck_after = 1_min;
  Duration requeue = 1_s;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit(
        "min_drain", &TerminationConfig::min_drain,
        {.help =
             "The shortest drain, however fast the pods go; `infinite`: no node is ever drained."});
    visit("pod_grace", &TerminationConfig::pod_grace,
          {.help = "The grace that a forced drain leaves every pod, whatever the pod asks for."});
    visit("stuck_after", &TerminationConfig::stuck_after,
          {.help = "A pod that is still there so long after its deletion time (on a node whose "
                   "kubelet is "
                   "silent) is waited for no longer; `infinite`: it holds the node for ever."});
    visit("requeue", &TerminationConfig::requeue,
          {.help = "Time between two looks at a node that is being drained.",
           .more_than_zero = true});
  }

  void describe(const std::string&, ControlPlaneFacts& facts) const {
    facts.shortest_drain = min_drain;
  }
};

}  // namespace faultline
