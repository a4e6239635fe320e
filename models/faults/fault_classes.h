// The failure catalogue, compiled for one fleet: what strikes, how often in total, and where.
//
// Superposition. All equal parts of a class share one arrival stream: N exponential clocks of rate
// r are one of rate N r, whose victim is drawn afterwards, uniformly. Idle nodes cost nothing.
//
// Ageing (`weibull_shape`). The part's hazard at age a is h(a) = (k/s)(a/s)^(k-1), s =
// (1/r)/Gamma(1+1/k). Candidates arrive at the bounding rate N h_max and are accepted with
// h(a)/h_max (thinning: Lewis and Shedler 1979). For k < 1 the hazard has a pole at age 0: it is
// taken constant below an age of one hour. h_max is h(1 h) for k < 1, h(horizon) for k > 1. The
// fleet is new at the start.
//
// Thread rule: immutable; share freely.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/ids.h"
#include "models/base/random.h"
#include "models/base/time.h"
#include "models/faults/fault_config.h"
#include "models/fleet/fleet.h"

namespace faultline {

struct FaultClass {
  const FaultClassConfig* config = nullptr;  // lives as long as the scenario
  ExposureUnit unit = ExposureUnit::kNode;   // what a part is
  double rate_per_part = 0;                  // per second: 1/mean time between failures of one part
  double weibull_scale = 0;                  // seconds; 0: no ageing
  double bounding_rate_per_part = 0;         // per second; of candidates
  StreamId arrival_stream;
  StreamId detail_stream;

  // h(age) / h_max: the chance that a candidate of an ageing class is a fault.
  double acceptance(Duration age) const;
};

// `horizon` bounds the age of ageing parts.
std::vector<FaultClass> compile_fault_classes(const FaultCatalogueConfig& catalogue,
                                              Duration horizon);

// How many parts of a kind a population has.
struct Population {
  std::uint64_t gpus = 0;
  std::uint64_t nodes = 0;
  std::uint64_t racks = 0;
  std::uint64_t blocks = 0;
  std::uint64_t zones = 0;
  std::uint64_t regions = 0;
  std::uint64_t jobs = 0;

  std::uint64_t parts(ExposureUnit unit) const;
};
// Of a fleet and so many jobs.
Population all_parts(const Fleet& fleet, std::uint64_t jobs);

}  // namespace faultline
