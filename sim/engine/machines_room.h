// The machines room: which machine stands in a slot, and what becomes of one that does not.
//
//   to replace --> leaving --drained--> away --removed--> (repair shop, stock)
//        '--wanted--> [none there] --> launched --> registered --> joined: the next generation
//
// What is drained when, and whether and when the next machine is wanted, is the control plane's. A machine that
// is Ready before the old one is drained joins when that is over: the names of the pods are taken. One that
// was given back is asked for anew, as the same node; a node that is deleted while it boots is skipped. With
// a repair shop, machines have numbers, and a machine that leaves comes back, maybe to another slot.
//
// Worked example: to replace at 0 s, drain 5 s, asked for after 1 s, launch 90 s, registration 5 s. Drained
// and removed at 5 s, registered at 91 s, joined at 96 s.
//
// Invariants, checked: only a machine that stands and stays is replaced. Nodes are conserved: every removal
// of a node is of one that had joined, and a slot has at most two Node objects.
//
// Ownership: writes `Standing`; owns the provider's stock and the repair shop (models/capacity).
//
// Re-entrance: none; what the work, the faults and the control plane have to know is posted. A machine that
// leaves at the very instant of the decision is posted, too, so that its work leaves first.
//
// Thread rule: one per simulation.
#pragma once

#include <vector>

#include "models/capacity/capacity.h"
#include "sim/engine/kernel.h"
#include "sim/engine/plan.h"
#include "sim/engine/standing.h"

namespace faultline {

class MachinesRoom {
 public:
  MachinesRoom(const SimulationPlan& plan, Kernel& kernel, Standing& standing, Capacity& capacity);
  void begin();

  // --- what follows from other rooms ---
  // `needless`: ground truth, for the statistics.
  void replace(const NodeToReplace& order, bool needless);
  void mend(const NodeToMend& order, bool needless);
  // The node is drained, and its machine ends.
  void leaves(NodeId node);
  void wanted(NodeSlot slot);
  void given_back(NodeSlot slot);
  void struck(NodeSlot slot);

  // --- what was expected; of a node that is on its way: `Standing::coming` ---
  void mended(NodeSlot slot);
  void removed(NodeId node);
  void capacity_found(NodeId node);
  void registered(NodeId node);
  void joined(NodeId node);
  // A machine is back in the stock; with a repair shop, this one has come to the end of a stage.
  void machine_back(MachineId machine);

 private:
  void decide(const RepairDecided& decided, bool needless);
  void follow_launch(NodeId node, const LaunchPlan& launch);
  void serve(const Capacity::Served& served);
  // `served`: how long it stood.
  void to_shop(NodeId node, Duration served);
  void work_begins(const RepairShop::Work& work);
  void repair_stage_ends(MachineId machine);
  // The faults have to know where lemons are.
  void moves(NodeSlot slot, bool comes) {
    if (standing_.is_lemon(slot)) kernel_.post(LemonMoves{.slot = slot, .comes = comes});
  }

  const SimulationPlan& plan_;
  Kernel& kernel_;
  Standing& standing_;
  Capacity& capacity_;
  std::vector<NodeId> in_shop_as_;  // by machine
};

}  // namespace faultline
