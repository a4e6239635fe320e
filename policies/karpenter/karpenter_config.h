// Karpenter's node repair as a scenario describes it. The rules are in MODEL.md beside this file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "models/base/units.h"
#include "policies/on-call/on_call_config.h"
#include "policies/status-checks/status_checks_config.h"

namespace faultline {

struct KarpenterConfig {
  static constexpr std::string_view kTag = "karpenter";
  std::map<std::string, Duration> tolerations;
  std::vector<std::string> unknown_counts{"Ready"};
  Gate gate{Gate::Kind::kShare, 200'000};
  Duration blocked_requeue = 5_min;
  Duration drain = 5_s;
  Duration drain_silent = 62_s;
  Duration silent_evicted_after = 6_min + 30_s;
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
             "Forced drain of a node whose kubelet answers: pods are deleted with 1 s of grace."});
    visit("drain_silent", &KarpenterConfig::drain_silent,
          {.help = "Forced drain of a node whose kubelet is silent: pods stay until they count as "
                   "stuck."});
    visit("silent_evicted_after", &KarpenterConfig::silent_evicted_after,
          {.help = "A node that has been silent for so long lost its pods to taint-based eviction "
                   "before (5 min, 30 s of grace, and 1 min until they count as stuck): its drain "
                   "takes `drain`."});
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
};

}  // namespace faultline
