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

// Seconds at which each flow ends.
std::vector<double> finish_times(std::span<const FluidFlow> flows,
                                 const std::function<double(LinkIndex)>& bandwidth);

}  // namespace faultline
