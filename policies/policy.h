// A repair policy: reads what a controller can see, asks for actions.
//
// Level-triggered, like a Kubernetes controller. The engine calls `reconcile` for a node whenever
// one of its conditions changes, and again at the time that the policy asked for with `look_again`.
// Each call answers anew: what an earlier call asked to look at again is forgotten. `pod_failing`
// is the same for the person on call, with a time of its own: a job's restarts on the node have
// begun to fail (or it is time to look at them again).
//
// A policy never sees a fault. Its build target cannot include models/faults, models/detectors or
// models/workloads; that is what lets it run unchanged over a recorded cluster.
//
// Thread rule: policies are const and hold no state of a run; one instance serves all threads. What
// a policy needs to remember is in the observed cluster, as it is in Kubernetes.
#pragma once

#include <cstdint>

#include "models/base/ids.h"
#include "models/base/random.h"
#include "models/base/time.h"
#include "models/observed/cluster.h"

namespace faultline {

// How a node is replaced.
struct Replacement {
  Duration drain;         // from now until its pods are gone
  Duration launch_after;  // from now until the new machine is asked for
  bool on_call = false;   // a person asks, not a controller
};

// How long the new machine's Node may take to register; one that has not is deleted, and another machine
// is asked for.
struct Provisioning {
  Duration registration_timeout = Duration::infinite();  // from the launch
  Duration asks_again_after;                             // from the time-out
};

// Why the safety gate said no.
struct GateClosed {
  std::int64_t unhealthy = 0;
  std::int64_t allowed = 0;
  std::int64_t total = 0;
};

// What a policy can ask for. Implemented by the engine.
class RepairActions {
 public:
  RepairActions() = default;
  RepairActions(const RepairActions&) = delete;
  RepairActions& operator=(const RepairActions&) = delete;
  virtual ~RepairActions() = default;

  // Delete the node: taint, drain, terminate; a new machine takes its slot.
  virtual void replace(NodeId node, const Replacement& how) = 0;
  // Somebody works on the node for so long; afterwards its faults are gone.
  virtual void repair_in_place(NodeId node, Duration hands_on) = 0;
  // Nothing is done, and an event says why.
  virtual void report_blocked(NodeId node, const GateClosed& gate) = 0;
  // Call again at `at` (not before now), unless something changes earlier.
  virtual void look_again(SimTime at) = 0;
};

struct PolicyInput {
  const observed::Cluster& cluster;
  NodeId node;
  SimTime now;
  const RandomSource& random;
};

class RepairPolicy {
 public:
  RepairPolicy() = default;
  RepairPolicy(const RepairPolicy&) = delete;
  RepairPolicy& operator=(const RepairPolicy&) = delete;
  virtual ~RepairPolicy() = default;

  // What it does about a machine that does not come up; by default it waits.
  virtual Provisioning provisioning() const { return {}; }
  virtual void reconcile(const PolicyInput& input, RepairActions& actions) const = 0;
  virtual void pod_failing(const PolicyInput& input, RepairActions& actions) const = 0;
};

}  // namespace faultline
