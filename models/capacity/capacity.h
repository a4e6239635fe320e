// Where the replacement comes from: the provider launches a machine, or has none.
//
// A request is answered with the whole plan of the new machine: when it is launched, registers, and
// is initialised. Insufficient-capacity errors delay the launch by whole retries, each drawn on its
// own; with a limited stock, a launch takes one machine and, if there is none, waits for the next
// one that returns.
//
//   launched    = first attempt at or after the request that is not refused (attempts `retry` apart)
//   registered  = launched + launch
//   joined      = registered + registration
//
// The random part of a plan is addressed by (slot, generation): an unlucky launch is unlucky under
// every policy.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/ids.h"
#include "models/base/random.h"
#include "models/base/time.h"
#include "models/capacity/capacity_config.h"

namespace faultline {

struct LaunchPlan {
  SimTime launched;
  SimTime registered;
  SimTime joined;
};

class Capacity {
 public:
  explicit Capacity(const CapacityConfig& config) : config_(config) {}

  void begin(const RandomSource& random);

  // A machine for `node` is asked for. The answer has `launched` = never while the stock is empty:
  // the node then waits its turn, first come first served.
  LaunchPlan request(NodeId node, SimTime now);

  // Time from the end of the drain of `node` until its Node object is gone.
  Duration terminate(NodeId node) const;

  // With a limited stock, the machine of `node` was removed: it can be launched again after a
  // while.
  bool limited() const { return !config_.spares.unlimited(); }
  void machine_leaves(NodeId node, SimTime now);
  // When the next machine is back; never if none is on the way.
  SimTime next_return() const;

  // That machine is back: the node that waits longest gets it, with its plan; otherwise it goes to
  // the stock and the answer is an invalid node.
  struct Served {
    NodeId node;
    LaunchPlan plan;
  };
  Served machine_returns(SimTime now);

 private:
  LaunchPlan plan(NodeId node, SimTime from) const;

  const CapacityConfig& config_;
  const RandomSource* random_ = nullptr;
  std::int64_t stock_ = 0;
  std::vector<NodeId> waiting_;   // first come first
  std::vector<SimTime> returns_;  // latest first
};

}  // namespace faultline
