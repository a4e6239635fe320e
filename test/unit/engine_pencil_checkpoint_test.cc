// Checkpoints by hand: a crash in the blocking part, in the asynchronous write, and at both
// boundaries; silent corruption and verified checkpoints.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

MicroRun crash_at(Duration when, Duration write) {
  MicroWorld world;
  world.job().checkpoint.write = write;
  world.fault("software", FaultEffect::kCrash, when, 0).clears = fixed(0_s);
  return world.run();
}

// The second checkpoint blocks from 20:05 to 20:10. Crash at 20:07: back to the first, 600 s are
// lost, and the 2 s of the second were in vain but were a checkpoint's.
//   20:07 + 120 = 22:07; to 2:00:00 = 5873 s = 9 x 605 + 428: checkpoints 45, work 5828
TEST(PencilCheckpoint, CrashWhileItBlocks) {
  const MicroRun run = crash_at(clock(20, 7), 0_s);
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 600_s + 5828_s},
                                    {Account::kCheckpoint, 7_s + 45_s},
                                    {Account::kRedo, 600_s},
                                    {Account::kRestart, 120_s}}));
}

// Exactly when it ends, it counts; 1 ns before, it does not.
//   22:10 to 2:00:00 = 5870 s = 9 x 605 + 425: checkpoints 45, work 5825
TEST(PencilCheckpoint, CrashWhenItEnds) {
  EXPECT_EQ(crash_at(clock(20, 10), 0_s).charged(),
            charged({{Account::kProductive, 1200_s + 5825_s},
                     {Account::kCheckpoint, 10_s + 45_s},
                     {Account::kRestart, 120_s}}));
  EXPECT_EQ(crash_at(clock(20, 10) - 1_ns, 0_s).charged(),
            charged({{Account::kProductive, 600_s + 5825_s + 1_ns},
                     {Account::kCheckpoint, 10_s - 1_ns + 45_s},
                     {Account::kRedo, 600_s},
                     {Account::kRestart, 120_s}}));
}

// Crash at the instant at which the checkpoint begins to block: the work of 20:05 is not saved.
//   22:05 to 2:00:00 = 5875 s = 9 x 605 + 430
TEST(PencilCheckpoint, CrashWhenItBegins) {
  EXPECT_EQ(crash_at(clock(20, 5), 0_s).charged(), charged({{Account::kProductive, 600_s + 5830_s},
                                                            {Account::kCheckpoint, 5_s + 45_s},
                                                            {Account::kRedo, 600_s},
                                                            {Account::kRestart, 120_s}}));
}

// Written asynchronously for 60 s more: durable at 21:10.
//   crash at 21:10: 60 s are lost;  1 ns earlier: 660 s less 1 ns, and back to 600
//   23:10 to 2:00:00 = 5810 s = 9 x 605 + 365: checkpoints 45, work 5765
TEST(PencilCheckpoint, CrashDuringTheWrite) {
  EXPECT_EQ(crash_at(clock(21, 10), 1_min).charged(),
            charged({{Account::kProductive, 1200_s + 5765_s},
                     {Account::kCheckpoint, 10_s + 45_s},
                     {Account::kRedo, 60_s},
                     {Account::kRestart, 120_s}}));
  EXPECT_EQ(crash_at(clock(21, 10) - 1_ns, 1_min).charged(),
            charged({{Account::kProductive, 600_s + 5765_s + 1_ns},
                     {Account::kCheckpoint, 10_s + 45_s},
                     {Account::kRedo, 660_s - 1_ns},
                     {Account::kRestart, 120_s}}));
}

// A crash in the write, and a second one while the job is down, after the time at which the write
// would have been done: the writers died with the first crash, so nothing was saved.
//   crash at 20:30 (lost 620 s, back to 600), again at 22:00 in the restart (20:55 to 22:30): 22:00
//   + 130 = 24:10
//   24:10 to 2:00:00 = 5750 s = 9 x 605 + 305: checkpoints 45, work 5705; down 220 s
TEST(PencilCheckpoint, AbandonedWriteStaysAbandoned) {
  MicroWorld world;
  world.job().checkpoint.write = 1_min;
  FaultClassConfig& software = world.fault("software", FaultEffect::kCrash, clock(20, 30), 0);
  software.clears = fixed(0_s);
  software.strikes.push_back(strike(22_min, 0));
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 600_s + 5705_s},
                                            {Account::kCheckpoint, 10_s + 45_s},
                                            {Account::kRedo, 620_s},
                                            {Account::kRestart, 220_s}}));
}

