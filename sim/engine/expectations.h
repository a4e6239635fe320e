// What can be expected, of whom: the layout of the calendar's slots.
//
// The kinds stand in the order of the path from the fault to progress. That order is also the
// priority of equal times, so causes come before effects: a fault that clears exactly when its
// toleration ends clears first, and is not repaired.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/base/ids.h"
#include "models/faults/active_faults.h"
#include "models/faults/script.h"
#include "sim/control/calendar.h"

namespace faultline {

enum class Expect : std::uint8_t {
  kArrival,        // of a population: the next fault strikes
  kFaultClears,    // of a fault
  kFaultFound,     // of a fault: silent corruption is noticed
  kSignal,         // of a fault and one of its signals: it is raised, published or cleared
  kLook,           // of the control plane: its earliest appointment
  kRepaired,       // of a node: hands-on repair ends
  kRemoved,        // of a node
  kMachineBack,    // of the provider: a machine returns to the stock; of a machine: a repair ends
  kCapacityFound,  // of a new node: the shortage is over
  kRegistered,     // of a new node
  kJoined,         // of a new node
  kTimesOut,  // of the control plane, in place of kLook: somebody who waits for a node gives up
  kJob,       // of a job: watchdog, restart or first step
};

static_assert(static_cast<unsigned>(Expect::kJob) < Calendar::kPriorities);

// Slots: populations (0: the fleet, 1 + j: job j), the script, the control plane, the provider (or, with a repair shop,
// every machine), jobs, node places, faults. Faults come last, because their number is not known beforehand.
class SlotLayout {
 public:
  using Slot = Calendar::Slot;

  SlotLayout(std::size_t jobs, std::size_t places, std::size_t machines)
      : jobs_(static_cast<Slot>(jobs)),
        first_job_(jobs_ + 3 + static_cast<Slot>(std::max<std::size_t>(machines, 1))),
        first_place_(first_job_ + jobs_),
        first_fault_(first_place_ + static_cast<Slot>(places) * kPerPlace) {}

  Slot arrival(std::uint32_t population) const { return population; }
  Slot script() const { return jobs_ + 1; }
  Slot control() const { return jobs_ + 2; }
  Slot machine_back(std::uint32_t machine = 0) const { return jobs_ + 3 + machine; }
  Slot job(JobId job) const { return first_job_ + job.value(); }
  Slot node(Expect what, std::size_t place) const {
    return first_place_ + static_cast<Slot>(place) * kPerPlace + static_cast<Slot>(what) -
           static_cast<Slot>(Expect::kRepaired);
  }
  Slot fault(Expect what, std::uint32_t fault, std::size_t signal = 0) const {
    return first_fault_ + fault * kPerFault + static_cast<Slot>(what) -
           static_cast<Slot>(Expect::kFaultClears) + static_cast<Slot>(signal);
  }
  std::size_t slots(std::size_t faults) const { return first_fault_ + faults * kPerFault; }

  // Back from a slot to whom it is about; the calendar keeps the kind, as the priority.
  std::uint32_t population_of(Slot slot) const { return slot == script() ? kScript : slot; }
  MachineId machine_of(Slot slot) const { return MachineId(slot - machine_back()); }
  JobId job_of(Slot slot) const { return JobId(slot - first_job_); }
  std::uint32_t place_of(Slot slot) const { return (slot - first_place_) / kPerPlace; }
  std::uint32_t fault_of(Slot slot) const { return (slot - first_fault_) / kPerFault; }
  std::size_t signal_of(Slot slot) const {
    return (slot - first_fault_) % kPerFault - kFirstSignal;
  }

 private:
  static constexpr Slot kPerPlace =
      static_cast<Slot>(Expect::kJoined) - static_cast<Slot>(Expect::kRepaired) + 1;
  static constexpr Slot kFirstSignal =
      static_cast<Slot>(Expect::kSignal) - static_cast<Slot>(Expect::kFaultClears);
  static constexpr Slot kPerFault = kFirstSignal + kMaxSignals;

  Slot jobs_;
  Slot first_job_;
  Slot first_place_;
  Slot first_fault_;
};

}  // namespace faultline
