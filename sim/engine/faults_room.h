// The faults room: what strikes, when and whom, and when it is gone again.
//
// Arrivals come from the fleet's population (by the wall clock), from one population per job (by the time
// that its processes are there, which the jobs tell), and from the script. A strike finds its part; a part
// where no machine stands is struck by nothing. Of a rack, every node is struck before anything follows.
//
// A fault that strikes is *active* until it is gone and nobody looks at it any more:
//
//   struck --> present ----- clears, passes, dropped, machine gone -----> gone --> forgotten
//                 '-- its effect (work) and its signals (signals) follow by the agenda --^
//
// Worked example: two faults of the same node; the node is replaced. `end_on`: both are gone with the
// machine, no FaultCleared is told; work and signals hear it, and the signals room says when each may be
// forgotten.
//
// Invariants: a fault is present from its strike until exactly one of the four ends; `FaultStruck` and
// `FaultCleared` are told here alone; an index is given away again only after `forget`.
//
// Ownership: owns the active faults, which work and signals read; what the effect or the signals of a fault
// have come to is not known here.
//
// Re-entrance: none; what follows is posted.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "models/faults/active_faults.h"
#include "models/faults/arrivals.h"
#include "models/faults/script.h"
#include "sim/engine/fault_draws.h"
#include "sim/engine/kernel.h"
#include "sim/engine/places.h"
#include "sim/engine/plan.h"
#include "sim/engine/standing.h"
#include "sim/engine/victims.h"

namespace faultline {

class FaultsRoom {
 public:
  FaultsRoom(const SimulationPlan& plan, Kernel& kernel, const Standing& standing,
             const Places& places, FaultDraws& draws, ActiveFaults& faults);
  void begin();

  // --- what was expected ---
  void arrival(std::uint32_t population);
  void clears(std::uint32_t fault);
  void found(std::uint32_t fault);

  // --- what follows from other rooms ---
  void end_on(NodeSlot slot);
  void passes(std::uint32_t fault);
  void dropped(std::uint32_t fault);
  void forget(std::uint32_t fault);
  void meets_job(const FaultMeetsJob& meets) { faults_[meets.fault].job = meets.job; }
  void another_is_blamed(const AnotherIsBlamed& blamed);
  void job_turns(const JobTurns& turns);
  void lemon_moves(const LemonMoves& moves);
  void place_moves(const PlaceMoves& moves) {
    victims_.place_moves(moves.job, moves.slot, moves.taken);
  }

  // Ground truth, for the statistics: no fault on the slot stops or slows work, and none would have stayed.
  bool nothing_wrong(NodeSlot slot) const;

 private:
  // The exposure of a job's population: how long its processes were there.
  struct Exposure {
    SimTime since;
    Duration before;
  };

  void strike(const Arrival& arrival, std::uint32_t population);
  // The number of the strike, invalid if there was nothing to strike. `parent`: of the same rack
  // fault.
  HappeningId strike_node(const Arrival& arrival, std::uint32_t population, NodeSlot slot,
                          std::uint32_t gpu, HappeningId parent);
  void strike_job(const Arrival& arrival, std::uint32_t population, JobId job);
  // The nodes of a domain, of a job's population those on which the job stands now: the first that stands
  // is the primary one.
  void strike_domain(const Arrival& arrival, std::uint32_t population, Domain domain);
  // Enters it in the book; its effect follows.
  std::uint32_t add(const ActiveFault& fault);
  HappeningId is_gone(ActiveFault& fault);

  const SimulationPlan& plan_;
  Kernel& kernel_;
  const Standing& standing_;
  const Places& places_;
  FaultDraws& draws_;
  ActiveFaults& faults_;
  Victims victims_;
  Script script_;
  Arrivals fleet_arrivals_;
  std::vector<Arrivals> job_arrivals_;
  std::vector<Exposure> exposures_;  // per job
  std::uint32_t next_fault_ = 0;
};

}  // namespace faultline
