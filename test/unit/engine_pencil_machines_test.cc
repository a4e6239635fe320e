// One machine goes, another comes, by hand: a drain that takes longer than the launch, a slow boot,
// a slow termination, and what outlives a machine.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// A drain of 62 s and a launch of 30 s: replaced at 35:00, the new machine would be ready at 35:36,
// but the pods of the old one are gone only at 36:02: it joins then.
//   tolerate 600, drain 62, provision 0, restart 95; 37:37 first step
//   to 2:00:00 = 4943 s = 8 x 605 + 103
TEST(PencilMachines, WaitsForTheDrain) {
  MicroWorld world;
  world.karpenter().drain = 62_s;
  world.scenario.capacity.launch = fixed(30_s);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 4903_s},
                                    {Account::kCheckpoint, 10_s + 40_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 600_s},
                                    {Account::kDrain, 62_s},
                                    {Account::kRestart, 95_s}}));
  EXPECT_EQ(run.journal.times<NodeJoined>(), std::vector{clock(36, 2)});
  const auto drained = run.journal.all<NodeDrained>();
  ASSERT_EQ(drained.size(), 1U);
  EXPECT_EQ(drained[0].what.node, (NodeId{NodeSlot(0), 0}));
  EXPECT_EQ(drained[0].time, at(clock(36, 2)));
  ASSERT_EQ(run.journal.all<NodeRemoved>().size(), 1U);
  EXPECT_EQ(run.journal.all<NodeRemoved>()[0].what.node, (NodeId{NodeSlot(0), 0}));
}

// The same, and the new machine is struck at 36:10: it stands there, and is replaced in its turn at
// 46:10.
//   36:02 to 36:10  restart 8;  tolerate 600, drain 62;  47:12 ready, 48:47 first step
//   to 2:00:00 = 4273 s = 7 x 605 + 38
TEST(PencilMachines, StruckAsSoonAsItStands) {
  MicroWorld world;
  world.karpenter().drain = 62_s;
  world.scenario.capacity.launch = fixed(30_s);
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(clock(36, 10), 0));
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 4238_s},
                                            {Account::kCheckpoint, 10_s + 35_s},
                                            {Account::kRedo, 290_s},
                                            {Account::kTolerate, 1200_s},
                                            {Account::kDrain, 124_s},
                                            {Account::kRestart, 8_s + 95_s}}));
}

// A machine boots for 40 min, and Ready is tolerated for 41: it is Ready False all the while, and left alone.
//   35:00 replaced, 36:31 registered, 1:16:31 ready; provision 35:05 to 1:16:31 = 2486
//   1:18:06 first step; to 2:00:00 = 2514 s = 4 x 605 + 94
TEST(PencilMachines, SlowBootThatIsTolerated) {
  MicroWorld world;
  world.karpenter().tolerations["Ready"] = 41_min;
  world.scenario.capacity.registration = fixed(40_min);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 2494_s},
                                            {Account::kCheckpoint, 10_s + 20_s},
                                            {Account::kRedo, 290_s},
                                            {Account::kTolerate, 600_s},
                                            {Account::kDrain, 5_s},
                                            {Account::kProvision, 2486_s},
                                            {Account::kRestart, 95_s}}));
}

// The same boot, and Ready is tolerated for 30 min: nothing asks whether the node was ever initialised. It is
// deleted while it boots, and so is the next one.
//   registered 36:31, deleted 1:06:31, drained 1:06:36; the next one requested 1:06:32, registered 1:08:02, deleted
//   1:38:02, drained 1:38:07; the third registers at 1:39:33 and would be deleted at 2:09:33
//   35:05 to 2:00:00 = 5095 s, 2 x 5 of them drain
TEST(PencilMachines, SlowBootIsRepairedAgainAndAgain) {
  MicroWorld world;
  world.karpenter().tolerations["Ready"] = 30_min;
  world.scenario.capacity.registration = fixed(40_min);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s},
                                    {Account::kCheckpoint, 10_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 600_s},
                                    {Account::kDrain, 15_s},
                                    {Account::kProvision, 5085_s}}));
  EXPECT_EQ(run.journal.times<RepairDecided>(),
            (std::vector<Duration>{35_min, clock(66, 31), clock(98, 2)}));
  EXPECT_EQ(run.journal.times<NodeRegistered>(),
            (std::vector<Duration>{clock(36, 31), clock(68, 2), clock(99, 33)}));
  EXPECT_TRUE(run.journal.all<NodeJoined>().empty());
}