// `every` is rounded up to whole steps: 10 min in steps of 7 s is 602 s of work. Crash at 25:00:
// 1490 s of work, checkpoints at 602 and 1204; 286 s are lost.
//   27:00 to 2:00:00 = 5580 s = 9 x 607 + 117: checkpoints 45, work 5535
TEST(PencilCheckpoint, FallsOnAStep) {
  MicroWorld world;
  world.job().step = 7_s;
  world.fault("software", FaultEffect::kCrash, 25_min, 0).clears = fixed(0_s);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1204_s + 5535_s},
                                            {Account::kCheckpoint, 10_s + 45_s},
                                            {Account::kRedo, 286_s},
                                            {Account::kRestart, 120_s}}));
}

// Silent corruption at 25:00 (a bit flip that is gone at once), found at 45:00; every second
// checkpoint is verified: 1200, 2400, ...
//   45:00  2700 s = 4 x 605 + 280: work 2680, checkpoints 20. The last verified one before the
//          strike
//          (at work 1490) is 1200: 1480 s are lost
//   47:00  = 45:00 + 15 + 10 + 95. To 2:00:00 = 4380 s = 7 x 605 + 145: checkpoints 35, work 4345
TEST(PencilCheckpoint, SilentCorruption) {
  MicroWorld world;
  world.job().checkpoint.verified_every = 2;
  FaultClassConfig& flip = world.fault("bit-flip", FaultEffect::kSilent, 25_min, 0);
  flip.clears = fixed(0_s);
  flip.found_after = fixed(20_min);
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 4345_s},
                                    {Account::kCheckpoint, 20_s + 35_s},
                                    {Account::kRedo, 1480_s},
                                    {Account::kRestart, 120_s}}));
  const auto stops = run.journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].what.kind, StopKind::kSilent);
}

// With every third checkpoint verified, 1490 s of work hold none but the start: all 2680 s are
// lost.
TEST(PencilCheckpoint, SilentCorruptionBeforeTheFirstVerified) {
  MicroWorld world;
  world.job().checkpoint.verified_every = 3;
  FaultClassConfig& flip = world.fault("bit-flip", FaultEffect::kSilent, 25_min, 0);
  flip.clears = fixed(0_s);
  flip.found_after = fixed(20_min);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 4345_s},
                                            {Account::kCheckpoint, 20_s + 35_s},
                                            {Account::kRedo, 2680_s},
                                            {Account::kRestart, 120_s}}));
}

// Corruption by the job itself (a wrong kernel, say) is over with the restart that it causes,
// whatever its `clears` says.
TEST(PencilCheckpoint, SilentCorruptionOfTheJobItself) {
  MicroWorld world;
  FaultClassConfig& kernel = world.job_fault("wrong-kernel", FaultEffect::kSilent, 25_min);
  kernel.found_after = fixed(20_min);
  kernel.clears = fixed(40_min);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 4345_s},
                                            {Account::kCheckpoint, 20_s + 35_s},
                                            {Account::kRedo, 1480_s},
                                            {Account::kRestart, 120_s}}));
}

// A crash between the strike and its discovery goes back to a corrupt checkpoint; the discovery
// then goes back to the verified one before the strike.
//   strike 25:00 (work 1490); crash 35:00: 2100 s = 3 x 605 + 285, work 2085, back to 1800, 285 s
//   lost
//   37:00 first step; found at 45:00: 480 s later, work 2280. Back to 1200: 1080 s lost. The job
//   has run for less
//   than 10 min, so the back-off is 20 s: 45:00 + 15 + 20 + 95 = 47:10
//   to 2:00:00 = 4370 s = 7 x 605 + 135: checkpoints 35, work 4335
TEST(PencilCheckpoint, CrashBeforeTheCorruptionIsFound) {
  MicroWorld world;
  world.job().checkpoint.verified_every = 2;
  {
    FaultClassConfig& flip = world.fault("bit-flip", FaultEffect::kSilent, 25_min, 0);
    flip.clears = fixed(0_s);
    flip.found_after = fixed(20_min);
  }
  world.fault("software", FaultEffect::kCrash, 35_min, 0).clears = fixed(0_s);
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s + 4335_s},
                                            {Account::kCheckpoint, 15_s + 35_s},
                                            {Account::kRedo, 285_s + 1080_s},
                                            {Account::kRestart, 120_s + 130_s}}));
}

}  // namespace
}  // namespace faultline
