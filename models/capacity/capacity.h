// Where the replacement comes from: the provider launches a machine, or has none.
//
// A request is answered with the whole plan of the new machine: when it is launched, registers, and
// is initialised. Insufficient-capacity errors delay the launch by whole retries, each drawn on its
// own; with a limited stock, a launch takes one machine and, if there is none, waits for the next
// one that returns.
//
//   launched    = first attempt at or after the request that is not refused (attempts `retry` apart);
//                 never, where every one is (probability 100%)
//   registered  = launched + launch
//   joined      = registered + registration
//
// Whether somebody gives the machine back meanwhile, because it has not registered in time, is not known here.
//
// Worked example: asked for at 10:00, refused once, `retry` 3 min, `launch` 17 min 30 s. Launched at 10:03, it
// registers at 10:20:30.
//
// With a repair shop, machines have numbers: those in the slots come first, in the order of the
// slots, then the stock's. A machine that left a slot goes through the shop and then to the node that
// waits longest, or to the stock. So a machine may come up in another slot than the one it left.
//
// The random part of a plan is addressed by (slot, generation, how often it was asked for): an unlucky
// launch is unlucky under every policy.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/ids.h"
#include "models/base/random.h"
#include "models/base/time.h"
#include "models/capacity/capacity_config.h"
#include "models/capacity/repair_shop.h"
#include "models/capacity/waiting_line.h"

namespace faultline {

struct LaunchPlan {
  SimTime launched = SimTime::never();
  SimTime registered = SimTime::never();
  SimTime joined = SimTime::never();
  MachineId machine;  // invalid: one that the provider has not launched before
};

class Capacity {
 public:
  // `slots`: the machines in them have the first numbers.
  explicit Capacity(const CapacityConfig& config, std::size_t slots = 0)
      : config_(config), slots_(slots) {
    if (config.shop) shop_.emplace(*config.shop, machines());
  }

  void begin(const RandomSource& random);
  void begin(RandomSource&&) = delete;  // it is asked until the next `begin`

  // A machine for `node` is asked for. The answer has `launched` = never while the stock is empty:
  // the node then waits its turn, first come first served.
  LaunchPlan request(NodeId node, SimTime now);
  // The same node for the n-th time, after n machines for it were given back. It keeps what it had of a
  // limited stock.
  LaunchPlan request_again(NodeId node, std::uint32_t timeouts, MachineId machine,
                           SimTime now) const {
    return plan(node, timeouts, now, machine);
  }

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

  // The repair shop, and how many machines there are, the stock's included; without one, null and 0.
  RepairShop* shop() { return shop_ ? &*shop_ : nullptr; }
  std::size_t machines() const {
    return config_.shop ? slots_ + static_cast<std::size_t>(config_.spares.count) : 0;
  }
  // The shop is done with this machine: the same choice. (Invalid: without a shop.)
  Served offer(MachineId machine, SimTime now);

 private:
  LaunchPlan plan(NodeId node, std::uint32_t timeouts, SimTime from, MachineId machine = {}) const;

  const CapacityConfig& config_;
  std::size_t slots_;
  std::optional<RepairShop> shop_;
  const RandomSource* random_ = nullptr;
  std::int64_t stock_ = 0;
  std::vector<MachineId> cold_;  // with a shop: the stock
  WaitingLine<NodeId> waiting_;
  std::vector<SimTime> returns_;  // latest first
};

}  // namespace faultline
