// The event model of a stall against SimGrid's transient run, message by message: the same instants.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "models/collectives/stall.h"
#include "test/support/micro_world.h"
#include "test/support/stalled_ring.h"

namespace faultline {
namespace {

constexpr double kForEver = std::numeric_limits<double>::infinity();
// Ring of 30 steps of 14 us + 10 MB / 50 GB/s.
constexpr double kStep = 14e-6 + 10e6 / 50e9;

using StallSemantics = StalledRing;

// The job as the event model sees it: no dump, a watchdog of `timeout`, and what strikes it at 25:00.
struct EventModel {
  Duration stalled;
  bool gave_up;
};
EventModel event_model(FaultEffect effect, std::optional<Duration> length, Duration timeout) {
  MicroWorld world;
  world.job().nccl_timeout = timeout;
  FaultClassConfig& fault = world.fault("link", effect, 25_min, 0);
  if (length) fault.clears = fixed(*length);
  const MicroRun run = world.run();
  const auto stalls = run.journal.all<JobStalled>();
  const auto stops = run.journal.all<JobInterrupted>();
  const auto goes_on = run.journal.all<JobUnstalled>();
  EXPECT_EQ(stalls.size(), 1U);
  if (!stops.empty()) return {stops[0].time - stalls[0].time, true};
  EXPECT_EQ(goes_on.size(), 1U);
  return {goes_on[0].time - stalls[0].time, false};
}

// Every rank gives up at its own enqueue + 600 s; the earliest ends the job, which is when the event model
// stops it.
TEST_F(StallSemantics, AHangEndsTheJobWithTheEarliestRank) {
  std::vector<double> enqueued;
  for (std::uint32_t i = 0; i < kNodes; ++i) enqueued.push_back(0.01 * (i * 7 % kNodes));
  const auto ends = stalled(enqueued, 0.001, kForEver, 600);
  ASSERT_EQ(ends.size(), kNodes);
  double earliest = kForEver;
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    EXPECT_TRUE(ends[i].second);
    EXPECT_NEAR(ends[i].first, enqueued[i] + 600, 1e-6) << i;
    earliest = std::min(earliest, ends[i].first);
  }
  const EventModel hang = event_model(FaultEffect::kHang, std::nullopt, 600_s);
  EXPECT_TRUE(hang.gave_up);
  EXPECT_NEAR(earliest - *std::min_element(enqueued.begin(), enqueued.end()),
              hang.stalled.seconds(), 1e-6);
}

// A flap of 5 s costs 5 s: in SimGrid up to the message that was under way, in the event model exactly.
TEST_F(StallSemantics, AFlapCostsItsLength) {
  const double healthy = 2 * (kNodes - 1) * kStep;
  for (const int seconds : {1, 5, 20}) {
    double last = 0;
    for (const auto& [end, gave_up] :
         stalled(std::vector<double>(kNodes, 0.0), 0.001, 0.001 + seconds, 600)) {
      EXPECT_FALSE(gave_up);
      last = std::max(last, end);
    }
    const EventModel flap = event_model(FaultEffect::kFlap, seconds * 1_s, 600_s);
    EXPECT_FALSE(flap.gave_up);
    EXPECT_EQ(flap.stalled, seconds * 1_s);
    EXPECT_NEAR(last - healthy, flap.stalled.seconds(), kStep);
  }
}

// Around the time-out both decide alike. (The stall begins at 1 ms, the ranks' clocks at 0: SimGrid's time-out is
// 1 ms longer.)
TEST_F(StallSemantics, BothGiveUpAtTheSameLength) {
  for (const double length : {1.4, 1.6}) {
    bool simgrid_gave_up = false;
    for (const auto& [end, gave_up] :
         stalled(std::vector<double>(kNodes, 0.0), 0.001, 0.001 + length, 1.501)) {
      simgrid_gave_up = simgrid_gave_up || gave_up;
    }
    const EventModel hang =
        event_model(FaultEffect::kHang, Duration::from_seconds(length), 1500 * 1_ms);
    EXPECT_EQ(hang.gave_up, simgrid_gave_up) << length;
    if (hang.gave_up) {
      EXPECT_EQ(hang.stalled, 1500 * 1_ms);
    }
  }
}

}  // namespace
}  // namespace faultline
