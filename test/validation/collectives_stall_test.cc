// A ring that stalls, simulated by SimGrid message by message, against the closed form.
#include "models/collectives/stall.h"

#include <gtest/gtest.h>

#include <limits>

#include "test/support/stalled_ring.h"

namespace faultline {
namespace {

constexpr double kForEver = std::numeric_limits<double>::infinity();

using CollectivesStall = StalledRing;

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
