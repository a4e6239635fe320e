// Hangs and slow nodes by hand.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// The heartbeat monitor ends a hang after 8 min, at 33:00; the fault is gone at 33:01 and holds the
// restart for 1 s. Nobody is told of it.
//   33:00 stop; 33:15 idle; 33:25 restart begins; 33:55 at the GPU, the node is fit; 35:00 first
//   step
//   the hold (33:00 to 33:01) was never seen by anybody: detect 1 s; the rest is restart: 119 s
//   35:00 to 2:00:00 = 5100 s = 8 x 605 + 260: checkpoints 40, work 5060
TEST(PencilHang, EndedByTheHeartbeatMonitor) {
  MicroWorld world;
  FaultClassConfig& hang = world.fault("stuck", FaultEffect::kHang, 25_min, 0);
  hang.clears = fixed(clock(8, 1));
  hang.hang_ends_by = HangEnd::kHeartbeat;
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 5060_s},
                                    {Account::kCheckpoint, 10_s + 40_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kHang, 480_s},
                                    {Account::kDetect, 1_s},
                                    {Account::kRestart, 119_s}}));
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].what.kind, StopKind::kWatchdog);
  EXPECT_EQ(stops[0].time, at(33_min));
}

// The watchdog (600 s) and the flight recorder's dump (15 s) end a hang at 35:15. The node was seen
// at once and is replaced at 45:00, after a window of 20 min.
//   35:15  stop; hang 615. The node holds the job: tolerate until 45:00, drain 5, provision 91
//   46:36  ready; 48:11 first step; to 2:00:00 = 4309 s = 7 x 605 + 74: checkpoints 35, work 4274
TEST(PencilHang, EndedByTheWatchdog) {
  MicroWorld world;
  world.job().nccl_dump = 15_s;
  world.karpenter().tolerations["AcceleratedHardwareReady"] = 20_min;
  world.fault("hung", FaultEffect::kHang, 25_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 4274_s},
                                            {Account::kCheckpoint, 10_s + 35_s},
                                            {Account::kRedo, 290_s},
                                            {Account::kHang, 615_s},
                                            {Account::kTolerate, 585_s},
                                            {Account::kDrain, 5_s},
                                            {Account::kProvision, 91_s},
                                            {Account::kRestart, 95_s}}));
}

// A link flaps at 25:00 for 3 min, shorter than the watchdog: every rank waits 180 s, and goes on
// where it was.
//   28:00 to 2:00:00 = 5520 s: 310 s of work to the checkpoint at 1800, 5 s; 5205 s = 8 x 605 + 365
TEST(PencilHang, FlapGoesOnWithoutRestart) {
  MicroWorld world;
  world.fault("flap", FaultEffect::kHang, 25_min, 0).clears = fixed(3_min);
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1490_s + 5475_s},
                                    {Account::kCheckpoint, 10_s + 45_s},
                                    {Account::kHang, 180_s}}));
  EXPECT_TRUE(run.journal.all<JobInterrupted>().empty());
  EXPECT_EQ(run.journal.times<JobUnstalled>(), std::vector{clock(28)});
}

// Clears exactly when the watchdog would fire: causes come before effects, so the job goes on. 1 ns
// later it does not.
TEST(PencilHang, FlapAsLongAsTheWatchdog) {
  for (const Duration late : {0_ns, 1_ns}) {
    MicroWorld world;
    world.fault("flap", FaultEffect::kHang, 25_min, 0).clears = fixed(10_min + late);
    const MicroRun run = world.run();
    EXPECT_EQ(run.journal.all<JobInterrupted>().size(), late == 0_ns ? 0U : 1U);
    EXPECT_EQ(run.charged().at("hang"), "10m");
  }
}

// A flap that strikes while a checkpoint blocks (20:05 to 20:10): at 20:07, for 60 s. The 3 s that
// were left of the checkpoint are still to come.
//   before: work 1200, checkpoints 7 s. 21:07 to 2:00:00 = 5933 s: 3 s, then 5930 s = 9 x 605 + 485
TEST(PencilHang, FlapDuringACheckpoint) {
  MicroWorld world;
  world.fault("flap", FaultEffect::kHang, clock(20, 7), 0).clears = fixed(1_min);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 9 * 600_s + 485_s},
                                            {Account::kCheckpoint, 7_s + 3_s + 45_s},
                                            {Account::kHang, 60_s}}));
}

