// Each channel's instants, with the fault gone one instant before, at and after.
#include <gtest/gtest.h>

#include "models/detectors/timing.h"

namespace faultline {
namespace {

SimTime at(Duration since_start) { return SimTime::at(since_start); }

struct Agent {
  explicit Agent(decltype(ChannelConfig::by) by, Duration report = 0_s,
                 std::int64_t occurrences = 1) {
    config.report = report;
    config.channels = {{.name = "channel", .monitor = "monitor", .by = std::move(by)}};
    config.reasons = {{.name = "Reason",
                       .condition = "Condition",
                       .severity = Severity::kFatal,
                       .channel = "channel",
                       .occurrences = occurrences}};
    config.xids.channel = "channel";
  }
  SimTime published(SimTime signal, SimTime gone, double u = 0.5, std::uint32_t slot = 0) const {
    const Contract contract(config, {});
    const Watched watched{.node = {NodeSlot(slot), generation}, .started = started};
    return DetectionTiming(config, contract)
        .published_at(ReasonId(0), watched, signal, gone, u, random);
  }
  SimTime cleared(SimTime published_at, SimTime gone) const {
    const Contract contract(config, {});
    const Watched watched{.node = {NodeSlot(0), generation}, .started = started};
    return DetectionTiming(config, contract)
        .cleared_at(ReasonId(0), watched, published_at, gone, random);
  }
  DetectorsConfig config;
  RandomSource random{1, 0};
  std::uint32_t generation = 0;
  SimTime started;
};

TEST(DetectionTiming, NextTick) {
  EXPECT_EQ(next_tick(at(5_s), 15_s, at(0_s)), at(5_s));
  EXPECT_EQ(next_tick(at(5_s), 15_s, at(5_s)), at(5_s));
  EXPECT_EQ(next_tick(at(5_s), 15_s, at(5_s + 1_ns)), at(20_s));
  EXPECT_EQ(next_tick(at(5_s), 15_s, at(20_s)), at(20_s));
  EXPECT_EQ(next_tick(at(5_s), 0_s, at(7_s)), at(7_s));
}

// A push needs no fault to be present; its delay is a quantile of the distribution.
TEST(DetectionTiming, Push) {
  const Agent agent(PushChannel{*Distribution::make_uniform(0_s, 10_s)});
  EXPECT_EQ(agent.published(at(1_h), SimTime::never(), 0.25), at(1_h + 2500_ms));
  EXPECT_EQ(agent.published(at(1_h), at(1_h), 0.25), at(1_h + 2500_ms));
}

// The first tick of a machine that was there at the start is uniform in the period, another one per
// node.
TEST(DetectionTiming, Poll) {
  const Agent agent(PollChannel{.period = 300_s, .first_tick_jitter = 0.2});
  const SimTime first = agent.published(at(0_s), SimTime::never());
  EXPECT_LT(first, at(300_s));
  EXPECT_EQ(agent.published(first + 1_ns, SimTime::never()), first + 300_s);
  EXPECT_EQ(agent.published(first + 300_s, SimTime::never()), first + 300_s);
  EXPECT_TRUE(agent.published(first + 1_ns, first + 300_s).is_never());
  EXPECT_EQ(agent.published(first + 1_ns, first + 300_s + 1_ns), first + 300_s);
  EXPECT_NE(agent.published(at(0_s), SimTime::never(), 0.5, 1), first);
  // It returns to True at the first tick that finds nothing; a tick exactly at the end finds
  // nothing.
  EXPECT_EQ(agent.cleared(first, first + 300_s), first + 300_s);
  EXPECT_EQ(agent.cleared(first, first + 300_s + 1_ns), first + 600_s);
}

TEST(DetectionTiming, PollWithTwoSightings) {
  const Agent agent(PollChannel{.period = 300_s, .first_tick_jitter = 0.2}, 0_s, 2);
  const SimTime second = agent.published(at(0_s), SimTime::never());
  EXPECT_GE(second, at(300_s));
  EXPECT_LT(second, at(600_s));
  EXPECT_TRUE(agent.published(at(0_s), second).is_never());
  EXPECT_EQ(agent.published(at(0_s), second + 1_ns), second);
}

// As a poll, and nobody reports it: a look exactly at the end finds nothing any more.
TEST(DetectionTiming, StatusCheck) {
  Agent ec2(StatusCheckChannel{.period = 60_s}, 15_s);
  const SimTime first = ec2.published(at(0_s), SimTime::never());
  EXPECT_LT(first, at(60_s));
  EXPECT_EQ(ec2.published(first + 1_ns, SimTime::never()), first + 60_s);
  EXPECT_TRUE(ec2.published(first + 1_ns, first + 60_s).is_never());
  EXPECT_EQ(ec2.published(first + 1_ns, first + 60_s + 1_ns), first + 60_s);
  EXPECT_EQ(ec2.cleared(first, first + 60_s), first + 60_s);
  EXPECT_EQ(ec2.cleared(first, first + 60_s + 1_ns), first + 120_s);
  EXPECT_NE(ec2.published(at(0_s), SimTime::never(), 0.5, 1), first);
  // Of a new machine each minute from its start.
  ec2.generation = 1;
  ec2.started = at(1_h + 7_s);
  EXPECT_EQ(ec2.published(at(1_h + 7_s), SimTime::never()), at(1_h + 67_s));
  const Agent at_once(StatusCheckChannel{.period = 0_s}, 15_s);
  EXPECT_EQ(at_once.published(at(1_h), SimTime::never()), at(1_h));
  EXPECT_EQ(at_once.cleared(at(1_h), at(2_h)), at(2_h));
}

TEST(DetectionTiming, StatusCheckWithTwoFailures) {
  const Agent ec2(StatusCheckChannel{.period = 60_s}, 0_s, 2);
  const SimTime second = ec2.published(at(0_s), SimTime::never());
  EXPECT_GE(second, at(60_s));
  EXPECT_LT(second, at(120_s));
  EXPECT_TRUE(ec2.published(at(0_s), second).is_never());
}

// A new machine polls nothing before a whole period, and up to a fifth of one later.
TEST(DetectionTiming, PollOfANewMachine) {
  Agent agent(PollChannel{.period = 300_s, .first_tick_jitter = 0.2});
  agent.generation = 1;
  agent.started = at(1_h);
  const SimTime first = agent.published(at(1_h), SimTime::never());
  EXPECT_GE(first, at(1_h + 300_s));
  EXPECT_LE(first, at(1_h + 360_s));
  EXPECT_EQ(agent.published(first + 1_ns, SimTime::never()), first + 300_s);
}

TEST(DetectionTiming, Log) {
  const Agent at_once(LogChannel{.flush = 0_s});
  EXPECT_EQ(at_once.published(at(1_h), SimTime::never()), at(1_h));
  const Agent batched(LogChannel{.flush = 5_s});
  const SimTime flush = batched.published(at(1_h), at(1_h));
  EXPECT_GE(flush, at(1_h));
  EXPECT_LT(flush, at(1_h + 5_s));
  EXPECT_EQ(batched.published(flush, flush), flush);
  EXPECT_EQ(batched.published(flush + 1_ns, flush), flush + 5_s);
}

// Reports tick every 15 s, with a phase of their own; a sighting exactly at a tick is in it.
TEST(DetectionTiming, Report) {
  const Agent agent(PushChannel{}, 15_s);
  const SimTime report = agent.published(at(1_h), SimTime::never());
  EXPECT_GE(report, at(1_h));
  EXPECT_LT(report, at(1_h + 15_s));
  EXPECT_EQ(agent.published(report, SimTime::never()), report);
  EXPECT_EQ(agent.published(report + 1_ns, SimTime::never()), report + 15_s);
  // Recheck 30 s, then the next report.
  EXPECT_EQ(agent.cleared(report, report), report + 30_s);
  EXPECT_EQ(agent.cleared(report, report + 1_ns), report + 45_s);
}

// Renewals every 10 s (at r, r + 10, ...), grace 40 s, looks every 5 s.
TEST(DetectionTiming, Lease) {
  const LeaseChannel lease{.renew = 10_s, .grace = 40_s, .monitor = 5_s};
  const Agent exact(LeaseChannel{.renew = 10_s, .grace = 40_s, .monitor = 0_s});
  // Whatever the phase: the last renewal is at most 10 s old.
  const SimTime unknown = exact.published(at(1_h), SimTime::never());
  EXPECT_GT(unknown, at(1_h + 30_s));
  EXPECT_LE(unknown, at(1_h + 40_s));
  const SimTime renewal = unknown - 40_s;
  EXPECT_EQ(exact.published(renewal, SimTime::never()), unknown);
  EXPECT_EQ(exact.published(renewal + 10_s - 1_ns, SimTime::never()), unknown);
  EXPECT_EQ(exact.published(renewal + 10_s, SimTime::never()), unknown + 10_s);
  // Back before a renewal that comes no later than the look: nobody knows.
  EXPECT_TRUE(exact.published(renewal, renewal + 40_s).is_never());
  EXPECT_EQ(exact.published(renewal, renewal + 40_s + 1_ns), unknown);
  // The controller's looks stand on multiples of 5 s.
  const Agent looked(lease);
  const SimTime seen = looked.published(at(1_h), SimTime::never());
  EXPECT_EQ(seen, next_tick(at(0_s), 5_s, unknown));
  // It returns with the next renewal.
  EXPECT_EQ(exact.cleared(unknown, renewal + 41_s), renewal + 50_s);
  // The agent's report plays no part.
  const Agent reported(LeaseChannel{.renew = 10_s, .grace = 40_s, .monitor = 0_s}, 15_s);
  EXPECT_EQ(reported.published(at(1_h), SimTime::never()), unknown);
}

}  // namespace
}  // namespace faultline
