// The person on call under Karpenter: who acts when an alarm is up at the answer.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// A fault that nobody sees crashes the job at 25:00, and the restart in place fails at 25:55: page, answer
// at 55:55.
MicroWorld paged() {
  MicroWorld world(1, 1);
  world.karpenter().on_call = OnCallConfig{.answers = fixed(30_min)};
  world.fault("unseen", FaultEffect::kCrash, 25_min, 0);
  return world;
}

// An alarm of 5 min that does not stop the work.
void raise_alarm(MicroWorld& world, Duration at) {
  FaultClassConfig& glitch = world.fault("glitch", FaultEffect::kNone, at, 0);
  glitch.clears = fixed(5_min);
  glitch.signals = {signal("GpuLost")};
}

// Another alarm is up at the answer, from 55:00 to 60:00, due at 65:00: the person waits for Karpenter. It
// clears, the pod fails still, and nothing else would ever happen: the person deletes the node at 60:00.
//   detect [25:00, 55:00], tolerate [55:00, 60:00], drain 5 s, ready at 61:36, first step at 63:11
//   to 2:00:00 = 3409 s = 5 x 605 + 384
TEST(PencilOnCall, AnAlarmThatClearsGivesTheNodeBackToThePerson) {
  MicroWorld world = paged();
  raise_alarm(world, 55_min);
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 3384_s},
                                    {Account::kCheckpoint, 10_s + 25_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kDetect, 1800_s},
                                    {Account::kTolerate, 300_s},
                                    {Account::kDrain, 5_s},
                                    {Account::kProvision, 91_s},
                                    {Account::kRestart, 95_s}}));
  EXPECT_EQ(run.journal.times<RepairDecided>(), std::vector{clock(60)});
}

// The same alarm before the answer is over before the person comes: the answer stays 55:55.
TEST(PencilOnCall, AnAlarmBeforeTheAnswerChangesNothing) {
  MicroWorld world = paged();
  raise_alarm(world, 40_min);
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{clock(55, 55)});
}

// The alarm is matched by a repair policy that never ends tolerating it: Karpenter will not come, the
// person does.
//   tolerate [25:00, 55:55], drain 5 s, ready at 57:31, first step at 59:06
//   to 2:00:00 = 3654 s = 6 x 605 + 24
TEST(PencilOnCall, AnEndlessTolerationIsNoRepair) {
  MicroWorld world(1, 1);
  world.karpenter().on_call = OnCallConfig{.answers = fixed(30_min)};
  world.karpenter().tolerations["AcceleratedHardwareReady"] = Duration::infinite();
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 3624_s},
                                    {Account::kCheckpoint, 10_s + 30_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 1855_s},
                                    {Account::kDrain, 5_s},
                                    {Account::kProvision, 91_s},
                                    {Account::kRestart, 95_s}}));
}

}  // namespace
}  // namespace faultline
