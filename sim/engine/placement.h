// Placement: where the work goes when a node is emptied, is ready again, or could serve.
//
//   a node is emptied   the job on it stops; its place is held, or given up by a gang, or moves to a warm
//                       spare that is fit and healthy (the one that came last)
//   a node is ready     it releases the place that it holds; a spare serves the first job that waits with a
//                       place on a node that is leaving
//   its conditions      the same, for a spare that is healthy again; a gang's line is kept true
//
// A pod that is evicted from a node that stays (`evicted`) stops its job, if that is up.
//
// Worked example: job on nodes 0 and 1, spare 2. Node 1 is to be replaced: the job stops, and its place
// moves to 2 at once; the new machine in slot 1 is the spare from now on.
//
// Ownership: calls Gangs, Hangs, Speeds, Holds, Jobs and Places; is called by the assembly alone.
//
// Thread rule: one per simulation.
#pragma once

#include "sim/engine/gangs.h"
#include "sim/engine/hangs.h"
#include "sim/engine/holds.h"
#include "sim/engine/jobs.h"
#include "sim/engine/node_health.h"
#include "sim/engine/places.h"
#include "sim/engine/speeds.h"

namespace faultline {

class Placement {
 public:
  Placement(const SimulationPlan& plan, Kernel& kernel, const Standing& standing,
            const NodeHealth& health, Places& places, Jobs& jobs, Holds& holds, Hangs& hangs,
            Speeds& speeds, Gangs& gangs);

  void node_emptied(const NodeEmptied& emptied);
  void node_ready(const NodeReady& ready);
  void conditions_changed(NodeId node);
  void evicted(NodeId node);

 private:
  void stop_for_repair(JobId job, NodeId node, StopKind kind);
  bool is_free_spare(NodeSlot slot) const;
  void move_to_spare(NodeSlot from);
  void serve_waiting_jobs(NodeSlot spare);
  void take_place(NodeSlot from, NodeSlot to);

  const SimulationPlan& plan_;
  Kernel& kernel_;
  const Standing& standing_;
  const NodeHealth& health_;
  Places& places_;
  Jobs& jobs_;
  Holds& holds_;
  Hangs& hangs_;
  Speeds& speeds_;
  Gangs& gangs_;
};

}  // namespace faultline
