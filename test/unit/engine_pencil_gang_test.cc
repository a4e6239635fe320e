// Gangs and the repair shop by hand: standbys, a new gang, waiting, pre-emption, misdiagnosis, the end of the
// work.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

// Recovery takes 20 min and loses nothing; a repair takes 2 h; whatever crashes goes to the shop at once and
// would work again at once.
struct GangWorld : MicroWorld {
  explicit GangWorld(int pool_nodes, int job_nodes, int standbys)
      : MicroWorld(pool_nodes, job_nodes, 6_h) {
    job().step = 1_ns;
    job().checkpoint = {.every = 1_ns, .blocks = 0_s, .write = 0_s, .load = 0_s};
    job().restart = {.tear_down = 20_min,
                     .scheduling = 0_s,
                     .image = 0_s,
                     .nccl_init = 0_s,
                     .nccl_init_per_1000_ranks = 0_s,
                     .on_sick_node = false};
    job().gang = GangConfig{.standbys = standbys, .host_selection = 3_min};
    karpenter().tolerations = {{"AcceleratedHardwareReady", 0_s}};
    karpenter().drain = karpenter().pod_grace = karpenter().batch_window = 0_s;
    CapacityConfig& capacity = scenario.capacity;
    capacity.launch = capacity.registration = fixed(0_s);
    capacity.spares = Limit{0};
    capacity.shop.emplace();
    capacity.shop->automatic.takes = fixed(2_h);
  }
  FaultClassConfig& crashes(std::vector<ScriptedStrikeConfig> strikes) {
    FaultClassConfig& added = fault("crash", FaultEffect::kCrash);
    added.clears = fixed(0_s);
    added.signals = {signal("GpuLost")};
    added.strikes = std::move(strikes);
    return added;
  }
};

std::vector<Duration> resumed(const MicroRun& run) { return run.journal.times<JobResumed>(); }

// The worked example of models/capacity/MODEL.md.
GangWorld worked_example() {
  GangWorld world(4, 2, 1);
  world.crashes({strike(60_min, 0), strike(90_min, 1), strike(150_min, 3)});
  return world;
}

TEST(PencilGang, StandbyThenNewGangThenWait) {
  const MicroRun run = worked_example().run();
  EXPECT_EQ(resumed(run), (std::vector{3_min, 80_min, 113_min, 183_min}));
  EXPECT_EQ(run.journal.times<HostsSelected>(), (std::vector{0_min, 110_min, 180_min}));
  // 2:50 to 3:00 it waits for a machine; every stop costs 20 min, every selection 3.
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 6_h - 79_min},
                                    {Account::kNoCapacity, 10_min},
                                    {Account::kRestart, 69_min}}));
}

TEST(PencilGang, StandbysAreRefilledFirst) {
  GangWorld world = worked_example();
  world.job().gang->refill_standbys = true;
  const MicroRun run = world.run();
  EXPECT_EQ(resumed(run), (std::vector{3_min, 80_min, 113_min, 213_min}));
}

// At 2:50 there is other work to take a node from, which takes 5 min; the machine that comes back at 3:00 is not
// needed any more.
TEST(PencilGang, ANodeIsTakenFromOtherWork) {
  GangWorld world = worked_example();
  world.scenario.fleet.pools.push_back({.name = "other", .nodes = 2, .gpus_per_node = 1});
  world.job().gang->preempts = "other";
  world.job().gang->preemption = 5_min;
  const MicroRun run = world.run();
  EXPECT_EQ(resumed(run), (std::vector{3_min, 80_min, 113_min, 178_min}));
  EXPECT_EQ(run.journal.times<NodePreempted>(), std::vector{175_min});
  EXPECT_EQ(run.journal.all<NodePreempted>()[0].what.node.slot, NodeSlot(4));
}

// The work is done at 3:00 of work: 3 min before the start, and 20 min for the stop at 1:00.
TEST(PencilGang, TheRunEndsWithTheWork) {
  GangWorld world(3, 2, 1);
  world.crashes({strike(60_min, 0)});
  world.job().work = 3_h;
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<JobCompleted>(), std::vector{203_min});
  EXPECT_EQ(run.journal.times<RunEnded>(), std::vector{203_min});
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 3_h}, {Account::kRestart, 23_min}}));
}