// Two replacements in a row while the first old machine takes hours to terminate: its place in the
// list of Nodes is needed for the third machine, which takes it.
TEST(PencilMachines, VerySlowTermination) {
  MicroWorld world(1, 1, 6_h);
  world.scenario.capacity.terminate = fixed(5_h);
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(50_min, 0));
  lost.strikes.push_back(strike(80_min, 0));
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.all<NodeJoined>().size(), 3U);
}

// Corruption outlives the machine that made it. Struck at 25:00 (work 1490), found at 45:00; the
// machine is replaced at 35:00 for another reason.
//   35:00  work 2085, saved 1800, 285 lost; drain 5, provision 91, restart 95: 38:11
//   45:00  409 s later: work 2209; back to the verified 1200: 1009 lost. New pods, so the first
//          back-off:
//          15 + 10 + 95 = 120: 47:00; to 2:00:00 = 4380 s = 7 x 605 + 145
TEST(PencilMachines, CorruptionOutlivesItsMachine) {
  MicroWorld world;
  world.job().checkpoint.verified_every = 2;
  {
    FaultClassConfig& bad = world.fault("bad-unit", FaultEffect::kSilent, 25_min, 0);
    bad.found_after = fixed(20_min);
  }
  world.fault("alarm", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 4345_s},
                                            {Account::kCheckpoint, 15_s + 35_s},
                                            {Account::kRedo, 285_s + 1009_s},
                                            {Account::kDrain, 5_s},
                                            {Account::kProvision, 91_s},
                                            {Account::kRestart, 95_s + 120_s}}));
}

// A unit that corrupts and stays: when it is found at 45:00, restarts on it fail (its checks do),
// and somebody is called: paged at 45:55 by the first failure, there at 1:15:55.
//   found: 2680 of work, back to 1200: 1480 lost; unseen: detect 1855, drain 5, provision 91,
//   restart 95
//   1:19:06 first step; to 2:00:00 = 2454 s = 4 x 605 + 34
TEST(PencilMachines, CorruptingMachineFailsItsRestarts) {
  MicroWorld world;
  world.job().checkpoint.verified_every = 2;
  world.karpenter().on_call = OnCallConfig{.answers = fixed(30_min)};
  world.fault("bad-unit", FaultEffect::kSilent, 25_min, 0).found_after = fixed(20_min);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 2434_s},
                                            {Account::kCheckpoint, 20_s + 20_s},
                                            {Account::kRedo, 1480_s},
                                            {Account::kDetect, 1855_s},
                                            {Account::kDrain, 5_s},
                                            {Account::kProvision, 91_s},
                                            {Account::kRestart, 95_s}}));
}

// An early crash of a job that has just been started is its first: the first back-off. Then the
// second.
TEST(PencilMachines, FirstCrashHasTheFirstBackoff) {
  MicroWorld world;
  FaultClassConfig& software = world.fault("software", FaultEffect::kCrash, 5_min, 0);
  software.clears = fixed(0_s);
  software.strikes.push_back(strike(8_min, 0));
  // 5:00 + 15 + 10 + 95 = 7:00;  8:00 + 15 + 20 + 95 = 10:10
  EXPECT_EQ(world.run().journal.times<JobResumed>(), (std::vector{7_min, clock(10, 10)}));
}

// Restarts that failed on the sick node count: after 5 failed attempts and one that worked, a crash
// within 10 min waits 300 s. New pods start with the first back-off.
//   fit at 32:00: the attempt that begins at 32:25 is the sixth, and works: first step 34:00; crash
//   36:00
//   36:00 + 15 + 300 + 95 = 42:50
TEST(PencilMachines, FailedAttemptsCountForTheBackoff) {
  MicroWorld world;
  world.fault("brief", FaultEffect::kCrash, 25_min, 0).clears = fixed(7_min);
  world.fault("software", FaultEffect::kCrash, 36_min, 0).clears = fixed(0_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<JobResumed>(), (std::vector{34_min, clock(42, 50)}));

  MicroWorld replaced;
  replaced.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  replaced.fault("software", FaultEffect::kCrash, 40_min, 0).clears = fixed(0_s);
  // 38:11 first step on new pods; 40:00 + 15 + 10 + 95 = 42:00.
  EXPECT_EQ(replaced.run().journal.times<JobResumed>(), (std::vector{clock(38, 11), 42_min}));
}

}  // namespace
}  // namespace faultline
