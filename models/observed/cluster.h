// What a controller can see of the cluster: nodes, pools, conditions, pods. Kubernetes' nouns,
// nothing else. A repair policy reads this and only this, so the same policy runs over a simulated
// cluster and over a recorded one.
//
// Nodes. A machine is a Node object from its registration until it is gone; while an old machine
// terminates, its replacement may already have registered in the same slot. So a slot has two
// places, which the generations of its nodes take in turn.
//
// Pools keep the list of their *suspects*, the nodes with a condition that is False or Unknown, so
// that a safety gate costs the number of unhealthy nodes and not the size of the pool.
//
// Invariants: a node is in its pool's suspects exactly while it exists and has a bad condition; a
// pool's `nodes` counts the Node objects that exist.
//
// Cost: a node to which nothing has happened costs nothing, neither time nor memory traffic.
//
// Thread rule: one cluster per simulation; not shared.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/ids.h"
#include "models/base/time.h"
#include "models/base/touched_table.h"
#include "models/observed/condition.h"

namespace faultline::observed {

// Ready is published for every node, by the kubelet; the other types come from the detectors'
// contract.
inline constexpr ConditionId kReady{0};
inline constexpr std::size_t kMaxConditions = 10;

// The job's container on a node, as far as a restart policy shows it.
struct Pod {
  SimTime failing_since = SimTime::never();  // its restarts fail since then; never: they do not
  std::uint32_t failing_episodes = 0;        // how often it began to fail on this slot
};

struct Node {
  std::uint32_t generation = 0;
  bool exists = false;
  bool under_repair = false;  // being drained, deleted, or worked on
  std::uint8_t bad_conditions = 0;
  std::uint32_t suspect_position = 0;  // in the pool's suspects, while bad_conditions > 0
  std::array<Condition, kMaxConditions> conditions{};

  const Condition& condition(ConditionId type) const { return conditions[type.index()]; }
};

struct Pool {
  std::string name;
  std::int64_t nodes = 0;
  std::vector<NodeId> suspects;
};

class Cluster {
 public:
  // The fleet at the start: `pool_of[slot]`, every node Ready=True and every other published
  // condition True since time 0. `condition_names[0]` is "Ready"; `published[c]` is false for a
  // condition whose monitors are all disabled.
  Cluster(std::vector<std::string> pool_names, std::vector<PoolId> pool_of,
          std::vector<std::string> condition_names, std::vector<bool> published);

  // Back to the start.
  void reset();

  const Node& node(NodeId id) const { return slots_[id.slot.index()].nodes[id.generation % 2]; }
  // The node in one of a slot's two places.
  NodeId node_in(NodeSlot slot, std::uint32_t place) const {
    return {slot, slots_[slot.index()].nodes[place].generation};
  }
  const Pod& pod(NodeSlot slot) const { return slots_[slot.index()].pod; }
  const Pool& pool(PoolId id) const { return pools_[id.index()]; }
  const Pool& pool_of(NodeId id) const { return pool(pool_of_[id.slot.index()]); }
  const std::vector<std::string>& condition_names() const { return condition_names_; }

  // --- what the world does to it -------------------------------------------------------------------

  // The status of a condition changes; false if it had that status already (then its time stays, as
  // Kubernetes keeps lastTransitionTime, and only the reason is taken over).
  bool set_condition(NodeId id, ConditionId type, ConditionStatus status, ReasonId reason,
                     SimTime now);
  // The kubelet of a new node registers it: Ready=False until `initialised`.
  void add_node(NodeId id, SimTime now);
  void initialised(NodeId id, SimTime now);
  void set_under_repair(NodeId id, bool under_repair);
  void remove_node(NodeId id);

  // The pod's restarts fail from `since` on, or no longer (never).
  void set_failing(NodeSlot slot, SimTime since);

 private:
  struct Slot {
    Pod pod;
    std::array<Node, 2> nodes;  // by generation mod 2
  };

  // The node itself, which must exist.
  Node& existing(NodeId id);
  void update_suspect(NodeId id, Node& node, int bad_before);

  std::vector<std::string> condition_names_;
  std::array<Condition, kMaxConditions> healthy_{};
  std::vector<std::int64_t> nodes_at_start_;
  std::vector<PoolId> pool_of_;
  std::vector<Pool> pools_;
  TouchedTable<Slot> slots_;
};

}  // namespace faultline::observed