// A drain cuts the hang short: seen at once, replaced at 30:00 after a window of 5 min.
//   30:00  stop; drain 5; 31:36 ready: provision 91; 33:11 first step
//   to 2:00:00 = 5209 s = 8 x 605 + 369: checkpoints 40, work 5169
TEST(PencilHang, CutShortByADrain) {
  MicroWorld world;
  world.karpenter().tolerations["AcceleratedHardwareReady"] = 5_min;
  world.fault("hung", FaultEffect::kHang, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 5169_s},
                                    {Account::kCheckpoint, 10_s + 40_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kHang, 300_s},
                                    {Account::kDrain, 5_s},
                                    {Account::kProvision, 91_s},
                                    {Account::kRestart, 95_s}}));
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].what.kind, StopKind::kDrain);
  EXPECT_TRUE(
      stops[0].what.fault_class.valid());  // it only ended a hang that would have been counted
}

// Two hangs at once: the job goes on when both are over, and the watchdog counts from the first.
//   25:00 to 29:00 on node 0, 27:00 to 31:00 on node 1: waits 25:00 to 31:00
TEST(PencilHang, TwoHangsTogether) {
  MicroWorld world(2, 2);
  FaultClassConfig& flap = world.fault("flap", FaultEffect::kHang, 25_min, 0);
  flap.clears = fixed(4_min);
  flap.strikes.push_back(strike(27_min, 1));
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged().at("hang"), "6m");
  EXPECT_TRUE(run.journal.all<JobInterrupted>().empty());
  EXPECT_EQ(run.journal.times<JobUnstalled>(), std::vector{clock(31)});
}

// A node at half speed from 25:00 to 45:00: the job steps at its speed.
//   25:00  work 1490. 310 s of work to the checkpoint at 1800 take 620 s; 5 s; the last 575 s make
//          287.5 s
//          work 597.5, straggler 597.5, checkpoint 5: 1200
//   45:00  work 2087.5. To 2:00:00 = 4500 s: 312.5 s to 2400, 5 s, then 4182.5 s = 6 x 605 + 552.5
TEST(PencilHang, SlowNode) {
  MicroWorld world;
  FaultClassConfig& slow = world.fault("throttled", FaultEffect::kSlow, 25_min, 0);
  slow.speed = 0.5;
  slow.clears = fixed(20_min);
  EXPECT_EQ(world.run().charged(),
            charged({{Account::kProductive, 1490_s + 597500_ms + 312500_ms + 3600_s + 552500_ms},
                     {Account::kCheckpoint, 10_s + 5_s + 5_s + 30_s},
                     {Account::kStraggler, 597500_ms}}));
}

// Two slow nodes: the slowest sets the pace, 0.5 from 25:00 to 35:00 in spite of the one at 0.8
// from 20:10 to 30:10 (a checkpoint has just ended at 20:10).
//   20:10 to 25:00  290 s at 0.8: work 232, straggler 58
//   25:00 to 35:00  600 s at 0.5: 368 s to the checkpoint at 1800 need 736 s: work 300, straggler
//   300
//   35:00           work 1732; to 2:00:00 = 5100 s: 68 + 5, then 5027 = 8 x 605 + 187
TEST(PencilHang, SlowestNodeSetsThePace) {
  MicroWorld world(2, 2);
  {
    FaultClassConfig& warm = world.fault("warm", FaultEffect::kSlow, clock(20, 10), 1);
    warm.speed = 0.8;
    warm.clears = fixed(10_min);
  }
  FaultClassConfig& hot = world.fault("hot", FaultEffect::kSlow, 25_min, 0);
  hot.speed = 0.5;
  hot.clears = fixed(10_min);
  EXPECT_EQ(world.run().charged(),
            charged({{Account::kProductive, 1200_s + 232_s + 300_s + 68_s + 8 * 600_s + 187_s},
                     {Account::kCheckpoint, 10_s + 45_s},
                     {Account::kStraggler, 358_s}}));
}

// A slow node that is replaced: the job stops for it at 35:00, by decision of the policy.
//   25:00 to 35:00  600 s at 0.5: 310 s to the checkpoint at 1800 need 620 s: work 300, straggler
//   300
//   35:00           work 1790, saved 1200: 590 s lost. The straggler's time stays the straggler's.
//   38:11 first step at full speed; 4909 s = 8 x 605 + 69
TEST(PencilHang, SlowNodeIsReplaced) {
  MicroWorld world;
  FaultClassConfig& slow = world.fault("throttled", FaultEffect::kSlow, 25_min, 0);
  slow.speed = 0.5;
  slow.signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 4869_s},
                                            {Account::kCheckpoint, 10_s + 40_s},
                                            {Account::kRedo, 590_s},
                                            {Account::kStraggler, 300_s},
                                            {Account::kDrain, 5_s},
                                            {Account::kProvision, 91_s},
                                            {Account::kRestart, 95_s}}));
}

}  // namespace
}  // namespace faultline
