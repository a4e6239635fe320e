#include "sim/report/node_phases.h"

#include <algorithm>

namespace faultline {

void NodePhases::set_bad(Node& node, int bad) {
  unhealthy_ += (bad > 0 ? 1 : 0) - (node.bad_conditions > 0 ? 1 : 0);
  node.bad_conditions = static_cast<std::uint8_t>(bad);
}

void NodePhases::set_missing(Node& node, bool missing) {
  missing_ += (missing ? 1 : 0) - (node.missing ? 1 : 0);
  node.missing = missing;
}

void NodePhases::made_whole(Node& node) {
  set_bad(node, 0);
  set_missing(node, false);
  node.faults = 0;
  node.phase = kHealthy;
}

void NodePhases::condition_changed(Node& node, ConditionStatus status) {
  if (observed::is_bad(status)) {
    set_bad(node, node.bad_conditions + 1);
    if (node.phase == kHealthy || node.phase == Account::kDetect) node.phase = Account::kTolerate;
    return;
  }
  set_bad(node, std::max(node.bad_conditions - 1, 0));
  const bool waits = node.phase == Account::kTolerate || node.phase == Account::kGate;
  if (waits && node.bad_conditions == 0) node.phase = node.faults > 0 ? Account::kDetect : kHealthy;
}

std::optional<NodePhases::Change> NodePhases::on(const Happening& happening) {
  struct Visitor {
    NodePhases& phases;
    NodeSlot slot;  // of the node that it is about
    Account before = kHealthy;

    Node& open(NodeId id) {
      slot = id.slot;
      Node& node = phases.nodes_[slot.index()];
      before = node.phase;
      return node;
    }

    void operator()(const FaultStruck& struck) {
      if (!struck.node.slot.valid()) return;
      Node& node = open(struck.node);
      ++node.faults;
      if (node.phase == kHealthy) node.phase = Account::kDetect;
    }
    void operator()(const FaultCleared& cleared) {
      if (!cleared.node.slot.valid()) return;
      Node& node = open(cleared.node);
      if (node.faults > 0) --node.faults;
      if (node.faults == 0 && node.phase == Account::kDetect) node.phase = kHealthy;
    }
    void operator()(const ConditionChanged& changed) {
      phases.condition_changed(open(changed.node), changed.status);
    }
    void operator()(const RepairBlocked& blocked) { open(blocked.node).phase = Account::kGate; }
    void operator()(const RepairDecided& decided) {
      open(decided.node).phase =
          decided.action == RepairAction::kReplace ? Account::kDrain : Account::kProvision;
    }
    void operator()(const NodeDrained& drained) {
      Node& node = open(drained.node);
      if (node.phase == Account::kDrain) node.phase = Account::kProvision;
      node.faults = 0;
      phases.set_missing(node, true);
    }
    void operator()(const CapacityMissing& missing) {
      open(missing.node).phase = Account::kNoCapacity;
    }
    void operator()(const CapacityFound& found) {
      Node& node = open(found.node);
      if (node.phase == Account::kNoCapacity) node.phase = Account::kProvision;
    }
    void operator()(const NodeRegistered& registered) {
      Node& node = open(registered.node);
      if (node.bad_conditions == 0) phases.set_bad(node, 1);
    }
    void operator()(const NodeRepaired& repaired) { phases.made_whole(open(repaired.node)); }
    void operator()(const NodeJoined& joined) { phases.made_whole(open(joined.node)); }

    void operator()(const SignalRaised&) {}
    void operator()(const EventPosted&) {}
    void operator()(const FaultBehind&) {}
    void operator()(const RepairWasNeedless&) {}
    void operator()(const NodeRemoved&) {}
    void operator()(const NodeRequested&) {}
    void operator()(const RegistrationTimedOut&) {}
    void operator()(const JobInterrupted&) {}
    void operator()(const JobStalled&) {}
    void operator()(const JobUnstalled&) {}
    void operator()(const JobProgressed&) {}
    void operator()(const JobHeld&) {}
    void operator()(const JobReleased&) {}
    void operator()(const PlaceTaken&) {}
    void operator()(const JobRestarting&) {}
    void operator()(const JobResumed&) {}
    void operator()(const RunEnded&) {}
    void operator()(const RepairStageEnded&) {}
    void operator()(const JobSubmitted&) {}
    void operator()(const HostsSelected&) {}
    void operator()(const NodePreempted&) {}
    void operator()(const JobCompleted&) {}
  };
  Visitor visitor{*this, {}};
  std::visit(visitor, happening.what);
  if (!visitor.slot.valid() || phase(visitor.slot) == visitor.before) return std::nullopt;
  return Change{.slot = visitor.slot, .before = visitor.before, .after = phase(visitor.slot)};
}

}  // namespace faultline
