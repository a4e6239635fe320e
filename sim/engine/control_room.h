// The control room: where the simulated world and the control plane meet.
//
// The control plane (sim/control) owns the picture and the controllers, and knows keys of nodes, machines and
// pods; the rooms know slots and generations. Here the one is put into the other's words, both ways:
//
//   facts in     a condition is reported, a Node object registers, is Ready, is mended or is removed, a machine is
//                launched, a pod moves, its restarts begin or cease to fail, a kubelet is back
//   orders out   NodeToReplace, NodeToMend, PodEvicted, MachineLeaves, MachineWanted, MachineGivenBack: by the agenda
//   the clock    the control plane's earliest appointment has one slot of the calendar
//
// Pods. A place of a job has a pod at a time. When it moves while the old pod is still on its way out of a node,
// a new pod is made: a drain is as long as the old one takes, wherever the work goes on.
//
// Invariants: a status that has not changed is no change: no happening, nobody is woken. What the calendar
// holds for the control plane is its earliest appointment.
//
// Ownership: owns the control plane; work reads a node's health (`NodeHealth`). No fault is known here: what
// a report says of the fault behind it is passed on to the statistics.
//
// Re-entrance: none; what the control plane tells is posted, never carried out here.
//
// Thread rule: one per simulation; the controllers are shared.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/touched_table.h"
#include "sim/control/control_plane.h"
#include "sim/engine/kernel.h"
#include "sim/engine/node_health.h"
#include "sim/engine/places.h"
#include "sim/engine/plan.h"
#include "sim/engine/standing.h"

namespace faultline {

class ControlRoom final : public NodeHealth, private ControlListener {
 public:
  ControlRoom(const SimulationPlan& plan, Kernel& kernel, const Standing& standing,
              const Places& places);
  void begin();

  // --- facts ---
  void condition(const ConditionReported& reported);
  void node(const NodeObjectChanges& changes);
  void launched(NodeSlot slot);
  void kubelet_back(NodeId node);
  void pod_moves(const PodMoves& moves);
  void pod(const PodRestarts& restarts);
  // The time of the earliest appointment has come.
  void appointment();

  // --- what others may see ---
  bool healthy(NodeId node) const override {
    return plane_.picture().node(key_of(node)).bad_conditions == 0;
  }

 private:
  struct Slot {
    std::array<observed::NodeKey, 2> nodes;  // by generation mod 2
    observed::MachineKey coming;             // the newest that was asked for
    std::uint32_t episodes = 0;              // of failing restarts
  };
  struct Place {
    JobId job;
    std::uint32_t rank = 0;
  };

  observed::NodeKey key_of(NodeId node) const {
    return node.generation == 0 ? observed::NodeKey(node.slot.index())
                                : slots_[node.slot.index()].nodes[node.generation % 2];
  }
  NodeId node_of(observed::NodeKey key) const {
    return key.index() < slots_at_start_ ? NodeId{NodeSlot(key.index()), 0}
                                         : later_nodes_[key.index() - slots_at_start_];
  }
  observed::PodKey& pod_of(JobId job, std::uint32_t rank) {
    return pods_[first_place_[job.index()] + rank];
  }
  NodeSlot slot_of(observed::MachineKey machine) const;
  void bind(JobId job, std::uint32_t rank, observed::NodeKey node);
  // Everybody is served, and the next appointment is in the calendar.
  void settle();
  void mended(NodeId node);

  void node_deleted(observed::NodeKey node, std::size_t by) override;
  void worked_on(observed::NodeKey node, Duration takes, std::size_t by) override;
  void blocked(observed::NodeKey node, const GateClosed& gate, Duration every) override;
  void pod_stops(observed::PodKey pod) override;
  void pod_gone(observed::PodKey pod, observed::NodeKey node) override;
  void drained(observed::NodeKey node) override;
  void launch(observed::MachineKey machine) override;
  void given_back(observed::MachineKey machine) override;

  const SimulationPlan& plan_;
  Kernel& kernel_;
  const Standing& standing_;
  const Places& places_;
  ControlPlane plane_;
  bool late_ = false;  // whether the earliest appointment is, as the calendar has it
  std::size_t slots_at_start_;
  TouchedTable<Slot> slots_;
  std::vector<NodeId> later_nodes_;       // by key, after those of the start
  std::vector<NodeSlot> later_machines_;  // the same
  std::vector<std::size_t> first_place_;  // per job
  std::vector<Place> place_of_pod_;       // by key
  std::vector<observed::PodKey> pods_;    // by job and rank: the newest of each place
};

}  // namespace faultline
