// Who is told what a control plane does: the simulation, which lets the world follow; later the twin, which
// writes it down; a test.
//
// Told during `ControlPlane::settle`, in order. Re-entrance: a listener does not call the control plane; it
// notes what follows, and tells the control plane the facts afterwards.
//
// `by` is the number of the controller in the list.
//
// Thread rule: of one run.
#pragma once

#include "policies/controller.h"

namespace faultline {

class ControlListener {
 public:
  // --- decisions
  // The node is being deleted from now on; told once.
  virtual void node_deleted(observed::NodeKey node, std::size_t by) = 0;
  // Somebody works on the node for so long; the end is for the listener to observe (MaintenanceSet).
  virtual void worked_on(observed::NodeKey node, Duration takes, std::size_t by) = 0;
  // A gate is in the way of its repair; it refuses again each `every` until something else is told.
  virtual void blocked(observed::NodeKey node, const GateClosed& gate, Duration every) = 0;

  // --- what follows
  // The pod's processes are told to end (SIGTERM): its kubelet has heard of the deletion.
  virtual void pod_stops(observed::PodKey pod) = 0;
  // It is gone from the node; whoever owns it may make another one.
  virtual void pod_gone(observed::PodKey pod, observed::NodeKey node) = 0;
  // The pods of a node that is being deleted are gone, and its instance is to end.
  virtual void drained(observed::NodeKey node) = 0;
  // A machine is asked for; whether and when it comes is the world's business.
  virtual void launch(observed::MachineKey machine) = 0;
  // A machine that has no Node yet is given back.
  virtual void given_back(observed::MachineKey machine) = 0;

 protected:
  ~ControlListener() = default;
};

}  // namespace faultline
