// Parts of the fabric that several jobs share, worked by hand: who is cut, who is slowed, who is left alone.
//
// Six nodes of one GPU, three on each of two leaves, which one spine joins. A is on nodes 0 and 1, B on 2
// and 3, C on 4 and 5: A and C stay below their leaf, B crosses the spine.
//
//   leaf 0: A A B     leaf 1: B C C
//
// Each job steps as in engine_pencil_pace_test.cc: 60 s of compute and 30 s of DP at 100 MB/s. A leaf's
// uplink has 300 MB/s, of which B uses 100.
//
// Who is cut at 100 s loses 100 s of work and waits for the end of the fault, at 500 s. Its processes have
// ended at 115 s; containers start at 125, 175, 245, 355, 545 and 875 s (back-off 10 s, doubled, at most 5
// min), and reach the GPU 30 s later: at 575 s for the first time after 500 s. 95 s after 545 s it steps.
//
//   redo 100 s, detect 400 s, restart 500 to 640 s, productive 640 to 1000 s
#include <gtest/gtest.h>

#include "test/support/fabric_world.h"

namespace faultline {
namespace {

struct ThreeJobs : MicroWorld {
  explicit ThreeJobs(std::int64_t spines = 1) : MicroWorld(6, 2, 1000_s) {
    scenario.fleet.pools.front().nics_per_node = 1;
    scenario.fleet.fabric = FabricConfig{.topology = FabricTopology::kRail,
                                         .nodes_per_leaf = 3,
                                         .spines = spines,
                                         .nic = {{1e8}, 0_ns}};
    step_over_fabric(job(), {.dp = 2});
    job().name = "A";
    for (const char* name : {"B", "C"}) {
      TrainingConfig other = job();
      other.name = name;
      scenario.workloads.emplace_back(other);
    }
  }

