// A fabric in SimGrid: what collectives take when every flow is simulated.
//
// SimGrid (3.32; Casanova et al., JPDC 74, 2014) computes max-min sharing over time for flows on
// routes of links. Each GPU is a host; routes are computed by the fabric itself (a NetZone of our
// own), so nothing grows with the square of the nodes.
//
// There can be one SimGrid engine in a process, and it cannot be taken down: one network per
// process, made once. Link speeds are set for a query and set back after it; the simulated clock
// goes on from query to query, and answers are differences.
//
// Thread rule: the thread that made it. Sizes are whole bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/collectives/simgrid_request.h"

namespace faultline {

class SimGridNetwork {
 public:
  explicit SimGridNetwork(const Fabric& fabric);
  SimGridNetwork(const SimGridNetwork&) = delete;
  SimGridNetwork& operator=(const SimGridNetwork&) = delete;
  ~SimGridNetwork();

  // Rings of `ring` ranks in lockstep: in each step every rank sends to the next one and waits for
  // the one before. Each message is simulated. Seconds until the last rank is done.
  double ring_seconds(const FabricState& state, std::span<const SimFlow> flows, std::uint32_t ring,
                      std::int64_t steps, SimLatency latency);

  // Independent flows; a route's latency is not added. Seconds until the last one is done.
  double flow_seconds(const FabricState& state, std::span<const SimFlow> flows);

  // A ring as in ring_seconds whose cable nearly stops (1 byte per second) from `stops_at` to
  // `goes_on_at` (infinite: for ever), in seconds. Rank i enqueues its first step at `enqueued[i]`,
  // and gives up when a step has not ended `timeout` seconds after that. Seconds at which each rank
  // ended, and whether it gave up.
  struct RankEnd {
    double seconds = 0;
    bool timed_out = false;
  };
  std::vector<RankEnd> stalled_ring(std::span<const SimFlow> flows, std::int64_t steps,
                                    SimLatency latency, std::span<const double> enqueued,
                                    ElementId cable, double stops_at, double goes_on_at,
                                    double timeout);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace faultline
