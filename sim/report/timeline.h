// The timeline of one replication, to look at: open it in ui.perfetto.dev.
//
// Processes and their rows, from the top:
//
//   cluster     counters: unhealthy nodes, spares in use, nodes missing (drained, not replaced yet)
//   jobs        a row per job: running, stalled (until a watchdog or end of the flap), down: PHASE
//               (of the node that it waits for, by the ledger's blame rule; `down: restart` is
//               tear-down and back-off), restarting; moves to spares as instants
//   pool NAME   a row per place with a story: detect, tolerate, gate, drain, provision,
//               no_capacity; `fault` is a fault that went away, or was still there at the end,
//               without anybody having reported it. Each refusal of the gate is an instant.
//
// An arrow leads from the trouble of a node to the outage of the job that it began. Slices carry
// the fault class, the reason code and the node's name. On a row, slices never overlap.
//
// Slices are written when they are over, and the open ones at RunEnded; memory grows with the
// number of places that were struck, not with time.
//
// Errors: writing never throws; `finish` tells whether everything arrived.
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <vector>

#include "sim/engine/plan.h"
#include "sim/engine/sink.h"
#include "sim/report/happening_names.h"
#include "sim/report/outages.h"
#include "sim/report/trace_events.h"

namespace faultline {

class TimelineWriter final : public HappeningSink {
 public:
  // Plan and stream must outlive the writer.
  TimelineWriter(const SimulationPlan& plan, std::ostream& out);

  void on(const Happening& happening) override;

  // Completes the file; false if the stream failed at any time.
  [[nodiscard]] bool finish();

 private:
  struct Arrow {
    std::uint32_t number = 0;
    SimTime at;
  };
  struct NodeRow {
    SimTime since;       // of the phase
    bool drawn = false;  // a slice of this trouble was written
    NodeId node;         // the machine that it began with
    FaultClassId fault_class;
    ReasonId reason;
    HappeningId condition;      // that put it under suspicion
    std::vector<Arrow> arrows;  // that wait for their slice to be written
  };
  struct JobRow {
    SimTime since;          // running since
    std::size_t drawn = 0;  // pieces of the outage that were written
    std::vector<Arrow> arrows;
  };

  TraceEvents::Row row_of(NodeSlot slot) const;
  static TraceEvents::Row row_of(JobId job);
  NodeRow& node_row(NodeId node);
  void note(const Happening& happening);
  void draw_node(const NodePhases::Change& change, SimTime now);
  void draw_job(JobId job, const Happening& happening);
  void draw_pieces(JobId job, bool down);
  void draw_counters(SimTime now);
  void end(const Happening& happening);
  std::int64_t warm_spare(NodeId node) const;

  const SimulationPlan& plan_;
  HappeningNames names_;
  TraceEvents events_;
  Outages outages_;
  std::map<NodeSlot, NodeRow> nodes_;
  std::vector<JobRow> jobs_;
  std::vector<bool> pool_named_;
  std::int64_t spares_in_use_ = 0;
  std::vector<std::int64_t> counters_;  // as last written
  std::uint32_t arrows_ = 0;
};

}  // namespace faultline
