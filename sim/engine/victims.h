// Whom a class with victims of one kind strikes: lemons, or machines that are none.
//
// The lemons are counted where a class counts them: in the whole fleet, and among the places of each job.
// The sets are kept true from outside, whenever a lemon comes or goes, or a place moves; what a machine
// is, `Standing` knows.
//
//   victims: lemons   the n-th of the set, n drawn with the arrival
//   victims: sound    the part that was drawn, and if it is a lemon, others, until a sound one is met: each
//                     has the same chance
//
// Invariant: a set that exists holds exactly the lemons that stand there.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/index_set.h"
#include "models/faults/arrivals.h"
#include "sim/engine/fault_draws.h"
#include "sim/engine/places.h"
#include "sim/engine/plan.h"
#include "sim/engine/standing.h"

namespace faultline {

class Victims {
 public:
  using Lemons = std::optional<IndexSet<NodeSlot>>;  // absent: nobody counts them

  Victims(const SimulationPlan& plan, const Standing& standing, const Places& places,
          FaultDraws& draws);
  // Population 0 is the fleet, 1 + j job j: its lemons are counted from now on.
  void count(std::uint32_t population);
  void begin();

  const Lemons& lemons(std::uint32_t population) const { return lemons_[population]; }
  // A lemon comes to the slot, or goes; a slot (a lemon or not) works for the job now, or no longer.
  void lemon_moves(NodeSlot slot, bool comes);
  void place_moves(JobId job, NodeSlot slot, bool taken);

  // The node that the arrival strikes, where a part of it names `candidate`; invalid: there is none.
  NodeSlot of(const Arrival& arrival, std::uint32_t population, NodeSlot candidate);

 private:
  const SimulationPlan& plan_;
  const Standing& standing_;
  const Places& places_;
  FaultDraws& draws_;
  std::vector<Lemons> lemons_;
};

}  // namespace faultline
