// What a degraded part costs a job: the look-ups that effects, speeds and signals share.
//
// A class with `degrades` slows a part of a node or of the fabric. What that comes to was computed with the
// plan (`JobPace`), by the place of the part in the job's own order of nodes; here the place is found. Where
// the job's collectives cannot do without the part, it *cuts* the job, which is a crash.
//
// A part of one node goes with the machine: it costs nothing once that is leaving. A part that nodes share
// (a leaf switch, a spine) stays, and costs every job that has a node behind it.
//
// Thread rule: reads alone.
#pragma once

#include <optional>

#include "models/faults/active_faults.h"
#include "sim/engine/places.h"
#include "sim/engine/plan.h"
#include "sim/engine/standing.h"

namespace faultline {

class DegradedParts {
 public:
  DegradedParts(const SimulationPlan& plan, const Standing& standing, const Places& places)
      : plan_(plan), standing_(standing), places_(places) {}

  // Absent: the fault degrades no part.
  const std::optional<DegradesConfig>& degrades(const ActiveFault& fault) const {
    return plan_.classes()[fault.fault_class.index()].config->degrades;
  }
  bool is_shared(const ActiveFault& fault) const {
    return degrades(fault) && faultline::is_shared(degrades(fault)->part);
  }
  // What it comes to: a degraded part that cuts the job is a crash.
  FaultEffect effect_of(const ActiveFault& fault) const {
    const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
    return config.degrades && is_cut(fault) ? FaultEffect::kCrash : config.effect;
  }
  // The job's steps with the part degraded; null where the job does not use it.
  const JobPace::Kind* pace_under(const ActiveFault& fault, JobId job) const;
  bool cuts(const ActiveFault& fault, JobId job) const {
    const JobPace::Kind* const kind = pace_under(fault, job);
    return kind != nullptr && kind->cut;
  }

 private:
  // Whether it cuts its job, or would cut one that moves there.
  bool is_cut(const ActiveFault& fault) const;
  // Where the part is, as the job's steps count places; invalid: none of its nodes is there.
  NodeSlot place_of(const ActiveFault& fault, JobId job) const;

  const SimulationPlan& plan_;
  const Standing& standing_;
  const Places& places_;
};

}  // namespace faultline
