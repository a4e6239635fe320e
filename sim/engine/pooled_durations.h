// How long things took, over all replications of one thread: histograms that add up to the same in every
// order.
//
// Thread rule: one per thread; add them up afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/ids.h"
#include "sim/engine/histogram.h"
#include "sim/engine/plan.h"
#include "sim/engine/stalls.h"

namespace faultline {

struct PooledDurations {
  struct Detection {
    FaultClassId fault_class;
    ReasonId reason;
    Histogram since_fault;
  };
  explicit PooledDurations(const SimulationPlan& plan);
  void add(const PooledDurations& other);

  std::vector<Detection> detections;          // per class and signal, in the order of the catalogue
  std::vector<std::uint32_t> first_of_class;  // where a class's detections begin
  std::vector<Histogram> fault_to_ready_by_channel;  // by the channel that saw it first
  std::vector<Histogram> fault_to_ready_by_class;
  std::vector<Histogram> phases;  // of a repair: detect ... provision
  StallRecords stalls;
};

}  // namespace faultline
