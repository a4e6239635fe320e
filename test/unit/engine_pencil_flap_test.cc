// Links that flap, by hand. The transport's budget is 4.096 us x 2^20 x 7 = 30.064771072 s; with timeout
// 14 it is 4.096 us x 2^14 x 7 = 469.762048 ms.
#include <gtest/gtest.h>

#include "models/collectives/stall.h"
#include "test/support/micro_world.h"

namespace faultline {
namespace {

const Duration kBudget = Duration::nanoseconds(30'064'771'072);

FaultClassConfig& flap(MicroWorld& world, Duration at, Duration length, int node = 0) {
  FaultClassConfig& config = world.fault(
      "flap" + std::to_string(world.scenario.faults.classes.size()), FaultEffect::kFlap, at, node);
  config.clears = fixed(length);
  return config;
}

// At 25:00 (work 1490) for 5 s: 5 s of stall, and no more. 25:05 to 2:00:00 = 5695 s: 310 s to the
// checkpoint at 1800, 5 s; 5380 s = 8 x 605 + 540.
TEST(PencilFlap, FiveSecondsCostFiveSeconds) {
  MicroWorld world;
  flap(world, 25_min, 5_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1490_s + 310_s + 4800_s + 540_s},
                                    {Account::kCheckpoint, 10_s + 5_s + 40_s},
                                    {Account::kHang, 5_s}}));
  EXPECT_EQ(run.journal.times<JobStalled>(), std::vector{clock(25)});
  EXPECT_EQ(run.journal.times<JobUnstalled>(), std::vector{clock(25, 5)});
  EXPECT_TRUE(run.journal.all<JobInterrupted>().empty());
}

// As long as the budget, to the nanosecond, it is a stall; 1 ns longer, an error: as `link_outage` says.
TEST(PencilFlap, AsLongAsTheBudget) {
  ASSERT_EQ(TransportConfig{}.retry_budget(), kBudget);
  for (const Duration late : {0_ns, 1_ns}) {
    MicroWorld world;
    flap(world, 25_min, kBudget + late);
    const MicroRun run = world.run();
    const LinkOutage expected = link_outage(kBudget + late, kBudget, 10_min, 0_s);
    const bool error = expected.end == LinkOutage::End::kError;
    EXPECT_EQ(error, late == 1_ns);
    EXPECT_EQ(run.journal.all<JobInterrupted>().size(), error ? 1U : 0U);
    EXPECT_EQ(run.charged().at("hang"), to_string(expected.after));
  }
}

// Down for 60 s from 25:00: an error at 25:30.06, a crash. Idle 15 s later, at 25:45.06; restart in
// place after 10 s of back-off, at the GPU 30 s after that, at 26:25.06; the link is back since 26:00. It
// held the job from 25:30.06 to 26:00 and nobody saw it: detect.
//   first step at 25:30.06 + 15 + 10 + 95 = 27:30.06
TEST(PencilFlap, LongerIsACrash) {
  MicroWorld world;
  flap(world, 25_min, 60_s);
  const MicroRun run = world.run();
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].what.kind, StopKind::kCrash);
  EXPECT_EQ(stops[0].time, at(25_min + kBudget));
  EXPECT_EQ(stops[0].what.work_lost, 290_s);
  EXPECT_EQ(run.journal.times<JobResumed>(), std::vector{25_min + kBudget + 120_s});
  EXPECT_EQ(run.charged().at("hang"), to_string(kBudget));
  EXPECT_EQ(run.charged().at("detect"), to_string(60_s - kBudget));
  EXPECT_EQ(run.charged().at("restart"), to_string(120_s - (60_s - kBudget)));
}

// Older defaults give up sooner: 5 s are an error with a timeout of 14.
TEST(PencilFlap, TheBudgetIsTheTransports) {
  MicroWorld world;
  world.job().transport.ib_timeout = 14;
  flap(world, 25_min, 5_s);
  const MicroRun run = world.run();
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].time, at(25_min + Duration::nanoseconds(469'762'048)));
}

