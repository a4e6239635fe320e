// The journal: every happening of one replication, a line each, for people, scripts and `faultline
// why`. Every number of a report is a pure function of it.
//
// Format. JSON Lines, UTF-8. The first line says what the rest is about:
//
//   journal           "faultline"
//   schema_version    2; grows when a reader of the old version would misread the new one
//   scenario          name of the scenario
//   seed, replication numbers: which run of it
//   horizon_seconds   simulated time
//   pools             [{name, nodes}]: a node is POOL-INDEX, `nodes` of them, warm spares included
//   jobs              [name]
//   classes           [{name, per_gpu}]: the fault classes; per_gpu: a fault strikes one GPU
//   conditions        [name]: node condition types
//   reasons           [name]: reason codes of the detectors' contract
//
// Every other line is a happening, in order:
//
//   t                 seconds since the start, exact to the nanosecond
//   id                number of the line, from 0
//   cause             id of the happening that caused this one; absent: nothing did
//   what              its kind, as models/happenings.h calls it: "FaultStruck", ...
//
// and the fields of its kind (happening_fields.h lists which has which; models/happenings.h
// explains):
//
//   node, from, to    names of nodes: "train-17"; "train-17.g1" for the first replacement there
//   job, class, condition, reason    names; where they may be missing, the key is absent
//   fault             number of the fault, in order of striking
//   gpu               which GPU of the node (0 for classes that do not strike one GPU)
//   primary           false: struck along with its rack, counted once
//   status            True, False, Unknown or Absent
//   action            replace, repair_in_place
//   unhealthy, allowed, total        nodes, as the safety gate counted them
//   on_call           a person decided, not a controller
//   kind              crash, watchdog, drain, evicted, silent, planned
//   already_down      the job was down anyway
//   failed_attempts   container restarts on a sick node before this one
//   since_fault_seconds, work_lost_seconds, work_seconds, straggler_seconds, checkpoint_seconds,
//   noise_seconds (where it is not 0)
//                     lengths of time, exact to the nanosecond
//
// The last line is RunEnded: a journal without it was cut off. Example:
//
//   {"t":4.25,"id":3,"cause":2,"what":"ConditionChanged","node":"train-17","condition":"Ready",...}
//
// Lines are written as things happen; memory does not grow.
//
// Errors: writing never throws; `finish` tells whether everything arrived.
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "sim/engine/plan.h"
#include "sim/engine/sink.h"
#include "sim/report/happening_names.h"

namespace faultline {

inline constexpr int kJournalSchemaVersion = 2;

struct JournalHeader {
  std::string scenario;
  std::uint64_t seed = 0;
  std::uint32_t replication = 0;
  Duration horizon;
};

class JournalWriter final : public HappeningSink {
 public:
  // Writes the first line. Plan and stream must outlive the writer.
  JournalWriter(const SimulationPlan& plan, std::ostream& out, std::uint64_t seed,
                std::uint32_t replication);

  void on(const Happening& happening) override;

  // Flushes; false if the stream failed at any time (a full disk).
  [[nodiscard]] bool finish();

 private:
  HappeningNames names_;
  std::ostream& out_;
  std::string line_;
};

}  // namespace faultline
