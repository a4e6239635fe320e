// What NCCL's own cost model says about the time of a step, and how it is calibrated.
//
// NCCL chooses algorithm and protocol by T = latency + bytes / bandwidth with the constants below
// (src/graph/tuning.cc of NCCL 2.19 and later: baseLatencies, hwLatencies, llMaxBws; microseconds).
// Measured on NVIDIA's systems, they hold for neighbours: two GPUs on an NVSwitch, two NICs on a
// leaf. So a step takes
//
//   alpha = (NCCL's latency - latency of the shortest route, at least 0) + latency of its own route
//
// and a longer route or a lossy cable adds what it has more.
//
// Thread rule: pure functions.
#pragma once

#include "models/collectives/collective.h"

namespace faultline {

struct StepLatency {
  double base = 0;    // once per operation, seconds
  double nvlink = 0;  // a step between two GPUs of a node
  double net = 0;     // a step between two nodes
};
StepLatency nccl_latency(CollectiveAlgorithm algorithm, Protocol protocol);

// The part of the bandwidth that data gets.
double data_share(CollectiveAlgorithm algorithm, Protocol protocol);

// The step latencies less what the shortest routes of this fabric take.
StepLatency software_latency(const Fabric& fabric, CollectiveAlgorithm algorithm,
                             Protocol protocol);

}  // namespace faultline
