// How fast a job steps while parts of the fabric are degraded: a table, made once for each job before
// any replication, so that a fault costs one look-up.
//
// For each fault class with `degrades` and each place of the fleet (node and GPU) the table has the
// parts of the job's step (models/collectives/step_plan.h) with that one fault. Places are of a few
// kinds; each kind is kept once. Of faults present together each part takes the longest (`worse_of`:
// what is exact and what is not, see models/collectives/step_pace.h), and
//
//   speed = healthy step / step with the worse parts     in millionths, as WorkClock wants it
//
// A slow-down of known size (`speed: 75%`, without a cause in the fabric) stretches the healthy step,
// and what is degraded comes on top: step = healthy / speed + (degraded - healthy).
//
// Example: healthy 6 s, of which the gradients are 0.2 s; NICs at 10% make them 2 s: 6 / 7.8, and
// together with `speed: 75%` 6 / (8 + 1.8).
//
// Places are those of the start: a spare that takes a rank over stands where the rank stood, as far
// as the fabric is concerned. So a fault at the spare's own NIC counts at the lost rank's. (How far that is
// from the truth: models/collectives/MODEL.md, less than 1% of a step for a few spares.)
//
// A part that is shared (an uplink, a switch) is the business of every job, whichever node the fault struck:
//
//   part           the job is asked about it, if                      at the place
//   uplink, leaf   a node that never moved stands at that leaf        of the struck node
//                  (leaf) only spares stand there, for lost ranks     where such a rank stood
//                  (uplink) a spare for a lost rank was struck        where that rank stood
//   spine, core    always                                             of the struck node
//
// and the answer for that place is: cut, slowed, or untouched (`Kind`).
//
// Thread rule: immutable; share freely.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/ids.h"
#include "models/collectives/step_pace.h"
#include "models/faults/fault_config.h"

namespace faultline {

class JobPace {
 public:
  struct Kind {
    StepParts parts;
    bool cut = false;  // two GPUs of the job have no path; `parts` say nothing
  };

  // The step fits the fabric (`step_misfit`).
  JobPace(const TrainingStep& step, const Fabric& fabric, std::uint32_t first_node,
          const FaultCatalogueConfig& faults);

  const StepTime& healthy() const { return healthy_; }
  const StepParts& healthy_parts() const { return healthy_parts_; }
  // The class has `degrades`.
  const Kind& kind(FaultClassId fault_class, NodeSlot at, std::uint32_t gpu) const {
    const std::vector<std::uint32_t>& of_place = of_class_[fault_class.index()];
    const std::size_t place = at.index() * std::size_t{gpus_per_node_} + gpu;
    return kinds_[of_place.size() == 1 ? of_place.front() : of_place[place]];
  }
  // In millionths. `known_speed`: of the slow-downs of known size, in millionths too.
  std::int64_t speed(const StepParts& parts, std::int64_t known_speed) const;

 private:
  const StepSum sum_;
  StepParts healthy_parts_;
  StepTime healthy_;
  std::uint32_t gpus_per_node_;
  std::vector<Kind> kinds_;
  std::vector<std::vector<std::uint32_t>> of_class_;  // by place, or one for all places
};

// The part that a fault at this place degrades; the part is not `gpu`.
ElementId degraded_element(DegradedPart part, const Fabric& fabric, GpuIndex gpu);

}  // namespace faultline
