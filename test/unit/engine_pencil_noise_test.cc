// A monitoring agent by hand. One task wakes every 6 s on all nodes at once and takes a core that a
// rank needs for 1 s: in 6 s the gang works for 5 s, so the noise is 1/5 of the steps.
#include <gtest/gtest.h>

#include "sim/engine/plan.h"
#include "sim/engine/plan_noise.h"
#include "test/support/micro_world.h"

namespace faultline {
namespace {

MonitoringConfig every_6_s(AcrossNodes across = AcrossNodes::kAligned) {
  return {.tasks = 1,
          .period = 6_s,
          .burst = 1_s,
          .cores = 1,
          .inside_node = InsideNode::kTogether,
          .across_nodes = across};
}

// A cycle is 600 s of work, 120 s of noise and 5 s of checkpoint.
//   2:00:00 = 7200 s = 9 x 725 + 675; in 675 s: 562.5 of work, 112.5 of noise
TEST(PencilNoise, AFifthOfTheSteps) {
  MicroWorld world;
  world.scenario.detectors.monitoring = every_6_s();
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 5400_s + 562500_ms},
                                            {Account::kAgentNoise, 1080_s + 112500_ms},
                                            {Account::kCheckpoint, 45_s}}));
}

TEST(PencilNoise, ASpareCoreForItIsNoNoise) {
  MicroWorld world;
  world.scenario.detectors.monitoring = every_6_s();
  world.job().spare_cores = 1;
  EXPECT_EQ(world.run().charged(),
            charged({{Account::kProductive, 7140_s + 5_s}, {Account::kCheckpoint, 55_s}}));
}

// A job of 1,000 s of work ends after 600 + 120 + 5 + 400 + 80 = 1205 s.
TEST(PencilNoise, TheWorkIsDoneLater) {
  MicroWorld world;
  world.scenario.detectors.monitoring = every_6_s();
  world.job().work = 1000_s;
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1000_s},
                                    {Account::kAgentNoise, 200_s},
                                    {Account::kCheckpoint, 5_s}}));
  EXPECT_EQ(run.journal.times<JobCompleted>(), std::vector<Duration>{1205_s});
}

// A stop in the middle: the noise that was is charged, and only work is redone.
//   crash at 25:00 = 1500 s = 2 x 725 + 50: 41.666666666 s of work, lost, 8.333333334 of noise
//   27:00 to 2:00:00 = 5580 s = 7 x 725 + 505: 420.833333333 of work, 84.166666667 of noise
TEST(PencilNoise, ACrash) {
  MicroWorld world;
  world.scenario.detectors.monitoring = every_6_s();
  world.fault("software", FaultEffect::kCrash, 25_min, 0).clears = fixed(0_s);
  EXPECT_EQ(world.run().charged(),
            charged({{Account::kProductive, 5400_s + 420833333333_ns},
                     {Account::kRedo, 41666666666_ns},
                     {Account::kAgentNoise, 1080_s + 8333333334_ns + 84166666667_ns},
                     {Account::kCheckpoint, 45_s},
                     {Account::kRestart, 120_s}}));
}

// From 24:10 = 1450 s = 2 x 725 on, the node is at half speed. Aligned, the slow node stalls with all
// others: 600 s of work, 600 s of waiting for it, a fifth of both of noise, 5 s.
//   5750 s = 3 x 1445 + 1415; in 1415 s: 1179.166666666 of steps (half of it work), the rest noise
TEST(PencilNoise, AlignedNoiseGrowsWithTheStraggler) {
  MicroWorld world(2, 2);
  world.scenario.detectors.monitoring = every_6_s();
  FaultClassConfig& hot = world.fault("hot", FaultEffect::kSlow, clock(24, 10), 0);
  hot.speed = 0.5;
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 3000_s + 589583333333_ns},
                                            {Account::kStraggler, 1800_s + 589583333333_ns},
                                            {Account::kAgentNoise, 240_s + 720_s + 235833333334_ns},
                                            {Account::kCheckpoint, 25_s}}));
}

// The example of plan_noise.h, and of models/detectors/agent_noise.h (7): beside a node at half
// speed the others' noise hides, and its own is left.
TEST(PencilNoise, IndependentNoiseHidesBehindTheStraggler) {
  MicroWorld world(2, 2);
  world.scenario.detectors.monitoring = every_6_s(AcrossNodes::kIndependent);
  world.scenario.detectors.monitoring->period = 10_s;
  world.scenario.detectors.monitoring->burst = 5_ms;
  world.fault("hot", FaultEffect::kSlow).speed = 0.8;
  world.job().nodes = 2048;
  world.job().step = 50_ms;
  const NoiseBySpeed noise = noise_of(world.scenario, world.job()).by_speed;
  EXPECT_NEAR(static_cast<double>(noise.at(1'000'000)), 100'000, 5);
  EXPECT_EQ(noise.at(800'000), 500);
  EXPECT_EQ(noise.at(700'000), 500);
  EXPECT_EQ(noise.at(900'000), noise.at(1'000'000));
  world.scenario.detectors.monitoring.reset();
  EXPECT_TRUE(noise_of(world.scenario, world.job()).by_speed.empty());
}

}  // namespace
}  // namespace faultline
