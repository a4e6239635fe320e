// What the numbers in happenings stand for: the names of nodes, jobs, fault classes, conditions and
// reasons.
//
// A simulation has them in its plan; a journal carries them in its first line, so that it can be
// read without the scenario. Two sets of names are equal exactly when the same number means the
// same thing in both: then a journal may be folded with the plan.
//
// Thread rule: immutable; share freely.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/ids.h"
#include "models/fleet/fleet.h"
#include "sim/engine/plan.h"

namespace faultline {

class HappeningNames {
 public:
  struct Class {
    std::string name;
    bool per_gpu = false;  // it strikes one GPU: `FaultStruck::gpu` says which
    bool operator==(const Class&) const = default;
  };
  struct Pool {
    std::string name;
    std::int64_t nodes = 0;  // with warm spares
    bool operator==(const Pool&) const = default;
  };
  struct Lists {
    std::vector<Pool> pools;
    std::vector<std::string> jobs;
    std::vector<Class> classes;
    std::vector<std::string> conditions;
    std::vector<std::string> reasons;
    bool operator==(const Lists&) const = default;
  };

  explicit HappeningNames(const SimulationPlan& plan);
  explicit HappeningNames(Lists lists);

  const Lists& lists() const { return lists_; }
  std::uint32_t slots() const { return fleet_.slots(); }

  // The name of a valid id.
  const std::string& text(JobId id) const { return lists_.jobs[id.index()]; }
  const std::string& text(FaultClassId id) const { return lists_.classes[id.index()].name; }
  const std::string& text(ConditionId id) const { return lists_.conditions[id.index()]; }
  const std::string& text(ReasonId id) const { return lists_.reasons[id.index()]; }
  std::string text(NodeId id) const { return fleet_.name(id); }

  // The id of a name: false, and the id stays as it was, if there is none.
  bool find(std::string_view name, JobId& id) const;
  bool find(std::string_view name, FaultClassId& id) const;
  bool find(std::string_view name, ConditionId& id) const;
  bool find(std::string_view name, ReasonId& id) const;
  bool find(std::string_view name, NodeId& id) const;

  bool operator==(const HappeningNames& other) const { return lists_ == other.lists_; }

 private:
  Lists lists_;
  Fleet fleet_;
};

}  // namespace faultline
