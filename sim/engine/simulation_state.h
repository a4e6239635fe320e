// What a simulation knows of each node slot and each job, beyond what its models know.
//
// Thread rule: of one simulation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/ids.h"
#include "models/base/index_set.h"
#include "models/base/time.h"
#include "models/observed/cluster.h"
#include "models/workloads/gang.h"
#include "models/workloads/training_job.h"

namespace faultline {

// What stands in a slot.
struct SlotState {
  std::uint32_t generation = 0;
  bool standing = true;                     // a machine is there and can work
  bool leaving = false;                     // its replacement was decided
  bool mending = false;                     // somebody works on it
  bool holding = false;                     // it holds the job
  std::uint16_t sick = 0;                   // faults that fail restarts
  std::uint16_t timeouts = 0;               // of machines that were to come
  SimTime started;                          // of the machine
  SimTime first_report = SimTime::never();  // of its agent, once it was asked for
  HappeningId last;  // the newest happening about the node: the cause of the next one
  // By generation mod 2, with a repair shop; of generation 0 it has the number of the slot.
  std::array<MachineId, 2> machines;
  bool lemon = false;  // of a machine without a number that came later
  std::array<std::uint8_t, observed::kMaxConditions> alarms{};  // signals that keep a condition bad
};

// Which part of a job a slot carries; no job: a spare.
struct PlaceShare {
  JobId job;
  std::uint32_t rank = 0;
};

struct GangState {
  Gang line;
  bool waits = false;     // there are too few fit nodes
  bool preempts = false;  // meanwhile, a node is taken from other work
  SimTime node_comes;     // that one
  NodeId waits_for;       // the node that the ledger charges the wait to
  std::uint32_t selections = 0;
};

struct JobState {
  TrainingJob model;
  std::vector<NodeSlot> places;  // by rank
  int hanging = 0;               // faults for which it waits in a collective
  SimTime stalled;               // hanging: since then
  SimTime watchdog;              // and when the collective's own watchdog ends it
  HappeningId last;
  // The exposure clock of `clock: running` faults.
  bool busy = true;
  SimTime busy_since;
  Duration busy_before;
  std::optional<GangState> gang;
  std::optional<IndexSet<NodeSlot>> lemons;  // among its places, if its faults count them
  NodeId cut_by;  // struck by the fault of a shared part that holds the job; invalid: none does
};

}  // namespace faultline