// With checkpoints that stop the steps for 5 s after every 600 s: 3 h of work has 17 of them inside.
TEST(PencilGang, CheckpointsDelayTheEnd) {
  MicroWorld world(1, 1, 6_h);
  world.job().work = 3_h;
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<JobCompleted>(), std::vector{3_h + 85_s});
  // At half speed from 0:30 to 1:30: 3600 s = 20 + 5 + 2 x 1205 + 1165, of which 15 s are checkpoints and half of the
  // rest, 1792.5 s, is late.
  FaultClassConfig& hot = world.fault("hot", FaultEffect::kSlow, 30_min, 0);
  hot.clears = fixed(1_h);
  EXPECT_EQ(world.run().journal.times<JobCompleted>(), std::vector{3_h + 85_s + 1792500_ms});
}

// The signal blames the other node of two: that one goes to the shop, needlessly, and the struck one works on.
TEST(PencilGang, TheWrongNodeIsBlamed) {
  GangWorld world(3, 2, 1);
  world.crashes({strike(60_min, 0)}).signals[0].blames_another = 1;
  const MicroRun run = world.run();
  const auto decided = run.journal.all<RepairDecided>();
  ASSERT_EQ(decided.size(), 1U);
  EXPECT_EQ(decided[0].what.node.slot, NodeSlot(1));
  ASSERT_EQ(run.journal.all<RepairWasNeedless>().size(), 1U);
  EXPECT_EQ(run.journal.all<RepairWasNeedless>()[0].what.node.slot, NodeSlot(1));
  EXPECT_EQ(run.journal.all<PlaceTaken>()[0].what.from.slot, NodeSlot(1));
  EXPECT_EQ(resumed(run), (std::vector{3_min, 80_min}));
}

// Nobody sees why node 0 crashed. It stays, or it changes places with the standby and stands by itself.
TEST(PencilGang, NobodyIsBlamed) {
  GangWorld world(3, 2, 1);
  world.crashes({strike(60_min, 0)}).signals[0].coverage = 0;
  EXPECT_TRUE(world.run().journal.all<PlaceTaken>().empty());
  world.job().gang->swap_unexplained = true;
  const auto taken = world.run().journal.all<PlaceTaken>();
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].what.from.slot, NodeSlot(0));
  EXPECT_EQ(taken[0].what.to.slot, NodeSlot(2));
  EXPECT_TRUE(world.run().journal.all<RepairDecided>().empty());
}

// Without a gang: the slot waits for its machine, 2 h in the shop. Decided and drained at 1:00.
TEST(PencilShop, ASlotWaitsForARepairedMachine) {
  GangWorld world(1, 1, 0);
  world.job().gang.reset();
  world.crashes({strike(60_min, 0)});
  const MicroRun run = world.run();
  EXPECT_EQ(resumed(run), std::vector{3_h});
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 4_h}, {Account::kNoCapacity, 2_h}}));
}

// One machine in stock: it is there at once, and the machine that was repaired is the next in stock.
TEST(PencilShop, TheStockStandsInForTheShop) {
  GangWorld world(1, 1, 0);
  world.job().gang.reset();
  world.scenario.capacity.spares = Limit{1};
  world.crashes({strike(60_min, 0), strike(90_min, 0), strike(200_min, 0)});
  const MicroRun run = world.run();
  // 1:00: the stock's; 1:30: none, until the first machine is back at 3:00; 3:20: none, back at 3:30.
  EXPECT_EQ(resumed(run), (std::vector{80_min, 180_min, 220_min}));
}

// Two faults within 7 days: the machine is given up at the end of its second visit.
TEST(PencilShop, AMachineIsGivenUp) {
  GangWorld world(1, 1, 0);
  world.job().gang.reset();
  world.scenario.capacity.shop->retire.threshold =
      RetireThresholdConfig{.faults = 2, .within = 7_d};
  world.crashes({strike(10_min, 0), strike(150_min, 0)});
  const MicroRun run = world.run();
  const auto ends = run.journal.all<RepairStageEnded>();
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_FALSE(ends[0].what.retired);
  EXPECT_TRUE(ends[1].what.retired);
  EXPECT_EQ(ends[1].time, at(270_min));
  EXPECT_EQ(run.journal.all<NodeJoined>().size(), 1U);
}

}  // namespace
}  // namespace faultline
