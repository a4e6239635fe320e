// A phase on a fabric in a state: where its flows go, what they wait for, and who shares a link.
//
// Thread rule: values; pure functions. The view's fabric must outlive them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/collectives/plan.h"
#include "models/collectives/tuning.h"

namespace faultline {

struct RoutedPhase {
  struct RoutedFlow {
    Route route;
    double alpha = 0;      // seconds a step waits: software and route
    double bandwidth = 0;  // bytes per second if each link is shared evenly; the slowest link's
    ElementId slowest;     // the cable that gives it
  };
  const Phase* phase = nullptr;
  std::vector<RoutedFlow> flows;  // in the order of the phase
  double chain_latency = 0;       // kStream: of its longest chain, in seconds
  bool shared = false;            // some link carries flows of two groups
};

// None where a flow has no route.
std::optional<RoutedPhase> route_phase(const FabricView& view, const Phase& phase,
                                       const StepLatency& software);

// The even-share time: exact for rings whose flows meet nowhere, and for streams the time that the
// busiest link needs at least.
struct PhaseTime {
  double seconds = 0;
  double latency_part = 0;
  ElementId bottleneck;
};
PhaseTime even_share_time(const RoutedPhase& routed);

// The groups that differ in a latency or a bandwidth somewhere along them: one of each kind, in
// order. All of them where groups share links. (Rails are alike, and so are healthy nodes.)
std::vector<std::uint32_t> distinct_groups(const RoutedPhase& routed);

}  // namespace faultline
