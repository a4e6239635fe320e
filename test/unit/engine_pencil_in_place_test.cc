// Nobody replaces the node: restarts in place with the container back-off, and the person on call.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

MicroWorld in_place(Duration horizon) {
  MicroWorld world(1, 1, horizon);
  world.scenario.policy =
      RestartInPlaceConfig{.on_call = {.answers = fixed(30_min)}, .repair = fixed(75_min)};
  return world;
}

// A GPU is lost for good at 25:00, seen at once; nobody looks at conditions.
//   25:15 idle; attempts begin at 25:25, fail at the GPU 30 s later, and wait 20, 40, 80, 160, 300,
//   300, ... s:
//   25:25  26:15  27:25  29:15  32:25  37:55  then every 5:30
//   25:55  the first failure pages; 55:55 somebody is there; 2:10:55 (75 min later) the node works
//   37:55 + 17 x 5:30 = 2:11:25 is the first attempt that gets to the GPU (2:11:55) when the node
//   works; 6 + 16
//   attempts have failed. First step 2:13:00
//   tolerate 25:00 to 55:55 = 1855; provision 4500; restart 2:10:55 to 2:13:00 = 125
//   to 3:00:00 = 2820 s = 4 x 605 + 400
TEST(PencilInPlace, CrashLoopUntilSomebodyMendsTheNode) {
  MicroWorld world = in_place(3_h);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 2800_s},
                                    {Account::kCheckpoint, 10_s + 20_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 1855_s},
                                    {Account::kProvision, 4500_s},
                                    {Account::kRestart, 125_s}}));
  const auto restarts = run.journal.all<JobRestarting>();
  ASSERT_EQ(restarts.size(), 1U);
  EXPECT_EQ(restarts[0].what.failed_attempts, 22U);
  EXPECT_EQ(run.journal.times<NodeRepaired>(), std::vector{clock(130, 55)});
  EXPECT_TRUE(run.journal.all<NodeRemoved>().empty());
}

// Those 4500 s of 3 h are a wait for hands, not for a machine that does not exist; a machine that is
// launched is one: drained 35:05, ready 36:36, 91 s of 2 h.
TEST(PencilInPlace, MendingIsNoStockOut) {
  MicroWorld mended = in_place(3_h);
  mended.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const ReplicationTable in_place = run_scenario(mended.scenario, {.seed = 1, .replications = 1});
  EXPECT_DOUBLE_EQ(column(in_place, "lost_ratio{cause=\"provision\"}").at(0), 4500.0 / 10800);
  EXPECT_EQ(column(in_place, "stockout_ratio").at(0), 0);

  MicroWorld replaced;
  replaced.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const ReplicationTable launched = run_scenario(replaced.scenario, {.seed = 1, .replications = 1});
  EXPECT_DOUBLE_EQ(column(launched, "stockout_ratio").at(0), 91.0 / 7200);
}

// Nobody sees it: the time until somebody is there is detection.
TEST(PencilInPlace, UnseenFault) {
  MicroWorld world = in_place(3_h);
  world.fault("unseen", FaultEffect::kCrash, 25_min, 0);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 2800_s},
                                            {Account::kCheckpoint, 10_s + 20_s},
                                            {Account::kRedo, 290_s},
                                            {Account::kDetect, 1855_s},
                                            {Account::kProvision, 4500_s},
                                            {Account::kRestart, 125_s}}));
}

