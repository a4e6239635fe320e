// Which nodes let their job go no further, and on which its restarts fail.
//
// A slot *holds* its job while its machine is sick, away, or worked on. It is sick while a fault is there
// that fails restarts (a *sickening* fault); only on a sick machine that stands and stays do pods run and
// fail, which is what a person on call is paged for.
//
//   fails = sick and fit(slot)          holds = sick or not fit(slot)
//
// `update` compares that with what was so before and tells the job; it may be called after anything that
// could have changed it, and does nothing if nothing has.
//
// Example: a crash that stays strikes node 3: `sicken`, `update`: the job is held, the pod fails. The node is
// to be replaced: `update`: still held, but nothing fails there. The new machine joins, and the fault went
// with the old one: `update(kAnew)`: released.
//
// Invariants: a slot without a job neither holds nor fails; a slot's sick faults are those that `sicken`
// and were not yet `heal`ed.
//
// Ownership: calls Jobs; is called by Hangs, Effects, Gangs and Placement.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/touched_table.h"
#include "models/faults/active_faults.h"
#include "sim/engine/jobs.h"
#include "sim/engine/kernel.h"
#include "sim/engine/places.h"
#include "sim/engine/standing.h"

namespace faultline {

class Holds {
 public:
  Holds(const SimulationPlan& plan, Kernel& kernel, const Standing& standing, const Places& places,
        Jobs& jobs);
  void begin();

  // A fault on the slot fails restarts from now on; and no longer (false: it did not).
  void sicken(std::uint32_t fault, NodeSlot slot);
  bool heal(std::uint32_t fault, NodeSlot slot);

  // `fit`: how the gang comes to the next restart there.
  void update(NodeSlot slot, TrainingJob::Fit fit);
  bool is_holding(NodeSlot slot) const { return slots_[slot.index()].holding; }
  // The slot works for the job no longer: it holds it no more, and no pod fails there.
  void leave(NodeSlot slot, JobId job);
  // The same, where the machine is on its way out and the place has moved: released with that cause.
  void leave_for_spare(NodeSlot slot, JobId job, HappeningId moved);

 private:
  struct Slot {
    std::uint16_t sick = 0;  // faults that fail restarts
    bool holding = false;
    bool failing = false;
  };

  Kernel& kernel_;
  const Standing& standing_;
  const Places& places_;
  Jobs& jobs_;
  TouchedTable<Slot> slots_;
  std::vector<bool> sickens_;  // by fault
};

}  // namespace faultline
