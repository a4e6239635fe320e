// The horizon cuts a run in the middle of each state: what has passed of it is charged, no more.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// The same story every time: node 0 crashes at 25:00, seen at 25:12, blocked from 35:12 (a second
// node alarms until 38:00), replaced at 40:12, drained 40:17, ready 41:48, first step 43:23.
Charged cut_at(Duration horizon) {
  MicroWorld world(5, 1, horizon);
  world.karpenter().gate = Gate{Gate::Kind::kCount, 1};
  world.push().delay = fixed(12_s);
  world.job().may_move = false;
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  FaultClassConfig& alarm = world.fault("alarm", FaultEffect::kNone, 26_min, 4);
  alarm.clears = fixed(12_min);
  alarm.signals = {signal("LinkDown")};
  return world.run().charged();
}

Charged with(std::map<Account, Duration> more) {
  more[Account::kProductive] += 1200_s;
  more[Account::kCheckpoint] += 10_s;
  more[Account::kRedo] += 290_s;
  return charged(more);
}

TEST(PencilHorizon, WhileRunning) {
  EXPECT_EQ(cut_at(5_min), charged({{Account::kProductive, 300_s}}));
  EXPECT_EQ(cut_at(clock(10, 2)),
            charged({{Account::kProductive, 600_s}, {Account::kCheckpoint, 2_s}}));
  // The fault at 25:00 is past the horizon: nothing is lost.
  EXPECT_EQ(cut_at(25_min),
            charged({{Account::kProductive, 1490_s}, {Account::kCheckpoint, 10_s}}));
  EXPECT_EQ(cut_at(25_min + 1_ns), with({{Account::kDetect, 1_ns}}));
}

TEST(PencilHorizon, WhileDown) {
  EXPECT_EQ(cut_at(clock(25, 10)), with({{Account::kDetect, 10_s}}));
  EXPECT_EQ(cut_at(30_min), with({{Account::kDetect, 12_s}, {Account::kTolerate, 288_s}}));
  EXPECT_EQ(cut_at(36_min),
            with({{Account::kDetect, 12_s}, {Account::kTolerate, 600_s}, {Account::kGate, 48_s}}));
  EXPECT_EQ(cut_at(clock(40, 15)), with({{Account::kDetect, 12_s},
                                         {Account::kTolerate, 600_s},
                                         {Account::kGate, 300_s},
                                         {Account::kDrain, 3_s}}));
  EXPECT_EQ(cut_at(41_min), with({{Account::kDetect, 12_s},
                                  {Account::kTolerate, 600_s},
                                  {Account::kGate, 300_s},
                                  {Account::kDrain, 5_s},
                                  {Account::kProvision, 43_s}}));
}

TEST(PencilHorizon, WhileRestarting) {
  const auto expected = [](Duration restart, Duration work) {
    return with({{Account::kDetect, 12_s},
                 {Account::kTolerate, 600_s},
                 {Account::kGate, 300_s},
                 {Account::kDrain, 5_s},
                 {Account::kProvision, 91_s},
                 {Account::kRestart, restart},
                 {Account::kProductive, work}});
  };
  EXPECT_EQ(cut_at(clock(42, 48)), expected(60_s, 0_s));
  EXPECT_EQ(cut_at(clock(43, 23)), expected(95_s, 0_s));
  EXPECT_EQ(cut_at(clock(43, 24)), expected(95_s, 1_s));
}

TEST(PencilHorizon, WhileStalled) {
  MicroWorld world(1, 1, 27_min);
  world.fault("hung", FaultEffect::kHang, 25_min, 0);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1490_s},
                                            {Account::kCheckpoint, 10_s},
                                            {Account::kHang, 120_s}}));
}

TEST(PencilHorizon, WhileSlow) {
  MicroWorld world(1, 1, 27_min);
  world.fault("throttled", FaultEffect::kSlow, 25_min, 0).speed = 0.25;
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1490_s + 30_s},
                                            {Account::kCheckpoint, 10_s},
                                            {Account::kStraggler, 90_s}}));
}

// Tear-down and back-off after a transient crash, before the restart has begun.
TEST(PencilHorizon, WhileBackingOff) {
  MicroWorld world(1, 1, clock(25, 20));
  world.fault("software", FaultEffect::kCrash, 25_min, 0).clears = fixed(0_s);
  EXPECT_EQ(world.run().charged(), with({{Account::kRestart, 20_s}}));
}

TEST(PencilHorizon, WhilePlannedOrWithoutCapacity) {
  MicroWorld planned(1, 1, 30_min);
  planned.job_fault("maintenance", FaultEffect::kPlanned, 25_min).clears = fixed(30_min);
  EXPECT_EQ(planned.run().charged(), charged({{Account::kProductive, 1490_s},
                                              {Account::kCheckpoint, 10_s},
                                              {Account::kPlanned, 300_s}}));

  MicroWorld empty(1, 1, 40_min);
  empty.scenario.capacity.spares = Limit{0};
  empty.scenario.capacity.returns_after = fixed(1_h);
  empty.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(
      empty.run().charged(),
      with({{Account::kTolerate, 600_s}, {Account::kDrain, 1_s}, {Account::kNoCapacity, 299_s}}));
}

}  // namespace
}  // namespace faultline