// A budget longer than the watchdog does not help: the watchdog ends it.
TEST(PencilFlap, TheWatchdogMayComeFirst) {
  MicroWorld world;
  world.job().transport.ib_timeout = 25;  // 962 s
  flap(world, 25_min, 20_min);
  const MicroRun run = world.run();
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_GE(stops.size(), 1U);
  EXPECT_EQ(stops[0].what.kind, StopKind::kWatchdog);
  EXPECT_EQ(stops[0].time, at(35_min));
}

// The job crashes at 25:00 and makes its first step at 27:00 (15 + 10 + 95 s). A flap from 26:30 to
// 26:50 costs nothing; one to 27:05 costs the 5 s that are left.
TEST(PencilFlap, DuringARestart) {
  for (const Duration length : {20_s, 35_s}) {
    MicroWorld world;
    world.fault("crash", FaultEffect::kCrash, 25_min, 0).clears = fixed(0_s);
    flap(world, clock(26, 30), length);
    const MicroRun run = world.run();
    EXPECT_EQ(run.journal.all<JobInterrupted>().size(), 1U);
    EXPECT_EQ(run.journal.times<JobResumed>(), std::vector{clock(27)});
    EXPECT_EQ(run.charged().contains("hang"), length == 35_s);
    if (length == 35_s) {
      EXPECT_EQ(run.charged().at("hang"), "5s");
    }
  }
}

// Node 0 hangs from 25:00 to 27:00. Node 1's link is down from 26:00 to 27:10: while everything waits
// it carries nothing, so its budget counts from 27:00, and 10 s are no error. To 27:40 it is one, at
// 27:30.06.
TEST(PencilFlap, WhileAnotherHangStallsTheJob) {
  for (const Duration up : {clock(27, 10), clock(27, 40)}) {
    MicroWorld world(2, 2);
    world.fault("hung", FaultEffect::kHang, 25_min, 0).clears = fixed(2_min);
    flap(world, 26_min, up - 26_min, 1);
    const MicroRun run = world.run();
    const auto stops = run.journal.all<JobInterrupted>();
    if (up == clock(27, 10)) {
      EXPECT_TRUE(stops.empty());
      EXPECT_EQ(run.charged().at("hang"), "2m10s");
    } else {
      ASSERT_EQ(stops.size(), 1U);
      EXPECT_EQ(stops[0].what.kind, StopKind::kCrash);
      EXPECT_EQ(stops[0].time, at(27_min + kBudget));
    }
  }
}

// The other way round: node 1's link is down from 25:00 and its messages are under way, node 0 hangs at
// 25:10 for good: the error comes at 25:30.06 all the same, and ends the hang, too.
TEST(PencilFlap, ErrorDuringAHangThatCameLater) {
  MicroWorld world(2, 2);
  world.fault("hung", FaultEffect::kHang, clock(25, 10), 0).clears = fixed(1_min);
  flap(world, 25_min, 1_min, 1);
  const MicroRun run = world.run();
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].what.kind, StopKind::kCrash);
  EXPECT_EQ(stops[0].time, at(25_min + kBudget));
}

// Two links at once, 5 s and 12 s: the job waits 12 s.
TEST(PencilFlap, TwoLinks) {
  MicroWorld world(2, 2);
  flap(world, 25_min, 5_s, 0);
  flap(world, clock(25, 2), 10_s, 1);
  EXPECT_EQ(world.run().charged().at("hang"), "12s");
}

// A monitor of the job's own ends a hang after 2 min, without a dump, where the watchdog would take 10 min
// and 15 s.
TEST(PencilFlap, ProgressTimeoutEndsAHang) {
  MicroWorld world;
  world.job().nccl_dump = 15_s;
  world.job().progress_timeout = 2_min;
  world.fault("hung", FaultEffect::kHang, 25_min, 0).clears = fixed(3_min);
  const MicroRun run = world.run();
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].time, at(27_min));
  EXPECT_EQ(run.charged().at("hang"), "2m");
}

// A job's own flap (counted per job) needs no node.
TEST(PencilFlap, OfTheJobItself) {
  MicroWorld world;
  world.job_fault("fabric", FaultEffect::kFlap, 25_min).clears = fixed(60_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged().at("hang"), to_string(kBudget));
  EXPECT_EQ(run.journal.all<JobInterrupted>().size(), 1U);
}

}  // namespace
}  // namespace faultline
