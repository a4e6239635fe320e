#include <fmt/format.h>

#include <algorithm>

#include "policies/registry.h"
#include "sim/scenario/idle_rules.h"

namespace faultline::idle {
namespace {

const ChannelConfig* channel_of(const DetectorsConfig& detectors, const std::string& name) {
  const auto found =
      std::find_if(detectors.channels.begin(), detectors.channels.end(),
                   [&](const ChannelConfig& channel) { return channel.name == name; });
  return found == detectors.channels.end() ? nullptr : &*found;
}

template <class... By>
bool has_channel(const DetectorsConfig& detectors) {
  return std::any_of(
      detectors.channels.begin(), detectors.channels.end(),
      [](const ChannelConfig& channel) { return (std::holds_alternative<By>(channel.by) || ...); });
}

bool is_enabled(const DetectorsConfig& detectors, const std::string& channel) {
  const ChannelConfig* const found = channel_of(detectors, channel);
  const auto& disabled = detectors.disabled_monitors;
  return found != nullptr &&
         std::find(disabled.begin(), disabled.end(), found->monitor) == disabled.end();
}

// Whether a node has the condition at all. Ready always is there.
bool is_published(const DetectorsConfig& detectors, const std::string& condition) {
  if (condition == "Ready") return true;
  if (detectors.xids.condition == condition && is_enabled(detectors, detectors.xids.channel)) {
    return true;
  }
  return std::any_of(
      detectors.reasons.begin(), detectors.reasons.end(), [&](const ReasonConfig& reason) {
        return reason.condition == condition && is_enabled(detectors, reason.channel);
      });
}

bool turns_unknown(const DetectorsConfig& detectors, const std::string& condition) {
  return std::any_of(detectors.reasons.begin(), detectors.reasons.end(),
                     [&](const ReasonConfig& reason) {
                       const ChannelConfig* const channel = channel_of(detectors, reason.channel);
                       return reason.condition == condition && channel != nullptr &&
                              std::holds_alternative<LeaseChannel>(channel->by);
                     });
}

std::string not_published(const DetectorsConfig& detectors, const std::string& condition) {
  const bool known =
      detectors.xids.condition == condition ||
      std::any_of(detectors.reasons.begin(), detectors.reasons.end(),
                  [&](const ReasonConfig& reason) { return reason.condition == condition; });
  return known ? fmt::format("has no effect: every monitor that publishes `{}` is disabled",
                             condition)
               : fmt::format("has no effect: no detector publishes `{}`", condition);
}

}  // namespace

void channels_without_reasons(const Scenario& scenario, FieldProblems& idle) {
  const DetectorsConfig& detectors = scenario.detectors;
  for (const ChannelConfig& channel : detectors.channels) {
    const bool used =
        detectors.xids.channel == channel.name ||
        std::any_of(detectors.reasons.begin(), detectors.reasons.end(),
                    [&](const ReasonConfig& reason) { return reason.channel == channel.name; });
    if (used) continue;
    idle.add_key(fmt::format("detectors.channels[{}]", channel.name),
                 "has no effect: no reason comes through it");
  }
}

void recheck_of_what_latches(const Scenario& scenario, FieldProblems& idle) {
  const DetectorsConfig& detectors = scenario.detectors;
  if (detectors.recheck == DetectorsConfig{}.recheck) return;
  if (detectors.latching) {
    idle.add_key("detectors.recheck",
                 "has no effect: with `latching: true` no condition returns to True");
  } else if (!has_channel<PushChannel, LogChannel>(detectors)) {
    idle.add_key("detectors.recheck",
                 "has no effect: only what is pushed or logged is checked again, and no channel is "
                 "`!push` or `!log`");
  }
}

void report_that_nothing_waits_for(const Scenario& scenario, FieldProblems& idle) {
  const DetectorsConfig& detectors = scenario.detectors;
  if (detectors.report == DetectorsConfig{}.report) return;
  if (has_channel<PushChannel, PollChannel, LogChannel>(detectors)) return;
  idle.add_key("detectors.report",
               "has no effect: no channel is the agent's own (`!push`, `!poll` or `!log`)");
}

void occurrences_that_nothing_counts(const Scenario& scenario, FieldProblems& idle) {
  for (const ReasonConfig& reason : scenario.detectors.reasons) {
    const ChannelConfig* const channel = channel_of(scenario.detectors, reason.channel);
    if (reason.occurrences == 1 || channel == nullptr) continue;
    if (std::holds_alternative<PollChannel>(channel->by) ||
        std::holds_alternative<LogChannel>(channel->by) ||
        std::holds_alternative<StatusCheckChannel>(channel->by)) {
      continue;
    }
    idle.add_key(fmt::format("detectors.reasons[{}].occurrences", reason.name),
                 fmt::format("has no effect: `{}` is no `!poll`, `!log` or `!status_check`, which "
                             "count sightings",
                             channel->name));
  }
}

void tolerations_of_absent_conditions(const Scenario& scenario, FieldProblems& idle) {
  for (const auto& window : facts_of(scenario.policy, scenario.controllers).windows) {
    if (is_published(scenario.detectors, window.condition)) continue;
    idle.add_key(window.path, not_published(scenario.detectors, window.condition));
  }
}

void conditions_that_never_turn_unknown(const Scenario& scenario, FieldProblems& idle) {
  const ControlPlaneFacts facts = facts_of(scenario.policy, scenario.controllers);
  for (const ControlPlaneFacts::NamedCondition& unknown : facts.unknown_counts) {
    const bool tolerated =
        std::any_of(facts.windows.begin(), facts.windows.end(),
                    [&](const auto& window) { return window.condition == unknown.name; });
    if (!turns_unknown(scenario.detectors, unknown.name)) {
      idle.add(unknown.path,
               fmt::format("has no effect: `{}` never turns Unknown, which only a reason of a "
                           "`!lease` channel makes of a condition",
                           unknown.name));
    } else if (!tolerated) {
      idle.add(unknown.path,
               fmt::format("has no effect: `{}` has no toleration, so it is never repaired",
                           unknown.name));
    }
  }
}

void status_checks_that_nobody_makes(const Scenario& scenario, FieldProblems& idle) {
  for (const auto& checks : facts_of(scenario.policy, scenario.controllers).past_the_gate) {
    if (is_published(scenario.detectors, checks.name)) continue;
    idle.add_key(checks.path, not_published(scenario.detectors, checks.name));
  }
}

void requeue_without_gate(const Scenario& scenario, FieldProblems& idle) {
  for (const auto& gate : facts_of(scenario.policy, scenario.controllers).gates) {
    if (gate.gate.kind != Gate::Kind::kOff || gate.requeue.empty()) continue;
    idle.add_key(gate.requeue,
                 fmt::format("has no effect: `{}` is off and holds no repair back", gate.path));
  }
}

void silence_without_lease(const Scenario& scenario, FieldProblems& idle) {
  if (turns_unknown(scenario.detectors, "Ready")) return;
  for (const WorkloadConfig& workload : scenario.workloads) {
    const auto& job = std::get<TrainingConfig>(workload);
    if (job.unreachable_toleration == TrainingConfig{}.unreachable_toleration) continue;
    idle.add_key(fmt::format("workloads[{}].unreachable_toleration", job.name),
                 "has no effect: no reason of a `!lease` channel makes `Ready` Unknown, so no "
                 "kubelet is known to be silent");
  }
}

}  // namespace faultline::idle
