// Crashes by hand: one node is lost and replaced, a transient crash, crashes during a restart. The
// world and its figures are those of test/support/micro_world.h.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// Crash at 25:00, seen 12 s later.
//   25:00  work: 25 min less two checkpoints of 5 s = 24:50, of which 20:00 is saved: 290 s are
//          lost
//   25:12  AcceleratedHardwareReady False   detect 12
//   35:12  replaced                         tolerate 600
//   35:17  drained                          drain 5
//   36:48  ready (35:12 + 1 + 90 + 5)       provision 91
//   38:23  first step                       restart 95
//   38:23 to 2:00:00 = 4897 s = 8 cycles of 605 s and 57 s: checkpoints 40, work 4857
TEST(PencilCrash, ReplacedNode) {
  MicroWorld world;
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  world.push().delay = fixed(12_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 4857_s},
                                    {Account::kCheckpoint, 10_s + 40_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kDetect, 12_s},
                                    {Account::kTolerate, 600_s},
                                    {Account::kDrain, 5_s},
                                    {Account::kProvision, 91_s},
                                    {Account::kRestart, 95_s}}));
  EXPECT_EQ(run.journal.times<ConditionChanged>().front(), clock(25, 12));
  EXPECT_EQ(run.journal.times<RepairDecided>(), std::vector{clock(35, 12)});
  EXPECT_EQ(run.journal.times<NodeDrained>(), std::vector{clock(35, 17)});
  EXPECT_EQ(run.journal.times<NodeRequested>(), std::vector{clock(35, 13)});
  EXPECT_EQ(run.journal.times<NodeRegistered>(), std::vector{clock(36, 43)});
  EXPECT_EQ(run.journal.times<NodeJoined>(), std::vector{clock(36, 48)});
  EXPECT_EQ(run.journal.times<JobRestarting>(), std::vector{clock(36, 48)});
  EXPECT_EQ(run.journal.times<JobResumed>(), std::vector{clock(38, 23)});
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].what.work_lost, 290_s);
  EXPECT_EQ(stops[0].what.kind, StopKind::kCrash);
  EXPECT_TRUE(run.journal.all<RepairWasNeedless>().empty());
}

// A crash that a restart mends (`clears: 0s`): tear-down 15 + back-off 10 + restart 95 = 120 s.
//   27:00 to 2:00:00 = 5580 s = 9 x 605 + 135: checkpoints 45, work 5535
TEST(PencilCrash, TransientCrash) {
  MicroWorld world;
  world.fault("software", FaultEffect::kCrash, 25_min, 0).clears = fixed(0_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 5535_s},
                                    {Account::kCheckpoint, 10_s + 45_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kRestart, 120_s}}));
  EXPECT_EQ(run.journal.times<JobResumed>(), std::vector{clock(27)});
}

// The error takes 30 s to reach every rank: no progress meanwhile, then tear-down, back-off,
// restart. Down from 25:00 to 27:30: 150 s.
//   27:30 to 2:00:00 = 5550 s = 9 x 605 + 105: checkpoints 45, work 5505
TEST(PencilCrash, CrashThatSurfacesLate) {
  MicroWorld world;
  world.fault("software", FaultEffect::kCrash, 25_min, 0).clears = fixed(0_s);
  world.job().crash_surfaces = fixed(30_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<JobResumed>(), std::vector{clock(27, 30)});
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 5505_s},
                                    {Account::kCheckpoint, 10_s + 45_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kRestart, 150_s}}));
}

// A second transient crash at 26:00, while the restart of the first is under way (25:25 to 27:00).
// The second stop is an early one: its back-off is 20 s.
//   26:00 + 15 + 20 + 95 = 28:10; down 190 s; nothing more is lost
//   28:10 to 2:00:00 = 5510 s = 9 x 605 + 65: checkpoints 45, work 5465
TEST(PencilCrash, CrashDuringRestart) {
  MicroWorld world;
  FaultClassConfig& software = world.fault("software", FaultEffect::kCrash, 25_min, 0);
  software.clears = fixed(0_s);
  software.strikes.push_back(strike(26_min, 0));
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 5465_s},
                                    {Account::kCheckpoint, 10_s + 45_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kRestart, 190_s}}));
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 2U);
  EXPECT_EQ(stops[1].what.work_lost, 0_s);
}

// A job that has run for `backoff_reset` starts again with the first back-off; one that ran for
// less goes on. Crashes at 25:00, and 10 min (less 1 ns) after the first step at 27:00. Lost the
// second time: 600 s of running is 600 s of work; its checkpoint has not begun.
//   exactly 10 min: 15 + 10 + 95 = 120 s;   1 ns less: 15 + 20 + 95 = 130 s
TEST(PencilCrash, BackoffIsForgottenAfterAWhile) {
  for (const Duration early : {0_ns, 1_ns}) {
    MicroWorld world;
    FaultClassConfig& software = world.fault("software", FaultEffect::kCrash, 25_min, 0);
    software.clears = fixed(0_s);
    software.strikes.push_back(strike(clock(37) - early, 0));
    const MicroRun run = world.run();
    const Duration second = early == 0_ns ? 120_s : 130_s;
    EXPECT_EQ(run.journal.times<JobResumed>(),
              (std::vector{clock(27), clock(37) - early + second}));
  }
}

// A crash at the instant of the first step finds the job running, with nothing to lose.
TEST(PencilCrash, CrashAtTheFirstStep) {
  MicroWorld world;
  FaultClassConfig& software = world.fault("software", FaultEffect::kCrash, 25_min, 0);
  software.clears = fixed(0_s);
  software.strikes.push_back(strike(27_min, 0));
  const MicroRun run = world.run();
  // Arrivals come first at equal times: it strikes the restart; stop 27:00, 15 + 20 + 95.
  EXPECT_EQ(run.journal.times<JobResumed>(), std::vector{clock(29, 10)});
  // 29:10 to 2:00:00 = 5450 s = 9 x 605 + 5.
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 5405_s},
                                    {Account::kCheckpoint, 10_s + 45_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kRestart, 250_s}}));
}

// Announced maintenance from 25:00 to 55:00: everything is saved, nothing is lost, the gang starts
// anew.
//   55:00 + 95 = 56:35; to 2:00:00 = 3805 s: 310 s of work to the checkpoint at 1800, 5 s, then
//   3490 s =
//   5 x 605 + 465: checkpoints 30, work 3775
TEST(PencilCrash, PlannedMaintenance) {
  MicroWorld world;
  world.job_fault("maintenance", FaultEffect::kPlanned, 25_min).clears = fixed(30_min);
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1490_s + 3775_s},
                                    {Account::kCheckpoint, 10_s + 30_s},
                                    {Account::kPlanned, 1800_s},
                                    {Account::kRestart, 95_s}}));
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].what.kind, StopKind::kPlanned);
  EXPECT_EQ(stops[0].what.work_lost, 0_s);
}

// Maintenance that takes no time: an orderly restart. 15 + 95 = 110 s, nothing lost.
TEST(PencilCrash, MaintenanceOfNoLength) {
  MicroWorld world;
  world.job_fault("reconfigured", FaultEffect::kPlanned, 25_min).clears = fixed(0_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<JobResumed>(), std::vector{clock(26, 50)});
}

// A crash of the job itself has no node: a restart mends it.
TEST(PencilCrash, CrashOfTheJobItself) {
  MicroWorld world;
  world.job_fault("software", FaultEffect::kCrash, 25_min);
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 5535_s},
                                    {Account::kCheckpoint, 10_s + 45_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kRestart, 120_s}}));
}

}  // namespace
}  // namespace faultline
