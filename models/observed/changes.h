// Everything that can change in a picture, one small struct for each thing. A picture changes by these
// alone, so a recorded cluster, a simulated one and a test that writes them by hand tell the same story.
//
// Each is an observation of its instant, not a wish: `MachineDeleted` says that the API server has the
// deletion timestamp, not that somebody would like it. What controllers wish are verbs (policies/verbs.h);
// the host of the control plane turns them into changes.
//
// Objects are added in the order of their keys: the first `NodeAdded` is NodeKey 0.
//
// Thread rule: values.
#pragma once

#include <string>
#include <variant>

#include "models/observed/objects.h"

namespace faultline::observed {

// --- nodes
struct NodeAdded {
  PoolId pool;
  MachineKey machine;  // invalid: none
  LabelsKey labels;    // invalid: none
  std::string name;    // empty: it is addressed by its key alone
  // Ready is False until a ConditionSet says otherwise; every other published condition is True.
};
struct ConditionSet {
  NodeKey node;
  ConditionId type;
  ConditionStatus status = ConditionStatus::kTrue;
  ReasonId reason;
};
struct TaintAdded {
  NodeKey node;
  TaintName name;
  TaintEffect effect = TaintEffect::kNoSchedule;
};
struct TaintRemoved {
  NodeKey node;
  TaintName name;
};
struct CordonSet {
  NodeKey node;
  bool cordoned = true;
};
struct MaintenanceSet {
  NodeKey node;
  bool in_maintenance = true;
};
struct NodeDeleted {  // gets its deletion timestamp
  NodeKey node;
  SimTime terminate_by = SimTime::never();
};
struct NodeDrained {
  NodeKey node;
};
struct NodeGone {
  NodeKey node;
};

// --- machines
struct MachineAdded {
  PoolId pool;
  MachineKey replaces;
};
struct MachineLaunched {
  MachineKey machine;
};
struct MachineDeleted {  // gets its deletion timestamp
  MachineKey machine;
};

// --- pods
struct PodAdded {
  OwnerKey owner;
  NodeKey node;  // invalid: Pending
};
struct PodBound {  // to a node; one that was gone was made anew
  PodKey pod;
  NodeKey node;
};
struct PodPaged {  // its restarts begin to fail, or (since: never) fail no longer
  PodKey pod;
  Page page;
};
struct PodDeleted {  // gets its deletion timestamp, which includes its grace
  PodKey pod;
  SimTime deletion;
};
struct PodGone {
  PodKey pod;
};

// --- devices
struct DeviceAdded {
  NodeKey node;
  std::string name;
};
struct DeviceHealthSet {
  DeviceKey device;
  DeviceHealth health = DeviceHealth::kHealthy;
};
struct DeviceTainted {
  DeviceKey device;
  TaintName name;
  TaintEffect effect = TaintEffect::kNoSchedule;
};
struct DeviceUntainted {
  DeviceKey device;
  TaintName name;
};
struct ClaimAdded {
  std::string name;
  PodKey pod;
  Duration tolerates = Duration::infinite();
};
struct ClaimAllocated {
  ClaimKey claim;
  DeviceKey device;
};

using Change =
    std::variant<NodeAdded, ConditionSet, TaintAdded, TaintRemoved, CordonSet, MaintenanceSet,
                 NodeDeleted, NodeDrained, NodeGone, MachineAdded, MachineLaunched, MachineDeleted,
                 PodAdded, PodBound, PodPaged, PodDeleted, PodGone, DeviceAdded, DeviceHealthSet,
                 DeviceTainted, DeviceUntainted, ClaimAdded, ClaimAllocated>;

}  // namespace faultline::observed
