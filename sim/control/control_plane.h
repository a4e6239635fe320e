// The host of a control plane: owns the picture, wakes the controllers, keeps their appointments, carries out
// their verbs, and does what Kubernetes does by itself (pods end after their grace, a NodeClaim belongs to its
// Node). It knows no fault, no job model and no distribution: whatever becomes of a machine, it is told.
//
//   world --observe--> picture --wake--> controllers --verbs--> picture --tell--> listener --> world
//
// Two callers: the simulation, which observes what its models do, and the twin, which observes a recording. A
// unit test runs it alone over a picture written by hand.
//
// An instant. `observe` changes the picture and queues whom it concerns; `settle` calls them, in the order
// in which they were queued, until nobody is left: a controller's verbs change the picture at once and queue
// others. Equal wakes that wait already are not queued twice. `take_next` is `settle` for the earliest
// appointment. Between two calls nothing is queued.
//
// Re-entrance: controllers and listeners never call back into `observe`, `settle` or `take_next`.
//
// What it does by itself
// - A pod that is being deleted is told to stop and gone when its grace is over, if its kubelet answers. Whose
//   Ready is Unknown does not: the pod stays, past its deletion time, until Ready changes or `kubelet_back`.
// - Deleting a Node deletes its NodeClaim; one that has no Node yet is given back.
//
// Invariants: the clock never goes back; nobody is called about a node that is gone; a controller has at most
// one appointment about a subject.
//
// Thread rule: one per run that is under way; the controllers are shared.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "policies/controller.h"
#include "sim/control/appointments.h"
#include "sim/control/listener.h"

namespace faultline {

// One counter of the picture for each controller, in their order; before the first node is added.
void count_for(const ControllerList& controllers, observed::Picture& picture);

class ControlPlane final : private Verbs {
 public:
  // `picture`: the cluster at the start, made with `count_for` and remembered.
  ControlPlane(const ControllerList& controllers, observed::Picture picture,
               ControlListener& listener);

  // Back to the start.
  void begin(const RandomSource& random);
  void begin(RandomSource&&) = delete;  // it is asked until the next `begin`

  const observed::Picture& picture() const { return picture_; }

  // A fact of this instant.
  template <class Change>
  void observe(const Change& change, SimTime now);
  // The kubelet of a node whose Ready is still Unknown answers again.
  void kubelet_back(observed::NodeKey node, SimTime now);

  void settle(SimTime now);
  // The earliest appointment, and the call that it is for.
  Appointments::Next next() { return appointments_.next(); }
  // Whether that may have changed since the last call of this.
  bool next_changed() { return appointments_.take_changed(); }
  void take_next(SimTime now);

 private:
  struct Wake {
    Subject subject;
    std::uint8_t controller = 0;
    bool operator==(const Wake&) const = default;
  };
  // Whom a budget has said no.
  struct Refused {
    observed::BudgetKey budget;
    Wake who;
    bool operator==(const Refused&) const = default;
  };

  // --- wakes
  void wake(Watch watch, Subject subject);
  void wake(Wake wake);
  void wake_pages_of(const observed::Node& node);
  void wake_pods_of(observed::NodeKey node);
  // Of a machine that is being deleted.
  void wake_machine(observed::MachineKey machine);
  void wake_refused(observed::PodKey pod);
  void pool_changed(PoolId pool);
  void follow(const observed::ConditionSet& set);
  template <class Change>
  void follow(const Change& change);

  // --- pods
  bool answers(const observed::Node& node) const {
    return node.condition(observed::kReady).status != ConditionStatus::kUnknown;
  }
  void pod_hears(observed::PodKey pod);
  void pods_hear(const observed::Node& node);
  void end_pod(observed::PodKey pod);

  // --- verbs
  void taint(observed::NodeKey node, observed::TaintName name,
             observed::TaintEffect effect) override;
  void untaint(observed::NodeKey node, observed::TaintName name) override;
  void cordon(observed::NodeKey node, bool cordoned) override;
  void delete_node(observed::NodeKey node, SimTime terminate_by) override;
  void terminate(observed::NodeKey node) override;
  void work_on(observed::NodeKey node, Duration takes) override;
  bool evict(observed::PodKey pod) override;
  void delete_pod(observed::PodKey pod, Duration grace) override;
  void launch(PoolId pool, observed::MachineKey replaces) override;
  void delete_machine(observed::MachineKey machine) override;
  void look_again(SimTime at) override;
  void time_out(SimTime at) override;
  void wait_for_gate(const GateClosed& gate, Duration every) override;

  const ControllerList& controllers_;
  observed::Picture picture_;
  ControlListener& listener_;
  std::array<std::vector<std::uint8_t>, 7> watchers_;             // by bit of Watch
  std::vector<std::vector<std::uint8_t>> watchers_of_condition_;  // by type
  Appointments appointments_;
  std::vector<Wake> wakes_;  // from `served_` on
  std::size_t served_ = 0;
  std::vector<Refused> refused_;
  Wake called_;  // who is being called
  const RandomSource* random_ = nullptr;
  SimTime now_;
};

}  // namespace faultline
