// What a controller can ask for: Kubernetes' own verbs.
//
// Implemented by the host of the control plane (sim/control/control_plane.h). A verb changes the picture at
// once, as a write to the API server does, and other controllers are woken for it after the one that asked
// has returned: no verb calls its way back into a controller.
//
// A verb that changes nothing (a taint that is there already, the deletion of what is being deleted) wakes
// nobody, so a level-triggered controller may repeat itself.
//
// Thread rule: of one run.
#pragma once

#include <cstdint>

#include "models/observed/picture.h"

namespace faultline {

// Why a safety gate said no: it counted `unhealthy` of `total` nodes, and `allowed` may be.
struct GateClosed {
  std::int64_t unhealthy = 0;
  std::int64_t allowed = 0;
  std::int64_t total = 0;
};

class Verbs {
 public:
  Verbs() = default;
  Verbs(const Verbs&) = delete;
  Verbs& operator=(const Verbs&) = delete;
  virtual ~Verbs() = default;

  // --- nodes
  virtual void taint(observed::NodeKey node, observed::TaintName name,
                     observed::TaintEffect effect) = 0;
  virtual void untaint(observed::NodeKey node, observed::TaintName name) = 0;
  virtual void cordon(observed::NodeKey node, bool cordoned) = 0;
  // The Node and its NodeClaim get their deletion timestamps; from `terminate_by` on its drain is forced
  // (now: at once; never: it waits for every pod). Who drains it is another controller.
  virtual void delete_node(observed::NodeKey node, SimTime terminate_by) = 0;
  // Its pods are gone: the instance is terminated, and the Node object goes with it.
  virtual void terminate(observed::NodeKey node) = 0;
  // Somebody works on the node for so long (reset, reboot, swapped card); afterwards its faults are gone.
  virtual void work_on(observed::NodeKey node, Duration takes) = 0;

  // --- pods
  // The Eviction API: false (429) if the pod's budget or do-not-disrupt does not allow it. Whoever was refused
  // is woken when the budget allows another one.
  virtual bool evict(observed::PodKey pod) = 0;
  // A plain DELETE with this grace; a second one can only shorten it.
  virtual void delete_pod(observed::PodKey pod, Duration grace) = 0;

  // --- machines
  // A NodeClaim for the pods of that one.
  virtual void launch(PoolId pool, observed::MachineKey replaces) = 0;
  // One that has no Node yet is given back.
  virtual void delete_machine(observed::MachineKey machine) = 0;

  // --- to be called again; each call of a controller forgets what it asked for before about that subject
  // At `at`, not before now, unless something that it watches changes earlier; never: not at all.
  virtual void look_again(SimTime at) = 0;
  // The same for who waits for something to come: at equal times what comes is there first.
  virtual void time_out(SimTime at) = 0;
  // Nothing is done to the node, an event says why, and it is called again at the first multiple of `every`
  // from now at which its gate (`Controller::gate_is_open`) has opened in between. A look at a gate that
  // has stayed shut would say the same, so those in between cost nothing; readers count them.
  virtual void wait_for_gate(const GateClosed& gate, Duration every) = 0;
};

}  // namespace faultline
