// Karpenter and what meets it on a node, in one short form: `policy: !karpenter {...}` stands for a list of
// controllers (`controllers()`), each with the fields that are its own. The rules are in their MODEL.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "models/base/units.h"
#include "policies/controllers_config.h"

namespace faultline {

struct KarpenterConfig {
  static constexpr std::string_view kTag = "karpenter";
  std::map<std::string, Duration> tolerations;
  std::vector<std::string> unknown_counts{"Ready"};
  Gate gate{Gate::Kind::kShare, 200'000};
  Duration blocked_requeue = 5_min;
  Duration drain = 5_s;
  Duration pod_grace = 1_s;
  Duration stuck_after = 1_min;
  Duration batch_window = 1_s;
  Duration registration_ttl = 15_min;
  std::optional<StatusChecksConfig> status_checks;
  std::optional<OnCallConfig> on_call;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("tolerations", &KarpenterConfig::tolerations,
          {.help =
               "Repair policies: for each node condition type, how long it may be False before the "
               "node is replaced. A condition that is not listed is never repaired.",
           .required = true});
    visit("unknown_counts", &KarpenterConfig::unknown_counts,
          {.help = "Condition types of which the status Unknown is repaired too."});
    visit("gate", &KarpenterConfig::gate,
          {.help =
               "No repair while more than this share of the pool (rounded up), or this many of its "
               "nodes, match a repair policy; `off`: no gate."});
    visit("blocked_requeue", &KarpenterConfig::blocked_requeue,
          {.help = "A repair that the gate holds back is looked at again after this time.",
           .more_than_zero = true});
    visit(
        "drain", &KarpenterConfig::drain,
        {.help =
             "The shortest drain, however fast the pods go; `infinite`: no node is ever drained."});
    visit("pod_grace", &KarpenterConfig::pod_grace,
          {.help = "The grace that a forced drain leaves every pod, whatever the pod asks for."});
    visit("stuck_after", &KarpenterConfig::stuck_after,
          {.help = "A pod that is still there so long after its deletion time (on a node whose "
                   "kubelet is "
                   "silent) is waited for no longer; `infinite`: it holds the node for ever."});
    visit(
        "batch_window", &KarpenterConfig::batch_window,
        {.help =
             "Time from the taint until the replacement is requested; it runs beside the drain."});
    visit(
        "registration_ttl", &KarpenterConfig::registration_ttl,
        {.help = "A machine whose Node has not registered so long after its launch is deleted, and "
                 "another one is requested; `infinite`: it is waited for.",
         .more_than_zero = true});
    visit(
        "status_checks", &KarpenterConfig::status_checks,
        {.help = "Replaces nodes whose instance the cloud provider says is impaired, whatever the "
                 "gate says. Absent: nobody asks."});
    visit(
        "on_call", &KarpenterConfig::on_call,
        {.help =
             "Who replaces a node on which a job keeps failing though no condition says so. Not a "
             "part of Karpenter; absent: nobody."});
  }

  // What it stands for, in the order in which equal wakes are served.
  std::vector<ControllerConfig> controllers() const;
  void describe(const std::string& path, ControlPlaneFacts& facts) const;
};

}  // namespace faultline
