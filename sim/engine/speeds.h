// The pace of every job: faults that slow it, and shared parts that are dead and cut it.
//
// The slowest rank sets the pace of a job whose step is known by its parts (`JobPace`): the parts that are
// degraded are joined, the worst of each, and a slow-down of known size comes on top. Blamed is the class
// that alone would slow the job most.
//
//   speed = full speed x healthy step / (healthy step / known speed + what degraded parts add)
//
// A dead shared part holds every job that it cuts (`update_cut`), until it is there again or the job no
// longer needs it; several hold it as one, without a gap.
//
// Invariants: `slow` and `dead` list faults that are there; a dead part is a slow one, too.
//
// Ownership: calls Jobs; is called by Effects, Gangs and Placement.
//
// Thread rule: one per simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "models/faults/active_faults.h"
#include "sim/engine/degraded_parts.h"
#include "sim/engine/jobs.h"

namespace faultline {

class Speeds {
 public:
  Speeds(const SimulationPlan& plan, const ActiveFaults& faults, const Standing& standing,
         const Places& places, const DegradedParts& parts, Jobs& jobs);
  void begin();

  // The fault slows its job from now on (or every job, by a shared part, which may be dead).
  void slows(std::uint32_t fault);
  void slows_all(std::uint32_t fault, bool dead);
  // It slows nobody any more.
  void ends(std::uint32_t fault);

  void update(JobId job);
  // Whether a dead shared part holds the job; the job is down.
  void update_cut(JobId job);
  // Both, after the job's places have changed; it is down.
  void places_changed(JobId job) {
    if (!slow_.empty()) update(job);
    if (!dead_.empty()) update_cut(job);
  }
  bool any_dead() const { return !dead_.empty(); }

 private:
  const SimulationPlan& plan_;
  const ActiveFaults& faults_;
  const Standing& standing_;
  const Places& places_;
  const DegradedParts& parts_;
  Jobs& jobs_;
  std::vector<std::uint32_t> slow_;
  std::vector<std::uint32_t> dead_;
  std::vector<NodeId> cut_by_;  // per job: struck by the fault that holds it; invalid: none does
};

}  // namespace faultline
