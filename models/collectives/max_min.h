// Max-min fair sharing of links, and when each of many flows is done.
//
// Max-min: no flow can get more without taking from one that has no more than it (Bertsekas and
// Gallager, Data Networks, section 6.5.2). Found by progressive filling: all rates grow together;
// when a link is full, its flows stop growing. Rates are found anew whenever a flow starts or ends.
// It is what congestion control aims at; packets and their losses are left out.
//
// Thread rule: pure functions.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "models/fleet/fabric_routes.h"

namespace faultline {

struct FluidFlow {
  std::span<const LinkIndex> links;  // at least one
  double bytes = 0;
  double start = 0;  // seconds
};

// Bytes per second of each flow, when all of them are active.
std::vector<double> max_min_rates(std::span<const FluidFlow> flows,
                                  const std::function<double(LinkIndex)>& bandwidth);

// Work that comes in phases: one begins when all flows of the one before have ended, and the starts
// of its flows count from there.
struct FluidJob {
  std::vector<std::vector<FluidFlow>> phases;
};

// Seconds at which each job ends, when all begin at 0 and share the links.
std::vector<double> job_ends(std::span<const FluidJob> jobs,
                             const std::function<double(LinkIndex)>& bandwidth);

// Seconds at which each flow ends, when each is a job of its own.
std::vector<double> finish_times(std::span<const FluidFlow> flows,
                                 const std::function<double(LinkIndex)>& bandwidth);

}  // namespace faultline
