// Two faults by hand: the second one strikes while the first is being repaired. Blame follows the
// critical path: each instant is charged to the node that lets the job go on last.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// One crash, seen at once, for reference: 35:00 replaced, 35:05 drained, 36:36 ready, 38:11 first
// step.
//   38:11 to 2:00:00 = 4909 s = 8 x 605 + 69: checkpoints 40, work 4869
Charged one_crash() {
  return charged({{Account::kProductive, 1200_s + 4869_s},
                  {Account::kCheckpoint, 10_s + 40_s},
                  {Account::kRedo, 290_s},
                  {Account::kTolerate, 600_s},
                  {Account::kDrain, 5_s},
                  {Account::kProvision, 91_s},
                  {Account::kRestart, 95_s}});
}

// The same node again, at the given time: nothing changes.
void expect_no_change(Duration second) {
  MicroWorld world;
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(second, 0));
  EXPECT_EQ(world.run().charged(), one_crash()) << second;
}

TEST(PencilTwoFaults, SameNodeWhileItIsTolerated) { expect_no_change(30_min); }
TEST(PencilTwoFaults, SameNodeDuringTheDrain) { expect_no_change(clock(35, 2)); }
// 36:00: the old machine is gone, the new one is not there; nothing is struck.
TEST(PencilTwoFaults, SameNodeWhileNoMachineStandsThere) {
  expect_no_change(36_min);
  MicroWorld world;
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(36_min, 0));
  EXPECT_EQ(world.run().journal.all<FaultStruck>().size(), 1U);
}

// The new machine is struck while the job restarts on it, at 37:00: all over again from there.
//   36:36 to 37:00  the first restart: restart 24
//   37:00 seen at once; 47:00 replaced; 47:05 drained; 48:36 ready; 50:11 first step
//   to 2:00:00 = 4189 s = 6 x 605 + 559: checkpoints 30, work 4159
TEST(PencilTwoFaults, NewMachineDuringTheRestart) {
  MicroWorld world;
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(37_min, 0));
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 4159_s},
                                    {Account::kCheckpoint, 10_s + 30_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 1200_s},
                                    {Account::kDrain, 10_s},
                                    {Account::kProvision, 182_s},
                                    {Account::kRestart, 24_s + 95_s}}));
  const auto joined = run.journal.all<NodeJoined>();
  ASSERT_EQ(joined.size(), 2U);
  EXPECT_EQ(joined[0].what.node.generation, 1U);
  EXPECT_EQ(joined[1].what.node.generation, 2U);
}

// Node 0 at 25:00, node 1 at 30:00 (the worked example of ledger.h).
//   node 0: tolerate to 35:00, drain to 35:05, ready 36:36;  node 1: 40:00, 40:05, 41:36
//   [30:00, 41:36] is node 1's: tolerate 600, drain 5, provision 91;  [25:00, 30:00] is node 0's:
//   tolerate 300
//   43:11 first step; to 2:00:00 = 4609 s = 7 x 605 + 374: checkpoints 35, work 4574
TEST(PencilTwoFaults, OtherNodeWhileDown) {
  MicroWorld world(2, 2);
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(30_min, 1));
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 4574_s},
                                    {Account::kCheckpoint, 10_s + 35_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 900_s},
                                    {Account::kDrain, 5_s},
                                    {Account::kProvision, 91_s},
                                    {Account::kRestart, 95_s}}));
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 2U);
  EXPECT_FALSE(stops[0].what.already_down);
  EXPECT_TRUE(stops[1].what.already_down);
}

// A second fault that is over sooner costs nothing: node 1 crashes at 26:00 and is fit again at
// 30:00.
TEST(PencilTwoFaults, OtherNodeThatIsFitSooner) {
  MicroWorld world(2, 2);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  world.fault("brief", FaultEffect::kCrash, 26_min, 1).clears = fixed(4_min);
  EXPECT_EQ(world.run().charged(), one_crash());
}

// A gap between two holds is restart: node 0 crashes at 25:00 and is fit at 25:10, node 1 crashes
// at 25:40.
//   25:00 stop, 25:15 idle; restart from 25:25 would reach its first step at 27:00
//   25:40 node 1: seen at once; replaced 35:40, drained 35:45, ready 37:16, first step 38:51
//   [25:00, 25:10] node 0, unseen: detect 10;  [25:10, 25:40] restart 30;  then node 1's phases
//   to 2:00:00 = 4869 s = 8 x 605 + 29
TEST(PencilTwoFaults, GapBetweenTwoHolds) {
  MicroWorld world(2, 2);
  world.fault("brief", FaultEffect::kCrash, 25_min, 0).clears = fixed(10_s);
  world.fault("lost", FaultEffect::kCrash, clock(25, 40), 1).signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 4829_s},
                                            {Account::kCheckpoint, 10_s + 40_s},
                                            {Account::kRedo, 290_s},
                                            {Account::kDetect, 10_s},
                                            {Account::kTolerate, 600_s},
                                            {Account::kDrain, 5_s},
                                            {Account::kProvision, 91_s},
                                            {Account::kRestart, 30_s + 95_s}}));
}

// A rack of two nodes loses power at 25:00: both are struck, it counts once, both are replaced at
// 35:00.
TEST(PencilTwoFaults, RackCountsOnce) {
  MicroWorld world(4, 4);
  FaultClassConfig& power = world.fault("power", FaultEffect::kCrash, 25_min, 1);
  power.rate = Rate{.count = 0, .unit = ExposureUnit::kRack};
  power.signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), one_crash());
  const auto struck = run.journal.all<FaultStruck>();
  ASSERT_EQ(struck.size(), 2U);
  EXPECT_EQ(struck[0].what.node.slot, NodeSlot(0));
  EXPECT_EQ(struck[1].what.node.slot, NodeSlot(1));
  EXPECT_TRUE(struck[0].what.primary);
  EXPECT_FALSE(struck[1].what.primary);
  EXPECT_EQ(run.journal.all<JobInterrupted>().size(), 1U);
  EXPECT_EQ(run.journal.all<RepairDecided>().size(), 2U);
}

// Maintenance while a node is away: the job goes on when both are over. Maintenance from 30:00 to
// 50:00, node 0 from 25:00 to 36:36: [30:00, 50:00] is planned, [25:00, 30:00] node 0's.
//   50:00 + 95 = 51:35; to 2:00:00 = 4105 s = 6 x 605 + 475
TEST(PencilTwoFaults, MaintenanceWhileDown) {
  MicroWorld world;
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  world.job_fault("maintenance", FaultEffect::kPlanned, 30_min).clears = fixed(20_min);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 4075_s},
                                            {Account::kCheckpoint, 10_s + 30_s},
                                            {Account::kRedo, 290_s},
                                            {Account::kTolerate, 300_s},
                                            {Account::kPlanned, 1200_s},
                                            {Account::kRestart, 95_s}}));
}

}  // namespace
}  // namespace faultline
