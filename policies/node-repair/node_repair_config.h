// Karpenter's node repair as a scenario describes it. The rules are in MODEL.md beside this file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/fields.h"
#include "models/base/units.h"
#include "policies/control_plane_facts.h"

namespace faultline {

struct NodeRepairConfig {
  static constexpr std::string_view kTag = "node-repair";
  std::map<std::string, Duration> tolerations;
  std::vector<std::string> unknown_counts{"Ready"};
  Gate gate{Gate::Kind::kShare, 200'000};
  Duration blocked_requeue = 5_min;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("tolerations", &NodeRepairConfig::tolerations,
          {.help =
               "Repair policies: for each node condition type, how long it may be False before the "
               "node is replaced. A condition that is not listed is never repaired.",
           .required = true});
    visit("unknown_counts", &NodeRepairConfig::unknown_counts,
          {.help = "Condition types of which the status Unknown is repaired too."});
    visit("gate", &NodeRepairConfig::gate,
          {.help =
               "No repair while more than this share of the pool (rounded up), or this many of its "
               "nodes, match a repair policy; `off`: no gate."});
    visit("blocked_requeue", &NodeRepairConfig::blocked_requeue,
          {.help = "A repair that the gate holds back is looked at again after this time.",
           .more_than_zero = true});
  }

  void describe(const std::string& path, ControlPlaneFacts& facts) const {
    const bool requeues = blocked_requeue != NodeRepairConfig{}.blocked_requeue;
    const bool names_unknown = unknown_counts != NodeRepairConfig{}.unknown_counts;
    facts.gates.push_back({.path = path + ".gate",
                           .gate = gate,
                           .requeue = requeues ? path + ".blocked_requeue" : std::string()});
    for (const auto& [condition, toleration] : tolerations) {
      const std::string field = with_key(path + ".tolerations", condition);
      facts.windows.push_back({.path = field, .condition = condition, .toleration = toleration});
      facts.conditions.push_back({.path = field, .name = condition, .is_key = true});
    }
    for (std::size_t c = 0; c < unknown_counts.size(); ++c) {
      const ControlPlaneFacts::NamedCondition named{
          .path = path + ".unknown_counts[" + std::to_string(c) + "]", .name = unknown_counts[c]};
      facts.conditions.push_back(named);
      if (names_unknown) facts.unknown_counts.push_back(named);
    }
    facts.replaces_nodes = true;
  }
};

}  // namespace faultline