// The fault is gone by itself at 26:30, before anybody comes: the attempt that begins at 26:15 gets
// to the GPU at 26:45 and is the one that succeeds. First step 26:15 + 95 = 27:50.
//   25:55  the first attempt has failed; nobody comes at 55:55
//   to 2:00:00 = 5530 s = 9 x 605 + 85. Down 170 s, of which 90 are the node's (unseen)
TEST(PencilInPlace, FaultThatClearsBeforeAnybodyComes) {
  MicroWorld world = in_place(2_h);
  world.fault("brief", FaultEffect::kCrash, 25_min, 0).clears = fixed(90_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<JobResumed>(), std::vector{clock(27, 50)});
  EXPECT_EQ(run.charged().at("productive"), to_string(1200_s + 5485_s));
  EXPECT_EQ(run.charged().at("checkpoint"), to_string(10_s + 45_s));
  EXPECT_EQ(run.charged().at("redo"), to_string(290_s));
  EXPECT_TRUE(run.journal.all<RepairDecided>().empty());
  EXPECT_EQ(run.journal.all<JobRestarting>().at(0).what.failed_attempts, 1U);
}

// Fit exactly when an attempt gets to the GPU (25:55): that attempt succeeds. 1 ns later: the next.
TEST(PencilInPlace, FitExactlyAtTheGpu) {
  for (const Duration late : {0_ns, 1_ns}) {
    MicroWorld world = in_place(2_h);
    world.fault("brief", FaultEffect::kCrash, 25_min, 0).clears = fixed(55_s + late);
    const MicroRun run = world.run();
    EXPECT_EQ(run.journal.times<JobResumed>(),
              std::vector{late == 0_ns ? clock(27) : clock(27, 50)});
  }
}

// Without `on_sick_node` the job waits until its node is fit, and starts at once: 26:30 + 95 =
// 28:05.
TEST(PencilInPlace, JobThatWaitsForAFitNode) {
  MicroWorld world = in_place(2_h);
  world.job().restart.on_sick_node = false;
  world.fault("brief", FaultEffect::kCrash, 25_min, 0).clears = fixed(90_s);
  const MicroRun run = world.run();
  // To 2:00:00 = 5515 s = 9 x 605 + 70.
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 5470_s},
                                    {Account::kCheckpoint, 10_s + 45_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kDetect, 90_s},
                                    {Account::kRestart, 95_s}}));
}

// `fails_restart: false`: the crash does not come back though the fault stays. 15 + 10 + 95 = 120
// s.
TEST(PencilInPlace, FaultThatDoesNotFailRestarts) {
  MicroWorld world = in_place(2_h);
  world.fault("once", FaultEffect::kCrash, 25_min, 0).fails_restart = false;
  EXPECT_EQ(world.run().journal.times<JobResumed>(), std::vector{clock(27)});
}

// Karpenter with somebody on call, and a fault that no detector sees: paged at 25:55, the person
// deletes the node at 55:55. Drained 56:00, ready 57:31, first step 59:06.
//   to 2:00:00 = 3654 s = 6 x 605 + 24
TEST(PencilInPlace, OnCallUnderKarpenter) {
  MicroWorld world;
  world.karpenter().on_call = OnCallConfig{.answers = fixed(30_min)};
  world.fault("unseen", FaultEffect::kCrash, 25_min, 0);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 3624_s},
                                            {Account::kCheckpoint, 10_s + 30_s},
                                            {Account::kRedo, 290_s},
                                            {Account::kDetect, 1855_s},
                                            {Account::kDrain, 5_s},
                                            {Account::kProvision, 91_s},
                                            {Account::kRestart, 95_s}}));
}

// Where a condition matches, the person leaves it to Karpenter, even if its window is longer.
TEST(PencilInPlace, OnCallLeavesASeenFaultToKarpenter) {
  MicroWorld world;
  world.karpenter().on_call = OnCallConfig{.answers = fixed(5_min)};
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{clock(35)});
}

// Without anybody on call, an unseen fault holds the job to the end.
TEST(PencilInPlace, NobodyOnCall) {
  MicroWorld world;
  world.fault("unseen", FaultEffect::kCrash, 25_min, 0);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s},
                                            {Account::kCheckpoint, 10_s},
                                            {Account::kRedo, 290_s},
                                            {Account::kDetect, clock(95)}}));
}

}  // namespace
}  // namespace faultline
