// A scenario with nothing in it that takes time, for closed forms: a test adds the few things that
// its formula speaks of, and no others.
//
// One pool, one job on all of its nodes; a checkpoint after every millisecond of work, at no cost,
// so that next to nothing is ever lost; restarts, drains and launches take no time; the agent sees
// and reports at once; Karpenter repairs without a gate as soon as a condition is False. The one
// reason is kPlainReason. Nothing breaks.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "sim/scenario/scenario.h"

namespace faultline {

inline constexpr const char* kPlainReason = "Broken";
inline constexpr const char* kPlainCondition = "AcceleratedHardwareReady";

inline Scenario plain_scenario(std::int64_t nodes, Duration horizon) {
  Scenario scenario{.name = "plain", .horizon = horizon};
  scenario.fleet.pools = {{.name = "pool", .nodes = nodes}};
  scenario.faults.name = "plain";

  DetectorsConfig& detectors = scenario.detectors;
  detectors = {.name = "plain", .report = 0_s, .latching = false, .recheck = 0_s};
  detectors.channels = {{.name = "push", .monitor = "agent", .by = PushChannel{}}};
  detectors.xids = {.condition = kPlainCondition, .channel = "push"};
  detectors.reasons = {{.name = kPlainReason,
                        .condition = kPlainCondition,
                        .severity = Severity::kFatal,
                        .channel = "push"}};

  KarpenterConfig policy{.tolerations = {{kPlainCondition, 0_s}},
                         .gate = {},
                         .drain = 0_s,
                         .pod_grace = 0_s,
                         .batch_window = 0_s};
  scenario.policy = std::move(policy);

  TrainingConfig job{.name = "job", .nodes = nodes, .step = 1_ms, .nccl_dump = 0_s};
  job.checkpoint = {.every = 1_ms, .blocks = 0_s, .load = 0_s};
  job.restart = {.tear_down = 0_s,
                 .scheduling = 0_s,
                 .image = 0_s,
                 .nccl_init = 0_s,
                 .nccl_init_per_1000_ranks = 0_s,
                 .backoff = 0_s,
                 .backoff_max = 0_s};
  scenario.workloads = {std::move(job)};
  return scenario;
}

inline TrainingConfig& job_of(Scenario& scenario) {
  return std::get<TrainingConfig>(scenario.workloads.front());
}

inline KarpenterConfig& karpenter_of(Scenario& scenario) {
  return std::get<KarpenterConfig>(scenario.policy);
}

inline FaultClassConfig& class_of(Scenario& scenario, const std::string& name) {
  for (FaultClassConfig& fault_class : scenario.faults.classes) {
    if (fault_class.name == name) return fault_class;
  }
  return scenario.faults.classes.emplace_back(FaultClassConfig{.name = name});
}

}  // namespace faultline
