// A controller: reads the picture, asks for verbs. A control plane is a list of them, because in a real
// cluster several meet on one node: node repair, the cloud's own recovery, eviction by taints, termination,
// a person.
//
// Level-triggered, like Kubernetes' own: it is called for a subject whenever something that it watches has
// changed about it, and at the time that it asked for. Each call answers anew from the picture as it
// is; what an earlier call asked to look at again is forgotten. A call that changes nothing is harmless.
//
// A controller never sees a fault. Its build target cannot include models/faults, models/detectors or
// models/workloads; that is what lets it run unchanged over a recorded cluster.
//
// To add one: a folder with its config (a `kTag`, a field list), its code and its MODEL.md; the config as an
// alternative of `ControllerConfig` (controllers_config.h); a line in registry.cc.
//
// Re-entrance: `reconcile` is never called from within a verb.
//
// Thread rule: const and stateless; one instance serves all threads. What a controller needs to remember is
// in the picture, as it is in Kubernetes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/random.h"
#include "models/observed/picture.h"
#include "policies/verbs.h"

namespace faultline {

// What a controller wants to be woken for, and so what its subjects are. Bits.
enum class Watch : std::uint32_t {
  kConditions = 1,  // a condition of a node changes its status, or a node registers: the node
  kTaints = 2,      // a NoExecute taint comes or goes: the node
  kDeletions = 4,   // a node is being deleted, or is worked on: the node
  kPodsOfNode = 8,  // a pod of a tainted node is bound, deleted, gone: the node
  kPages =
      16,  // a pod begins to fail or fails no longer, or something else changes about the node of
           // one that fails: the pod
  kMachines = 32,     // a NodeClaim is launched, registered or deleted: the machine
  kMachineEnds = 64,  // it is deleted, alone
};
constexpr std::uint32_t operator|(Watch a, Watch b) {
  return static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b);
}
constexpr std::uint32_t operator|(std::uint32_t a, Watch b) {
  return a | static_cast<std::uint32_t>(b);
}
constexpr std::uint32_t watching(Watch watch) { return static_cast<std::uint32_t>(watch); }

// What it is called for.
struct Subject {
  enum class Kind : std::uint8_t { kNode, kPod, kMachine };
  Kind kind = Kind::kNode;
  std::uint32_t number = 0;

  static Subject of(observed::NodeKey key) { return {Kind::kNode, key.value()}; }
  static Subject of(observed::PodKey key) { return {Kind::kPod, key.value()}; }
  static Subject of(observed::MachineKey key) { return {Kind::kMachine, key.value()}; }

  // Of that kind.
  observed::NodeKey node() const { return observed::NodeKey(number); }
  observed::PodKey pod() const { return observed::PodKey(number); }
  observed::MachineKey machine() const { return observed::MachineKey(number); }

  bool operator==(const Subject&) const = default;
};

class ControllerList;

struct Request {
  const observed::Picture& picture;
  Subject subject;
  SimTime now;
  const RandomSource& random;
  std::size_t self;                   // its own number in the list, and that of its counter
  const ControllerList& controllers;  // what a person can know of the others
};

class Controller {
 public:
  Controller() = default;
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;
  virtual ~Controller() = default;

  // As the list calls it, such as "node-repair".
  virtual std::string_view name() const = 0;
  virtual std::uint32_t watches() const = 0;
  virtual void reconcile(const Request& request, Verbs& verbs) const = 0;

  // Of those that watch conditions: whether a change of this type can matter to it.
  virtual bool cares_for(ConditionId) const { return true; }
  // A human being, not a program.
  virtual bool is_a_person() const { return false; }
  // Conditions of which it wants to know how many nodes of a pool have one: `Pool::matching[self]`.
  virtual std::vector<observed::ConditionMatch> counts() const { return {}; }
  // Whether a repair in that pool would be let through now.
  virtual bool gate_is_open(const observed::Pool&, std::size_t /*self*/) const { return true; }
  // When it will act on the node by itself, if nothing changes and no gate is in its way; never: it will not.
  virtual SimTime acts_at(const observed::Node&) const { return SimTime::never(); }
};

// The control plane of a scenario, in the order in which equal wakes are served.
class ControllerList {
 public:
  ControllerList() = default;
  explicit ControllerList(std::vector<std::unique_ptr<const Controller>> controllers)
      : controllers_(std::move(controllers)) {}

  std::size_t size() const { return controllers_.size(); }
  const Controller& operator[](std::size_t i) const { return *controllers_[i]; }

  // The first time at which any of them will act on the node, as things stand.
  SimTime acts_at(const observed::Node& node) const {
    SimTime first = SimTime::never();
    for (const auto& controller : controllers_) first = std::min(first, controller->acts_at(node));
    return first;
  }

 private:
  std::vector<std::unique_ptr<const Controller>> controllers_;
};

}  // namespace faultline
