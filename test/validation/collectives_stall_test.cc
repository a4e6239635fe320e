// A ring that stalls, simulated by SimGrid message by message, against the closed form.
#include "models/collectives/stall.h"

#include <gtest/gtest.h>

#include <limits>

#include "test/support/ring_gate.h"

namespace faultline {
namespace {

constexpr std::uint32_t kNodes = 16;
constexpr double kForEver = std::numeric_limits<double>::infinity();

class CollectivesStall : public testing::Test {
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

  const Fabric fabric_{FabricConfig{}, kNodes, 8, 8};
  SimGridProcess simgrid_ = simgrid_for(fabric_);
};

// Ranks enqueue 10 ms apart, the link stops for ever on the way: each ends 600 s after its own
// enqueue.
TEST_F(CollectivesStall, AHangEndsEachRankAtItsOwnWatchdog) {
  std::vector<double> enqueued;
  std::vector<Duration> times;
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    // (not in ring order)
    const std::uint32_t place = i * 7 % kNodes;
    enqueued.push_back(0.01 * place);
    times.push_back(Duration::from_seconds(0.01 * place));
  }
  const auto ends = stalled(enqueued, 0.001, kForEver, 600);
  const std::vector<Duration> expected = watchdog_ends(times, 600_s);
  ASSERT_EQ(ends.size(), kNodes);
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    EXPECT_TRUE(ends[i].second) << i;
    EXPECT_NEAR(ends[i].first, expected[i].seconds(), 1e-6) << i;
  }
}

// The ring takes 30 steps of 14 us + 10 MB / 50 GB/s = 6.42 ms; stopped from 1 ms on for 5 s, 5 s more,
// up to the message (0.2 ms) that was on its way.
TEST_F(CollectivesStall, AFlapOfFiveSecondsCostsFiveSeconds) {
  const std::vector<double> enqueued(kNodes, 0.0);
  const double healthy = 30 * (14e-6 + 10e6 / 50e9);
  const auto latest = [&](double stops_at, double goes_on_at) {
    double last = 0;
    for (const auto& [seconds, gave_up] : stalled(enqueued, stops_at, goes_on_at, 600)) {
      EXPECT_FALSE(gave_up);
      last = std::max(last, seconds);
    }
    return last;
  };
  EXPECT_NEAR(latest(1, 2), healthy, 1e-9);  // over before the link stops
  const LinkOutage flap = link_outage(5_s, retry_budget({}), 600_s, 0_s);
  EXPECT_EQ(flap.end, LinkOutage::End::kGoesOn);
  EXPECT_NEAR(latest(0.001, 5.001), healthy + flap.after.seconds(), 0.2e-3 + 1e-9);
}

// A flap longer than the watchdog ends the job, and one just shorter does not.
TEST_F(CollectivesStall, TheWatchdogDecides) {
  const std::vector<double> enqueued(kNodes, 0.0);
  for (const auto& [seconds, gave_up] : stalled(enqueued, 0.001, 2.001, 1.5)) {
    EXPECT_TRUE(gave_up);
    EXPECT_NEAR(seconds, 1.5, 1e-6);
  }
  for (const auto& [seconds, gave_up] : stalled(enqueued, 0.001, 1.401, 1.5)) {
    EXPECT_FALSE(gave_up);
  }
}

// 4.096 us x 2^20 x 7 = 30.06 s; with timeout 18, 7.5 s; with 14, 0.47 s.
TEST(CollectivesOutage, RetryBudget) {
  EXPECT_NEAR(retry_budget({}).seconds(), 30.06, 0.01);
  EXPECT_NEAR(retry_budget({.timeout = 18}).seconds(), 7.52, 0.01);
  EXPECT_NEAR(retry_budget({.timeout = 14}).seconds(), 0.47, 0.01);
  const auto outage = [](Duration length, std::optional<Duration> budget) {
    return link_outage(length, budget, 600_s, 2_s);
  };
  const Duration budget = retry_budget({});
  EXPECT_EQ(outage(30_s, budget).end, LinkOutage::End::kGoesOn);
  EXPECT_EQ(outage(31_s, budget).end, LinkOutage::End::kError);
  EXPECT_EQ(outage(31_s, budget).after, budget);
  EXPECT_EQ(outage(Duration::infinite(), std::nullopt).end, LinkOutage::End::kWatchdog);
  EXPECT_EQ(outage(Duration::infinite(), std::nullopt).after, 598_s);
}

}  // namespace
}  // namespace faultline
