// Milestones: what a job had expected comes true: the end of a stall, the restart, the first step, the end of
// its work.
//
// A gang's restart waits until it is whole. With the first step, flaps that are there meet the job, and
// what counts its slow steps counts anew. A job that is done leaves its nodes; when all are, the run is
// over.
//
// Ownership: calls Gangs, Hangs, Jobs and Places; is called by the assembly alone.
//
// Thread rule: one per simulation.
#pragma once

#include "sim/engine/gangs.h"
#include "sim/engine/hangs.h"
#include "sim/engine/jobs.h"
#include "sim/engine/places.h"

namespace faultline {

class Milestones {
 public:
  Milestones(const SimulationPlan& plan, Kernel& kernel, Places& places, Jobs& jobs, Hangs& hangs,
             Gangs& gangs);
  void begin() { done_ = 0; }

  // The instant has come at which something was expected of the job.
  void fulfil(JobId job);

 private:
  void complete(JobId job);

  Kernel& kernel_;
  Places& places_;
  Jobs& jobs_;
  Hangs& hangs_;
  Gangs& gangs_;
  bool steps_count_ = false;  // some detector counts them
  std::size_t done_ = 0;
};

}  // namespace faultline
