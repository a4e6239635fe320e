// Which machine stands in a slot: the data of the machines room that every other room reads.
//
// A slot is a place for a node; the machine in it is replaced by the next *generation*. From the decision
// to replace it until the next one has joined, the machine is `leaving`; from the end of its drain on it
// does not stand. A machine that is worked on where it stands is `mending`.
//
// Machines have numbers where there is a repair shop, because they come back: those in the slots have the
// number of their slot at the start. Which of them are lemons is known by number; a machine that the
// provider launches new, without a number, is a lemon or not for as long as it stands.
//
// Invariants: generation <= registered <= next; a slot has at most two Node objects, of successive generations;
// only a standing machine mends. A node that is deleted while it boots never stands: its generation is skipped.
//
// Ownership: `MachinesRoom` writes; everybody else has a const reference. Reading an untouched slot costs
// one look: the machine that stood there at the start.
//
// Thread rule: one per simulation.
#pragma once

#include <array>
#include <cstdint>

#include "models/base/ids.h"
#include "models/base/random.h"
#include "models/base/time.h"
#include "models/base/touched_table.h"
#include "models/faults/lemons.h"
#include "sim/engine/plan.h"

namespace faultline {

struct StandingMachine {
  std::uint32_t generation = 0;  // that stands, or stood last
  std::uint32_t next = 0;        // that was asked for last
  std::uint32_t registered = 0;  // the newest that has a Node object
  bool standing = true;          // a machine is there and can work
  bool leaving = false;          // its replacement was decided
  bool mending = false;          // somebody works on it
  bool lemon = false;            // of a machine without a number that came later
  bool early = false;            // the next one is Ready, and waits for the end of the drain
  std::uint16_t timeouts = 0;    // of machines that were to come
  SimTime started;               // of the machine
  // By generation mod 2, with a repair shop; of generation 0 it has the number of the slot.
  std::array<MachineId, 2> machines;

  // A pod can run there.
  bool fit() const { return standing && !leaving && !mending; }
};

class Standing {
 public:
  // `numbered`: how many machines have numbers; 0: none has.
  Standing(const SimulationPlan& plan, std::size_t numbered);
  void begin(const RandomSource& random);

  const StandingMachine& operator[](NodeSlot slot) const { return slots_[slot.index()]; }
  NodeId node(NodeSlot slot) const { return {slot, slots_[slot.index()].generation}; }
  // The node that is on its way to the slot.
  NodeId coming(NodeSlot slot) const { return {slot, slots_[slot.index()].next}; }
  // Of the last two generations that have registered, the one with this parity.
  NodeId of_parity(NodeSlot slot, std::uint32_t parity) const;
  MachineId machine(NodeId node) const;
  bool is_lemon(NodeSlot slot) const;
  const Lemons& lemons() const { return lemons_; }

  // --- for the machines room ---
  StandingMachine& touch(NodeSlot slot) { return slots_.touch(slot.index()); }
  // A repair has mended it: it is no lemon any more.
  void mend(MachineId machine) { lemons_.mend(machine); }

 private:
  bool numbered_;
  TouchedTable<StandingMachine> slots_;
  Lemons lemons_;
};

}  // namespace faultline
