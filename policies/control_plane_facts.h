// What a control plane says about itself to those who report, check and advise: which gates it has, which
// windows can be tuned and under which path, what a drain means, whether it replaces nodes.
//
// Every policy and every controller's config adds what is its own (`describe`); nobody outside a policy's
// folder asks which policy it is. A new one with a gate gets its section, its hints and its checks by this.
//
// `path` is where the fields stand in the scenario: `policy`, or `controllers[node-repair]`.
//
// Thread rule: values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/base/time.h"
#include "models/base/units.h"

namespace faultline {

struct ControlPlaneFacts {
  // How long a condition type is tolerated.
  struct Window {
    std::string path;  // of the field
    std::string condition;
    Duration toleration;
  };
  struct GateOf {
    std::string path;
    Gate gate;
    std::string
        requeue;  // the field that says how often a shut one is looked at; empty: its default
  };
  struct Timeout {
    std::string path;
    Duration after;
  };
  // A condition type that a field names; one that no detector knows is a mistake, unless the field is a
  // default that may meet detectors of another cloud.
  struct NamedCondition {
    std::string path;
    std::string name;
    bool is_key = false;  // of a map
    bool may_be_missing = false;
  };

  std::vector<Window> windows;
  std::vector<GateOf> gates;
  std::vector<NamedCondition> past_the_gate;  // for which nodes are replaced without asking it
  std::vector<NamedCondition>
      unknown_counts;  // that count when they are Unknown, if it says so itself
  std::vector<NamedCondition> conditions;
  std::optional<Timeout> registration;
  Duration shortest_drain;
  bool replaces_nodes = false;
  bool mends_in_place = false;
};

}  // namespace faultline
