// Spares by hand: a warm spare takes over, a spare is struck, a job moves to a sick spare.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// A warm spare takes over at the decision, 35:00: the pods that are being deleted are created anew
// at once (a Kubernetes Job's podReplacementPolicy), and the drain goes on beside. Restart 95:
// 36:35.
//   to 2:00:00 = 5005 s = 8 x 605 + 165
Charged spare_takes_over() {
  return charged({{Account::kProductive, 1200_s + 4965_s},
                  {Account::kCheckpoint, 10_s + 40_s},
                  {Account::kRedo, 290_s},
                  {Account::kTolerate, 600_s},
                  {Account::kRestart, 95_s}});
}

TEST(PencilSpare, WarmSpareTakesOver) {
  MicroWorld world;
  world.scenario.capacity.warm_spares = 1;
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), spare_takes_over());
  const auto taken = run.journal.all<PlaceTaken>();
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].time, at(35_min));
  EXPECT_EQ(taken[0].what.from.slot, NodeSlot(0));
  EXPECT_EQ(taken[0].what.to.slot, NodeSlot(1));
}

// A node of the pool that no job uses is a spare like any other.
TEST(PencilSpare, IdleNodeTakesOver) {
  MicroWorld world(2, 1);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().charged(), spare_takes_over());
}

// The spare is not fit at the decision, 35:00: a passing alarm, 30:00 to 36:00, within its window. At
// 36:00 it is, and takes over, though the lost slot's own machine is only there at 36:36. First step
// 37:35; to 2:00:00 = 4945 s = 8 x 605 + 105.
TEST(PencilSpare, SpareIsTakenWhenItsAlarmClears) {
  MicroWorld world(2, 1);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  FaultClassConfig& alarm = world.fault("alarm", FaultEffect::kNone, 30_min, 1);
  alarm.signals = {signal("GpuLost")};
  alarm.clears = Distribution::fixed(6_min);
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<PlaceTaken>(), std::vector{clock(36)});
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 4905_s},
                                    {Account::kCheckpoint, 10_s + 40_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 600_s},
                                    {Account::kDrain, 5_s},
                                    {Account::kProvision, 55_s},
                                    {Account::kRestart, 95_s}}));
}

// `may_move: false`: the job waits for the machine in its own slot. 36:36 ready, 38:11 first step.
TEST(PencilSpare, JobThatMayNotMoveWaits) {
  MicroWorld world;
  world.scenario.capacity.warm_spares = 1;
  world.job().may_move = false;
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_TRUE(run.journal.all<PlaceTaken>().empty());
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 4869_s},
                                    {Account::kCheckpoint, 10_s + 40_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 600_s},
                                    {Account::kDrain, 5_s},
                                    {Account::kProvision, 91_s},
                                    {Account::kRestart, 95_s}}));
}

// The machine that comes for the lost slot is the next spare: a second crash, on the spare that
// took over, at 50:00, moves the job back to slot 0.
TEST(PencilSpare, ReplacementBecomesTheNextSpare) {
  MicroWorld world(2, 1);
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(50_min, 1));
  const auto taken = world.run().journal.all<PlaceTaken>();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[1].time, at(60_min));
  EXPECT_EQ(taken[1].what.from, (NodeId{NodeSlot(1), 0}));
  EXPECT_EQ(taken[1].what.to, (NodeId{NodeSlot(0), 1}));
}

// A fault on a spare costs the job nothing; the spare is replaced all the same.
TEST(PencilSpare, FaultOnASpare) {
  MicroWorld world(2, 1);
  world.fault("lost", FaultEffect::kCrash, 25_min, 1).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 7145_s}, {Account::kCheckpoint, 55_s}}));
  EXPECT_EQ(run.journal.times<RepairDecided>(), std::vector{clock(35)});
  EXPECT_TRUE(run.journal.all<RepairWasNeedless>().empty());
  EXPECT_TRUE(run.journal.all<JobInterrupted>().empty());
  EXPECT_FALSE(run.journal.all<FaultStruck>().at(0).what.job.valid());
}

// Spare 1 is struck at 25:00 and replaced: away from 35:00, its successor is ready at 36:36. Node 0
// crashes at 26:00: drained at 36:05, when no spare is there. The successor takes over at 36:36,
// before its own (37:36).
//   26:00  1560 s = 2 x 605 + 350: work 1550, lost 350
//   tolerate 600, drain 5, provision 31, restart 95: 38:11; to 2:00:00 = 4909 s = 8 x 605 + 69
TEST(PencilSpare, SuccessorOfASpareIsWaitedFor) {
  MicroWorld world(2, 1);
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 1);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(26_min, 0));
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 4869_s},
                                            {Account::kCheckpoint, 10_s + 40_s},
                                            {Account::kRedo, 350_s},
                                            {Account::kTolerate, 600_s},
                                            {Account::kDrain, 5_s},
                                            {Account::kProvision, 31_s},
                                            {Account::kRestart, 95_s}}));
}

// The spare is sick and nobody knows: the job moves to it at 35:05 and fails there, until somebody
// is called.
//   35:00 moves; the gang starts anew at once and fails at the GPU at 35:30: page; answer after 30
//   min, 1:05:30
//   the person deletes the node, and slot 0's new machine (ready at 36:36) takes over
//   restart 95: 1:07:05; to 2:00:00 = 3175 s = 5 x 605 + 150
//   [35:00, 1:05:30] is the spare's time, unseen: detect 1830
TEST(PencilSpare, JobMovesToASickSpare) {
  MicroWorld world(2, 1);
  world.karpenter().on_call = OnCallConfig{.answers = fixed(30_min)};
  world.fault("unseen", FaultEffect::kCrash, 20_min, 1);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 3150_s},
                                    {Account::kCheckpoint, 10_s + 25_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kDetect, 1830_s},
                                    {Account::kTolerate, 600_s},
                                    {Account::kRestart, 95_s}}));
  EXPECT_EQ(run.journal.all<PlaceTaken>().size(), 2U);
}

}  // namespace
}  // namespace faultline
