// The picture: what can be seen of a cluster. It grows as objects appear, is addressed by key and, where
// names were given, by name, and changes by the changes of changes.h alone.
//
// A controller reads a picture and nothing else, so the same controller runs over a simulated cluster, over
// a recorded one and over one that a test wrote by hand. The picture has no slots and knows nothing of how a
// machine comes to stand where another one stood.
//
// Invariants
// - `Pool::nodes` counts the Node objects of the pool; `Pool::matching[c]` those of them with a condition
//   that counter `c` matches: booting and terminating ones included. So a gate costs nothing, however many
//   nodes are unhealthy.
// - a node's `pods` are the pods whose `node` it is; a pod that is gone is bound to no node.
// - a condition's `last_transition` changes with its status and with nothing else, and is in whole seconds
//   (condition.h).
// - `Budget::unavailable` counts the pods of its owners that are pending, paged, or being deleted.
//
// Start. `remember` makes what is there the start of every run; `reset` goes back to it and costs what was
// changed since. No allocation once a run has changed as much before.
//
// Errors: a change of what is not there is a bug of whoever tells it (FAULTLINE_CHECK); a reader of
// recordings checks before.
//
// A reference to an object is good until the next change of the picture.
//
// Thread rule: one per run that is under way; not shared.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/observed/changes.h"
#include "models/observed/objects.h"
#include "models/observed/rows.h"

namespace faultline::observed {

// Ready is published for every node, by the kubelet; the other types come from the detectors' contract.
inline constexpr ConditionId kReady{0};

// A node counts if a condition of this type has one of these statuses.
struct ConditionMatch {
  ConditionId type;
  bool if_false = true;
  bool if_unknown = false;

  constexpr bool matches(ConditionStatus status) const {
    return (if_false && status == ConditionStatus::kFalse) ||
           (if_unknown && status == ConditionStatus::kUnknown);
  }
};

using Labels = std::vector<std::pair<std::string, std::string>>;

class Picture {
 public:
  static constexpr std::size_t kMaxCounters = 32;

  // `condition_types[0]` is "Ready"; `published[c]` is false for a type whose monitors are all disabled: its
  // status is Absent on every new node.
  Picture(std::vector<std::string> condition_types, const std::vector<bool>& published);

  // --- what there is besides objects that change
  PoolId add_pool(std::string name, std::int64_t limit = -1);
  OwnerKey add_owner(PodOwner owner);
  BudgetKey add_budget(std::string name, std::int64_t max_unavailable);
  LabelsKey add_labels(Labels labels);
  TaintName add_taint_name(std::string name);
  // Counts, in every pool, the nodes that any of these matches: the number of the counter. Before the
  // first node.
  std::size_t add_counter(std::vector<ConditionMatch> matches);

  void remember();
  void reset();

  // False if nothing has changed by it (a condition that had that status already).
  template <class What>
  bool apply(const What& change, SimTime now);

  // --- to read
  const Node& node(NodeKey key) const { return nodes_[key.index()]; }
  const Machine& machine(MachineKey key) const { return machines_[key.index()]; }
  const Pod& pod(PodKey key) const { return pods_[key.index()]; }
  const PodOwner& owner_of(PodKey key) const { return owners_[owner_of_pod_[key.index()].index()]; }
  const Pool& pool(PoolId id) const { return pools_[id.index()]; }
  const Budget& budget(BudgetKey key) const { return budgets_[key.index()]; }
  const Device& device(DeviceKey key) const { return devices_[key.index()]; }
  const Claim& claim(ClaimKey key) const { return claims_[key.index()]; }

  std::size_t nodes() const { return nodes_.size(); }
  std::size_t machines() const { return machines_.size(); }
  std::size_t pods() const { return pods_.size(); }
  std::size_t pools() const { return pools_.size(); }
  std::size_t devices() const { return devices_.size(); }

  // Empty: no such label, no name.
  std::string_view label(NodeKey node, std::string_view label) const;
  std::string_view name(NodeKey node) const;
  std::optional<NodeKey> find_node(std::string_view name) const;
  const std::vector<std::string>& condition_types() const { return condition_types_; }

 private:
  friend struct ApplyChange;  // picture_changes.cc: one function for each change

  std::vector<std::string> condition_types_;
  Node new_node_;
  struct Counter {
    std::size_t number = 0;
    std::vector<ConditionMatch> matches;
  };
  std::vector<Counter> counters_;  // those that match anything
  std::size_t counted_ = 0;        // and all

  std::vector<Pool> pools_;
  std::vector<Pool> pools_at_start_;
  std::vector<PodOwner> owners_;
  std::vector<Budget> budgets_;
  std::vector<Budget> budgets_at_start_;
  std::vector<Labels> labels_;
  std::vector<std::string> taint_names_;

  Rows<Node> nodes_;
  Rows<Machine> machines_;
  Rows<Pod> pods_;
  std::vector<OwnerKey> owner_of_pod_;
  Rows<Device> devices_;
  Rows<Claim> claims_;
  std::map<NodeKey, std::string> names_;  // of those that have one
  std::map<std::string, NodeKey, std::less<>> by_name_;
};

}  // namespace faultline::observed
