// One point of an experiment: a scenario made ready to run, and what tells it from its siblings.
//
// Thread rule: immutable; share freely.
#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/engine/metrics.h"
#include "sim/engine/plan.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {

class Point {
 public:
  // The named scenario with the overrides applied, in their order; Diagnostics if it does not load.
  static tl::expected<Point, Diagnostics> load(std::string label, const std::string& scenario,
                                               const std::vector<Override>& overrides,
                                               const FileSystem& files);
  // `settings`: in words, what was changed in the scenario of this name.
  Point(std::string label, Scenario scenario, std::string settings = "");

  // What a table calls it: "2m", "baseline", "gate=off".
  const std::string& label() const { return label_; }
  // "policy.gate=off capacity.warm_spares=8": the overrides, for people.
  const std::string& settings() const { return settings_; }
  const Scenario& scenario() const { return *scenario_; }
  const SimulationPlan& plan() const { return *plan_; }
  const std::vector<MetricName>& metrics() const { return metrics_; }
  // The effective scenario as YAML, every field written out: two points with the same text are the same
  // point, whatever files and overrides they came from. Without `expect`, which asks something of the
  // results and changes none.
  const std::string& text() const { return text_; }
  // RFC 4122 version 5 UUID (SHA-1) of `text`: the scenario's key in a result store.
  const std::string& hash() const { return hash_; }

 private:
  std::string label_;
  std::string settings_;
  std::unique_ptr<const Scenario> scenario_;
  std::unique_ptr<const SimulationPlan> plan_;
  std::vector<MetricName> metrics_;
  std::string text_;
  std::string hash_;
};

}  // namespace faultline
