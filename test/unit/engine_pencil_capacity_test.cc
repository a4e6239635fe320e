// Capacity by hand: a limited stock, insufficient-capacity errors.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// One machine in stock; a removed one is back after 60 min. Node 0 crashes at 25:00 and takes it.
// The new machine crashes at 50:00:
//   38:11 to 50:00 = 709 s = 605 + 104: work 704; 1800 saved, 104 lost
//   1:00:00 replaced: drain 1; asked for at 1:00:01: none, and the shortage counts from when it
//   shows
//   the first machine left at 35:05 and is back at 1:35:05; launched then, ready at 1:36:40; first
//   step 1:38:15
//   tolerate 600, drain 1, no_capacity 2104, provision 95, restart 95
//   to 2:00:00 = 1305 s = 2 x 605 + 95: checkpoints 10, work 1295
TEST(PencilCapacity, EmptyStockWaitsForAMachineThatReturns) {
  MicroWorld world;
  world.scenario.capacity.spares = Limit{1};
  world.scenario.capacity.returns_after = fixed(1_h);
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(50_min, 0));
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 600_s + 1295_s},
                                    {Account::kCheckpoint, 10_s + 5_s + 10_s},
                                    {Account::kRedo, 290_s + 104_s},
                                    {Account::kTolerate, 1200_s},
                                    {Account::kDrain, 5_s + 1_s},
                                    {Account::kNoCapacity, 2104_s},
                                    {Account::kProvision, 91_s + 95_s},
                                    {Account::kRestart, 190_s}}));
  EXPECT_EQ(run.journal.times<CapacityMissing>(), std::vector{clock(60, 1)});
  EXPECT_EQ(run.journal.times<CapacityFound>(), std::vector{clock(95, 5)});
}

// Nothing ever returns in time: the job waits to the end.
TEST(PencilCapacity, EmptyStockForGood) {
  MicroWorld world;
  world.scenario.capacity.spares = Limit{0};
  world.scenario.capacity.returns_after = fixed(3_h);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().charged(), charged({{Account::kProductive, 1200_s},
                                            {Account::kCheckpoint, 10_s},
                                            {Account::kRedo, 290_s},
                                            {Account::kTolerate, 600_s},
                                            {Account::kDrain, 1_s},
                                            {Account::kNoCapacity, clock(120) - clock(35, 1)}}));
}

// Two nodes wait for the stock: first come, first served. Nodes 0 and 1 crash at 25:00; one machine
// in stock. Both old machines are back 10 min after their drain (35:05): at 45:05 node 1 is
// launched, ready at 46:40.
//   [25:00, 46:40] is node 1's: tolerate 600, drain 1, no_capacity 604, provision 95
//   48:15 first step; to 2:00:00 = 4305 s = 7 x 605 + 70
TEST(PencilCapacity, FirstComeFirstServed) {
  MicroWorld world(2, 2);
  world.scenario.capacity.spares = Limit{1};
  world.scenario.capacity.returns_after = fixed(10_min);
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(25_min, 1));
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 4270_s},
                                    {Account::kCheckpoint, 10_s + 35_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 600_s},
                                    {Account::kDrain, 1_s},
                                    {Account::kNoCapacity, 604_s},
                                    {Account::kProvision, 95_s},
                                    {Account::kRestart, 95_s}}));
  const auto joined = run.journal.all<NodeJoined>();
  ASSERT_EQ(joined.size(), 2U);
  EXPECT_EQ(joined[0].what.node.slot, NodeSlot(0));
  EXPECT_EQ(joined[1].what.node.slot, NodeSlot(1));
}

// Refused with probability 1/2, retried every 3 min: n refusals delay the launch by exactly n x 180
// s. The request is made at 35:01, one second into the drain.
TEST(PencilCapacity, RefusedLaunchesAreRetriedEveryThreeMinutes) {
  bool seen_some = false;
  bool seen_none = false;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    MicroWorld world(1, 1, 6_h);
    world.scenario.capacity.insufficient = {.probability = 0.5, .retry = 3_min};
    world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
    const MicroRun run = world.run(seed);
    const Duration late = run.journal.times<NodeRegistered>().at(0) - clock(36, 31);
    EXPECT_EQ(late % 180_s, 0_s);
    (late == 0_s ? seen_none : seen_some) = true;
    const auto account = [&](Account a) { return run.accounts[0][static_cast<std::size_t>(a)]; };
    EXPECT_EQ(account(Account::kNoCapacity), late);
    EXPECT_EQ(account(Account::kProvision), late == 0_s ? 91_s : 95_s);
    EXPECT_EQ(account(Account::kDrain), late == 0_s ? 5_s : 1_s);
    EXPECT_EQ(run.journal.all<CapacityMissing>().size(), late == 0_s ? 0U : 1U);
    EXPECT_EQ(run.journal.all<CapacityFound>().size(), late == 0_s ? 0U : 1U);
  }
  EXPECT_TRUE(seen_some && seen_none);
}

// Karpenter deletes a claim whose Node has not registered 15 min after its launch. Machines that take 17 min
// 30 s to boot never arrive (kubernetes-sigs/karpenter#2920: three claims in a row, each deleted after 15 min).
//   node 0 crashes at 25:00, is replaced at 35:00 and drained at 35:05; the new machine is asked for at 35:01,
//   given back at 50:01, asked for again 1 s later, and so on to 2:00:00
//   tolerate 600, drain 5, provision 120:00 - 35:05
TEST(PencilCapacity, BootsForLongerThanTheClaimLives) {
  MicroWorld world;
  world.scenario.capacity.launch = fixed(clock(17, 30));
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s},
                                    {Account::kCheckpoint, 10_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 600_s},
                                    {Account::kDrain, 5_s},
                                    {Account::kProvision, clock(120) - clock(35, 5)}}));
  EXPECT_EQ(run.journal.times<NodeRequested>(),
            (std::vector{clock(35, 1), clock(50, 2), clock(65, 3), clock(80, 4), clock(95, 5),
                         clock(110, 6)}));
  EXPECT_EQ(run.journal.times<RegistrationTimedOut>(),
            (std::vector{clock(50, 1), clock(65, 2), clock(80, 3), clock(95, 4), clock(110, 5)}));
  EXPECT_TRUE(run.journal.all<NodeRegistered>().empty());
}

// Registering at the very end of the 15 min is in time; and who waits for ever gets the slow machine.
TEST(PencilCapacity, BootsForAsLongAsTheClaimLives) {
  const auto joined = [](Duration launch, Duration ttl) {
    MicroWorld world;
    world.scenario.capacity.launch = fixed(launch);
    world.karpenter().registration_ttl = ttl;
    world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
    return world.run().journal.times<NodeJoined>();
  };
  EXPECT_EQ(joined(15_min, 15_min), std::vector{clock(50, 6)});
  EXPECT_EQ(joined(15_min + 1_ns, 15_min), std::vector<Duration>{});
  EXPECT_EQ(joined(clock(17, 30), Duration::infinite()), std::vector{clock(52, 36)});
}

// The one machine in stock is tried again and again: nobody else gets it, and none is lost.
TEST(PencilCapacity, TriesTheSameMachineOfAStockAgain) {
  MicroWorld world;
  world.scenario.capacity.launch = fixed(16_min);
  world.scenario.capacity.spares = Limit{1};
  world.scenario.capacity.returns_after = fixed(3_h);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<RegistrationTimedOut>().size(), 5U);
  EXPECT_TRUE(run.journal.all<CapacityMissing>().empty());
}

}  // namespace
}  // namespace faultline
