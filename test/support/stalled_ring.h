// A ring over 16 nodes of which one link stops for a while, as SimGrid's transient run sees it: the judge of
// the closed form and of the event model.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "test/support/ring_gate.h"

namespace faultline {

class StalledRing : public testing::Test {
 protected:
  // The ring over 16 nodes with rail 0 of node 5 stopped for a while; (seconds, gave up) of each
  // rank.
  std::vector<std::pair<double, bool>> stalled(const std::vector<double>& enqueued, double stops_at,
                                               double goes_on_at, double timeout) {
    const Phase phase = ring_over_nodes(fabric_, 0, 10e6);
    const StepLatency software =
        software_latency(fabric_, CollectiveAlgorithm::kRing, Protocol::kSimple);
    SimGridRequest request{.kind = SimGridRequest::Kind::kStall,
                           .ring = phase.group,
                           .steps = phase.steps,
                           .latency = {.nvlink = software.nvlink, .net = software.net},
                           .enqueued = enqueued,
                           .cable = fabric_.nic(5, 0),
                           .stops_at = stops_at,
                           .goes_on_at = goes_on_at,
                           .timeout = timeout};
    for (const Flow& flow : phase.flows) {
      request.flows.push_back({flow.from, flow.to, static_cast<std::uint64_t>(flow.bytes), 0});
    }
    const auto answer = simgrid_.ask(request);
    std::vector<std::pair<double, bool>> ends;
    EXPECT_TRUE(answer) << answer.error();
    if (!answer) return ends;
    for (std::size_t i = 0; i < answer->size(); i += 2) {
      ends.emplace_back((*answer)[i], (*answer)[i + 1] != 0);
    }
    return ends;
  }

  static constexpr std::uint32_t kNodes = 16;
  const Fabric fabric_{FabricConfig{}, kNodes, 8, 8};
  SimGridProcess simgrid_ = simgrid_for(fabric_);
};

}  // namespace faultline