  FaultClassConfig& degrade(DegradedPart part, double to, int node, Duration from = 100_s,
                            Duration until = 500_s) {
    FaultClassConfig& added = fault("part", FaultEffect::kSlow, from, node);
    added.degrades = DegradesConfig{.part = part, .to = to};
    added.clears = fixed(until - from);
    return added;
  }
  std::vector<Charged> run_all() const {
    const MicroRun all = run();
    return {all.charged(0), all.charged(1), all.charged(2)};
  }
};

const Charged kUntouched{{"productive", "16m40s"}};
const Charged kSlowed{{"productive", "15m"}, {"straggler", "1m40s"}};
const Charged kCut{
    {"productive", "6m"}, {"redo", "1m40s"}, {"detect", "6m40s"}, {"restart", "2m20s"}};

// Every NIC at the leaf at half: 90 / 120 = 75% for both jobs there, wherever the fault struck it.
TEST(PencilSharedPart, ASlowLeafSlowsEveryJobAtIt) {
  for (const int node : {0, 1, 2}) {
    ThreeJobs world;
    world.degrade(DegradedPart::kLeaf, 0.5, node);
    EXPECT_EQ(world.run_all(), (std::vector{kSlowed, kSlowed, kUntouched})) << node;
  }
}

TEST(PencilSharedPart, ADeadLeafCutsEveryJobAtIt) {
  for (const int node : {0, 1, 2}) {
    ThreeJobs world;
    world.degrade(DegradedPart::kLeaf, 0, node);
    EXPECT_EQ(world.run_all(), (std::vector{kCut, kCut, kUntouched})) << node;
  }
}

// The stop is charged to the class, and to the node that was struck; each job is stopped once.
TEST(PencilSharedPart, WhoIsCutSaysByWhat) {
  ThreeJobs world;
  world.degrade(DegradedPart::kLeaf, 0, 0);
  const auto stops = world.run().journal.all<JobInterrupted>();
  ASSERT_EQ(stops.size(), 2);
  for (const auto& stop : stops) {
    EXPECT_EQ(stop.time, at(100_s));
    EXPECT_EQ(stop.what.kind, StopKind::kCrash);
    EXPECT_EQ(stop.what.node.slot, NodeSlot(0));
    EXPECT_EQ(stop.what.fault_class, FaultClassId(0));
  }
  EXPECT_NE(stops[0].what.job, stops[1].what.job);
}

// The uplink at a sixth leaves B 50 MB/s of its 100; at a half 150, which is enough. Struck at a node of
// A, which does not use it.
TEST(PencilSharedPart, OnlyWhoCrossesTheSpineUsesTheUplink) {
  ThreeJobs sixth;
  sixth.degrade(DegradedPart::kUplink, 1.0 / 6, 0);
  EXPECT_EQ(sixth.run_all(), (std::vector{kUntouched, kSlowed, kUntouched}));
  ThreeJobs half;
  half.degrade(DegradedPart::kUplink, 0.5, 0);
  EXPECT_EQ(half.run_all(), (std::vector{kUntouched, kUntouched, kUntouched}));
}

TEST(PencilSharedPart, ADeadUplinkCutsWhoHasNoDetour) {
  ThreeJobs one;
  one.degrade(DegradedPart::kUplink, 0, 0);
  EXPECT_EQ(one.run_all(), (std::vector{kUntouched, kCut, kUntouched}));
  // With a second spine there is one, of 150 MB/s.
  ThreeJobs two(2);
  two.degrade(DegradedPart::kUplink, 0, 2);
  EXPECT_EQ(two.run_all(), (std::vector{kUntouched, kUntouched, kUntouched}));
}

// The spine carries B alone, whosever node was struck: one of C, or an idle one at a third leaf.
TEST(PencilSharedPart, ASpineIsUsedByWhoCrossesIt) {
  for (const int node : {5, 6}) {
    ThreeJobs slow;
    slow.scenario.fleet.pools.front().nodes = 7;
    slow.degrade(DegradedPart::kSpine, 1.0 / 6, node);
    EXPECT_EQ(slow.run_all(), (std::vector{kUntouched, kSlowed, kUntouched})) << node;
  }
  ThreeJobs dead;
  dead.degrade(DegradedPart::kSpine, 0, 5);
  EXPECT_EQ(dead.run_all(), (std::vector{kUntouched, kCut, kUntouched}));
}

// Three layers with a leaf in each pod: B crosses the core. Its uplink has 300 MB/s, as the leaf's.
TEST(PencilSharedPart, ACoreSwitchIsUsedByWhoLeavesThePod) {
  ThreeJobs world;
  world.scenario.fleet.fabric->topology = FabricTopology::kThreeLayer;
  world.scenario.fleet.fabric->leaves_per_pod = 1;
  world.scenario.fleet.fabric->cores = 1;
  world.scenario.fleet.fabric->core_oversubscription = 1;
  ThreeJobs slow = world;
  slow.degrade(DegradedPart::kCore, 1.0 / 6, 0);
  EXPECT_EQ(slow.run_all(), (std::vector{kUntouched, kSlowed, kUntouched}));
  ThreeJobs dead = world;
  dead.degrade(DegradedPart::kCore, 0, 0);
  EXPECT_EQ(dead.run_all(), (std::vector{kUntouched, kCut, kUntouched}));
}

// `fails_restart: false` is no path either.
TEST(PencilSharedPart, WithoutAPathNoRestartSucceeds) {
  ThreeJobs world;
  world.degrade(DegradedPart::kLeaf, 0, 0).fails_restart = false;
  EXPECT_EQ(world.run_all(), (std::vector{kCut, kCut, kUntouched}));
}

// Over at once: the jobs stop, and nothing holds them. Processes end at 115 s, containers start at 125 s,
// and step at 220 s.
TEST(PencilSharedPart, ADeadLeafForAnInstant) {
  ThreeJobs world;
  world.degrade(DegradedPart::kLeaf, 0, 1, 100_s, 100_s);
  const Charged stopped{{"productive", "13m"}, {"redo", "1m40s"}, {"restart", "2m"}};
  EXPECT_EQ(world.run_all(), (std::vector{stopped, stopped, kUntouched}));
}

// A second fault at the leaf from 300 to 600 s. It is an interruption of jobs that are down, and holds them
// on: the container of 545 s fails too, and that of 875 s steps at 970 s.
TEST(PencilSharedPart, TwoFaultsHoldUntilTheLastIsGone) {
  ThreeJobs world;
  world.degrade(DegradedPart::kLeaf, 0, 0);
  world.degrade(DegradedPart::kLeaf, 0, 1, 300_s, 600_s);
  const MicroRun run = world.run();
  const Charged cut{
      {"productive", "30s"}, {"redo", "1m40s"}, {"detect", "8m20s"}, {"restart", "6m10s"}};
  EXPECT_EQ(run.charged(0), cut);
  EXPECT_EQ(run.charged(1), cut);
  EXPECT_EQ(run.charged(2), kUntouched);
  EXPECT_EQ(run.journal.all<JobInterrupted>().size(), 4);
}

// Without `clears` the fault goes with the struck node: it is seen at once, tolerated for 600 s, drained
// within 5 s. The replacement is ready 96 s after the decision. A restarts with it, at 100 + 600 + 96 s.
// B, which only shared the leaf, is free at 705 s: its container of 545 s has failed, and that of 875 s steps
// at 970 s.
//
//   A: redo 100, tolerate 600, drain 5, provision 91, restart 95, productive 1200 - 891 = 309
//   B: redo 100, tolerate 600, drain 5, restart 705 to 970, productive 230
TEST(PencilSharedPart, TheRepairOfTheStruckNodeFreesAll) {
  ThreeJobs world;
  world.scenario.horizon = 1200_s;
  FaultClassConfig& dead = world.degrade(DegradedPart::kLeaf, 0, 0);
  dead.clears = std::nullopt;
  dead.signals = {signal("GpuLost")};
  EXPECT_EQ(world.run_all(), (std::vector<Charged>{{{"productive", "5m9s"},
                                                    {"redo", "1m40s"},
                                                    {"tolerate", "10m"},
                                                    {"drain", "5s"},
                                                    {"provision", "1m31s"},
                                                    {"restart", "1m35s"}},
                                                   {{"productive", "3m50s"},
                                                    {"redo", "1m40s"},
                                                    {"tolerate", "10m"},
                                                    {"drain", "5s"},
                                                    {"restart", "4m25s"}},
                                                   {{"productive", "20m"}}}));
}

// Nothing but an idle node was struck, node 6. leaf 0: A A B B, leaf 1: C C and the idle one.
TEST(PencilSharedPart, StruckAtAnIdleNode) {
  ThreeJobs world;
  world.scenario.fleet.pools.front().nodes = 7;
  world.scenario.fleet.fabric->nodes_per_leaf = 4;
  world.degrade(DegradedPart::kLeaf, 0, 6);
  EXPECT_EQ(world.run_all(), (std::vector{kUntouched, kUntouched, kCut}));
}

// A job on nodes 0 and 1 of leaf 0, two spares at leaf 1 that take the places of what is lost at 100 s, and a
// leaf that is dead from 2000 s on. Is the job cut?
bool is_cut(const std::vector<int>& lost, int leaf_of_node) {
  ThreeJobs world;
  world.scenario.workloads.resize(1);
  world.scenario.fleet.pools.front().nodes = 2;
  world.scenario.capacity.warm_spares = 2;
  world.scenario.fleet.fabric->nodes_per_leaf = 2;
  world.scenario.horizon = 5000_s;
  world.karpenter().tolerations["AcceleratedHardwareReady"] = 0_s;
  world.degrade(DegradedPart::kLeaf, 0, leaf_of_node, 2000_s, 2400_s);
  for (const int node : lost) {
    world.fault("lost", FaultEffect::kCrash, 100_s, node).signals = {signal("GpuLost")};
  }
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.all<PlaceTaken>().size(), lost.size());
  const auto stops = run.journal.all<JobInterrupted>();
  const bool cut = !stops.empty() && stops.back().what.fault_class == FaultClassId(0);
  // Down until it clears at 2400 s, or not at all.
  const auto resumed = run.journal.times<JobResumed>();
  EXPECT_EQ(!resumed.empty() && resumed.back() > 2400_s, cut);
  return cut;
}

TEST(PencilSharedPart, AJobIsWhereItsNodesAre) {
  EXPECT_TRUE(is_cut({}, 0));
  EXPECT_FALSE(is_cut({}, 2));
  // A node at each leaf; the spare counts as standing where node 0 stood.
  EXPECT_TRUE(is_cut({0}, 1));
  EXPECT_TRUE(is_cut({0}, 3));
  // It has left leaf 0 for good.
  EXPECT_FALSE(is_cut({0, 1}, 0));
  EXPECT_TRUE(is_cut({0, 1}, 3));
}

// The spare's leaf is dead already, unseen, when it takes node 0's place: the job is held there until 2400 s.
TEST(PencilSharedPart, ASpareBehindADeadLeafHoldsTheJob) {
  ThreeJobs world;
  world.scenario.workloads.resize(1);
  world.scenario.fleet.pools.front().nodes = 3;
  world.scenario.capacity.warm_spares = 1;
  world.scenario.horizon = 5000_s;
  world.karpenter().tolerations["AcceleratedHardwareReady"] = 0_s;
  world.scenario.fleet.fabric->nodes_per_leaf = 2;
  world.degrade(DegradedPart::kLeaf, 0, 3, 50_s, 2400_s);
  world.fault("lost", FaultEffect::kCrash, 100_s, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.all<PlaceTaken>().size(), 1);
  EXPECT_EQ(run.journal.all<JobInterrupted>().size(), 1);
  ASSERT_EQ(run.journal.times<JobResumed>().size(), 1);
  EXPECT_GT(run.journal.times<JobResumed>().front(), 2400_s);
}

}  // namespace
}  // namespace faultline
