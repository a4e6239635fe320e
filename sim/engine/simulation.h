// The assembly: the kernel, the rooms, and who hears what. Models say what happens and when; the rooms make
// it happen; sim/engine/MODEL.md tells which room owns what.
//
//   fault -> signal -> condition -> decision -> action -> capacity -> placement -> progress
//
// One round of the loop: the clock goes to the next expectation, the room that it is about is called, and
// then the agenda is worked off until nothing follows at this instant any more. No room knows another one's
// functions; this class alone does, and it decides nothing.
//
// One `Simulation` runs replication after replication and keeps its memory: after the first ones, a
// run allocates nothing.
//
// Invariants, checked in every run: the clock never goes back; a job that is held does not run; only a machine
// that stands and stays is replaced. The ledger checks that every nanosecond of every job is accounted for.
//
// Thread rule: one per thread; the plan is shared.
#pragma once

#include <cstdint>

#include "models/base/random.h"
#include "models/capacity/capacity.h"
#include "models/faults/active_faults.h"
#include "sim/engine/control_room.h"
#include "sim/engine/effects.h"
#include "sim/engine/faults_room.h"
#include "sim/engine/gangs.h"
#include "sim/engine/kernel.h"
#include "sim/engine/machines_room.h"
#include "sim/engine/metrics.h"
#include "sim/engine/milestones.h"
#include "sim/engine/placement.h"
#include "sim/engine/plan.h"
#include "sim/engine/signals_room.h"
#include "sim/engine/sink.h"

namespace faultline {

class Simulation {
 public:
  explicit Simulation(const SimulationPlan& plan);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // One replication; every happening goes to `sink`. Returns the number of events processed.
  std::uint64_t run(const RandomSource& random, HappeningSink& sink);
  // The same for metrics alone, which are told without a Happening being made: a seventh faster.
  std::uint64_t run(const RandomSource& random, RunMetrics& metrics);

 private:
  // What follows at the same instant, and who hears it.
  struct Hears;

  std::uint64_t run(const RandomSource& random);
  void begin(const RandomSource& random);
  void handle(Expect what, Calendar::Slot slot);

  const SimulationPlan& plan_;
  Capacity capacity_;
  Kernel kernel_;
  FaultDraws draws_;
  // What the rooms read of each other.
  ActiveFaults active_;
  Standing standing_;
  Places places_;
  DegradedParts parts_;
  // The rooms: control and machines; work, from the bottom up; signals and faults.
  ControlRoom control_;
  MachinesRoom machines_;
  Jobs jobs_;
  Holds holds_;
  Hangs hangs_;
  Speeds speeds_;
  Gangs gangs_;
  Effects effects_;
  Placement placement_;
  Milestones milestones_;
  SignalsRoom signals_;
  FaultsRoom faults_;
};

}  // namespace faultline
