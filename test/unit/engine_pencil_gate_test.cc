// The safety gate by hand: ceil(20% of the pool) for pools of 1 to 12, blocked and freed, what
// counts.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

constexpr Gate kTwentyPercent{Gate::Kind::kShare, 200'000};

MicroWorld gated(int nodes, int job_nodes = 1) {
  MicroWorld world(nodes, job_nodes);
  world.karpenter().gate = kTwentyPercent;
  return world;
}

// How many nodes are repaired if `alarms` of them alarm at the same time, for good.
std::size_t repaired(int nodes, int alarms) {
  MicroWorld world = gated(nodes);
  FaultClassConfig& alarm = world.fault("alarm", FaultEffect::kNone);
  alarm.signals = {signal("GpuLost")};
  for (int n = 0; n < alarms; ++n) alarm.strikes.push_back(strike(25_min, nodes - 1 - n));
  return world.run().journal.all<RepairDecided>().size();
}

// ceil(n / 5): 1 for 1 to 5, 2 for 6 to 10, 3 for 11 and 12. At the gate all are repaired, above it
// none.
TEST(PencilGate, CeilingForPoolsOfOneToTwelve) {
  constexpr int kAllowed[] = {0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3};
  for (int nodes = 1; nodes <= 12; ++nodes) {
    const int allowed = kAllowed[nodes];
    EXPECT_EQ(repaired(nodes, allowed), static_cast<std::size_t>(allowed)) << nodes;
    if (nodes > allowed) {
      EXPECT_EQ(repaired(nodes, allowed + 1), 0U) << nodes;
    }
  }
}

// Blocked, then freed. Pool of 5: one may be unhealthy. Node 0 crashes at 25:00, node 4 alarms at
// 26:00 until 37:00. At 35:00 two are unhealthy: blocked, looked at again at 40:00 (nobody wakes
// the controller for node 0 when node 4 recovers): replaced then.
//   tolerate 600, gate 300, drain 5, provision 91; 41:36 ready, 43:11 first step
//   to 2:00:00 = 4609 s = 7 x 605 + 374
TEST(PencilGate, BlockedThenFreed) {
  MicroWorld world = gated(5);
  world.job().may_move = false;
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  FaultClassConfig& alarm = world.fault("alarm", FaultEffect::kNone, 26_min, 4);
  alarm.clears = fixed(11_min);
  alarm.signals = {signal("LinkDown")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s + 4574_s},
                                    {Account::kCheckpoint, 10_s + 35_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 600_s},
                                    {Account::kGate, 300_s},
                                    {Account::kDrain, 5_s},
                                    {Account::kProvision, 91_s},
                                    {Account::kRestart, 95_s}}));
  const auto blocked = run.journal.all<RepairBlocked>();
  ASSERT_EQ(blocked.size(), 1U);
  EXPECT_EQ(blocked[0].time, at(35_min));
  EXPECT_EQ(blocked[0].what.unhealthy, 2);
  EXPECT_EQ(blocked[0].what.allowed, 1);
  EXPECT_EQ(blocked[0].what.total, 5);
}

// It stays blocked: a refusal every 5 min from 35:00 to the end (1:55:00 is the last before
// 2:00:00); a gate that stays shut is told once.
TEST(PencilGate, BlockedForGood) {
  MicroWorld world = gated(5);
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  world.fault("alarm", FaultEffect::kNone, 26_min, 4).signals = {signal("LinkDown")};
  const MicroRun run = world.run();
  // Node 4 is due at 56:00, and blocked too: 56:00 to 1:56:00.
  const std::vector<Duration> of_node_0 = refusals(run, NodeSlot(0), 2_h);
  ASSERT_EQ(of_node_0.size(), 17U);
  EXPECT_EQ(of_node_0.front(), 35_min);
  EXPECT_EQ(of_node_0.back(), clock(115));
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1200_s},
                                    {Account::kCheckpoint, 10_s},
                                    {Account::kRedo, 290_s},
                                    {Account::kTolerate, 600_s},
                                    {Account::kGate, clock(85)}}));
}

// A booting node counts: it is Ready False. Pool of 5, one may be unhealthy.
//   node 0: 35:00 replaced, drained and gone 35:05; its successor registers at 36:31 and is ready
//   at 36:36
//   node 4 alarms at 36:33, due at once: two are unhealthy, blocked; again at 41:33: replaced
TEST(PencilGate, BootingNodeCounts) {
  MicroWorld world = gated(5);
  world.fault("lost", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};

  world.karpenter().tolerations["NetworkingReady"] = 0_s;
  world.fault("late", FaultEffect::kNone, clock(36, 33), 4).signals = {signal("LinkDown")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<RepairBlocked>(), std::vector{clock(36, 33)});
  EXPECT_EQ(run.journal.times<RepairDecided>(), (std::vector{35_min, clock(41, 33)}));
}

TEST(PencilGate, TerminatingNodeCountsUntilItIsGone) {
  // The old node is gone 60 s after its drain (35:05): until 36:05 it counts, as unhealthy and in
  // the total.
  for (const Duration second : {clock(36, 4), clock(36, 5)}) {
    MicroWorld world = gated(5);
    world.scenario.capacity.terminate = fixed(1_min);
    world.karpenter().tolerations["NetworkingReady"] = 0_s;
    world.fault("lost", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};
    world.fault("late", FaultEffect::kNone, second, 4).signals = {signal("LinkDown")};
    const MicroRun run = world.run();
    // At 36:05 the fault's condition comes before the removal (causes before effects): it still
    // counts.
    EXPECT_EQ(run.journal.times<RepairBlocked>(), std::vector{second}) << second;
  }
  MicroWorld world = gated(5);
  world.scenario.capacity.terminate = fixed(1_min);
  world.karpenter().tolerations["NetworkingReady"] = 0_s;
  world.fault("lost", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};
  world.fault("late", FaultEffect::kNone, clock(36, 5) + 1_ns, 4).signals = {signal("LinkDown")};
  EXPECT_TRUE(world.run().journal.all<RepairBlocked>().empty());
}

// A condition without a repair policy does not count.
TEST(PencilGate, UnlistedConditionDoesNotCount) {
  MicroWorld world = gated(5);
  world.karpenter().tolerations.erase("NetworkingReady");
  world.fault("lost", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};
  world.fault("link", FaultEffect::kNone, 26_min, 4).signals = {signal("LinkDown")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<RepairDecided>(), std::vector{35_min});
}

// A gate by count; the pool's own, not the fleet's.
TEST(PencilGate, CountedGateAndOtherPool) {
  MicroWorld world(5);
  world.karpenter().gate = Gate{Gate::Kind::kCount, 1};
  world.scenario.fleet.pools.push_back({.name = "other", .nodes = 5, .gpus_per_node = 1});
  FaultClassConfig& alarm = world.fault("alarm", FaultEffect::kNone, 25_min, 4);
  alarm.signals = {signal("GpuLost")};
  alarm.strikes.push_back({.at = 25_min, .node = "other-0", .job = {}});
  EXPECT_EQ(world.run().journal.all<RepairDecided>().size(), 2U);
}

}  // namespace
}  // namespace faultline
