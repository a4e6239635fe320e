// EC2's status checks as Karpenter's AWS provider acts on them. The rules are in MODEL.md beside this file.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "models/base/fields.h"
#include "models/base/time.h"
#include "policies/control_plane_facts.h"

namespace faultline {

enum class DrainKind : std::uint8_t { kForced, kGraceful };

template <>
struct EnumNames<DrainKind> {
  static constexpr std::array kNames{std::pair{DrainKind::kForced, std::string_view("forced")},
                                     std::pair{DrainKind::kGraceful, std::string_view("graceful")}};
};

// The second path of AWS: Karpenter asks EC2 which instances fail their status checks.
struct StatusChecksConfig {
  static constexpr std::string_view kTag = "status-checks";
  static constexpr std::string_view kCondition = "InstanceStatus";
  std::string condition{kCondition};
  Duration impaired_for = 2_min;
  Duration poll = 1_min;
  Duration first_poll;
  DrainKind drain = DrainKind::kForced;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("condition", &StatusChecksConfig::condition,
          {.help = "The condition type that is False while EC2 says that the instance is impaired. "
                   "Where no detector knows `InstanceStatus`, nothing comes of it."});
    visit("impaired_for", &StatusChecksConfig::impaired_for,
          {.help = "An instance that is impaired for so long is replaced."});
    visit("poll", &StatusChecksConfig::poll,
          {.help = "Time between two looks of the controller at all instances, by its own clock.",
           .more_than_zero = true});
    visit("first_poll", &StatusChecksConfig::first_poll,
          {.help = "When the first of these looks is, from the start of the run."});
    visit("drain", &StatusChecksConfig::drain,
          {.help = "How an impaired node is drained: `forced`, past budgets; `graceful`, as before "
                   "aws/karpenter-provider-aws#9198, so that a budget can hold it for ever."});
  }

  void describe(const std::string& path, ControlPlaneFacts& facts) const {
    facts.conditions.push_back({.path = path + ".condition",
                                .name = condition,
                                .may_be_missing = condition == kCondition});
    facts.past_the_gate.push_back({.path = path, .name = condition});
    facts.replaces_nodes = true;
  }
};

}  // namespace faultline
