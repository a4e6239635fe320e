// Steps over a fabric, worked by hand: what a degraded part costs a job, to the second.
//
// Two nodes of one GPU, DP 2. A step is 60 s of compute, a reduce-scatter of 4 GB of gradients (one ring
// step of 2 GB at 100 MB/s: 20 s) and an all-gather of 2 GB of parameters (10 s): 90 s, and 44.8 us of
// latencies, which are below a millionth of it.
#include <gtest/gtest.h>

#include "test/support/fabric_world.h"

namespace faultline {
namespace {

struct TwoNodes : MicroWorld {
  explicit TwoNodes(int pool_nodes = 2) : MicroWorld(pool_nodes, 2, 1000_s) {
    scenario.fleet.pools.front().nics_per_node = 1;
    scenario.fleet.fabric = FabricConfig{
        .topology = FabricTopology::kRail, .nodes_per_leaf = 4, .spines = 1, .nic = {{1e8}, 0_ns}};
    step_over_fabric(job(), {.dp = 2});
  }

  // Degrades a part from `at` to `until`.
  void degrade(const std::string& name, DegradesConfig degrades, Duration at, Duration until,
               int node) {
    FaultClassConfig& added = fault(name, FaultEffect::kSlow, at, node);
    added.degrades = degrades;
    added.fails_restart = false;
    added.clears = fixed(until - at);
  }
};

constexpr DegradesConfig kNicAtHalf{.part = DegradedPart::kNic, .to = 0.5};

TEST(PencilPace, TheStepFollowsFromTheFabric) {
  const TwoNodes world;
  const SimulationPlan plan(world.scenario);
  const SimulationPlan::Job& job = plan.jobs().front();
  EXPECT_EQ(job.config->step_length(), 90_s + 44'800_ns);
  EXPECT_EQ(job.pace->healthy().compute, 60);
  EXPECT_NEAR(job.pace->healthy().dp, 30.0000448, 1e-9);
}

// A NIC at half makes 30 s of DP 60 s: 90 / 120 = 75%. From 100 s to 500 s: 300 s of work, 100 s lost.
TEST(PencilPace, ASlowNic) {
  TwoNodes world;
  world.degrade("nic", kNicAtHalf, 100_s, 500_s, 1);
  EXPECT_EQ(world.run().charged(), (Charged{{"productive", "15m"}, {"straggler", "1m40s"}}));
}

// With a GPU at half beside it, 60 s more: 90 / 180 = 50%. A second slow NIC adds nothing.
//   100 to 200 s at 75%: 25 s lost;  200 to 400 s at 50%: 100 s;  400 to 700 s at 75%: 75 s
TEST(PencilPace, SeveralFaultsAtOnce) {
  TwoNodes world;
  world.degrade("nic", kNicAtHalf, 100_s, 700_s, 1);
  world.degrade("gpu", {.part = DegradedPart::kGpu, .to = 0.5}, 200_s, 400_s, 0);
  world.degrade("other-nic", kNicAtHalf, 300_s, 500_s, 0);
  EXPECT_EQ(world.run().charged(), (Charged{{"productive", "13m20s"}, {"straggler", "3m20s"}}));
}

// A slow-down of known size, 75% or 120 s a step, and the NIC's 30 s on top: 90 / 150 = 60%.
TEST(PencilPace, BesideAKnownSpeed) {
  TwoNodes world;
  world.degrade("nic", kNicAtHalf, 100_s, 500_s, 1);
  FaultClassConfig& known = world.fault("known", FaultEffect::kSlow, 100_s, 0);
  known.speed = 0.75;
  known.fails_restart = false;
  known.clears = fixed(400_s);
  EXPECT_EQ(world.run().charged(), (Charged{{"productive", "14m"}, {"straggler", "2m40s"}}));
}

// A node without a part of the job: its own NIC is none of the job's, the leaf is everybody's.
TEST(PencilPace, OnAnIdleNode) {
  TwoNodes own(3);
  own.degrade("nic", kNicAtHalf, 100_s, 500_s, 2);
  EXPECT_EQ(own.run().charged(), (Charged{{"productive", "16m40s"}}));
  TwoNodes shared(3);
  shared.degrade("leaf", {.part = DegradedPart::kLeaf, .to = 0.5}, 100_s, 500_s, 2);
  EXPECT_EQ(shared.run().charged(), (Charged{{"productive", "15m"}, {"straggler", "1m40s"}}));
}

// Node 1 is lost at 100 s, at once replaced by the spare, node 2, which then counts as standing where
// node 1 stood: its NIC is the job's.
struct WithASpare : TwoNodes {
  WithASpare() : TwoNodes(2) {
    scenario.capacity.warm_spares = 1;
    karpenter().tolerations["AcceleratedHardwareReady"] = 0_s;
    FaultClassConfig& lost = fault("lost", FaultEffect::kCrash, 100_s, 1);
    lost.signals = {signal("GpuLost")};
  }
};

TEST(PencilPace, ASpareStandsWhereTheLostNodeStood) {
  WithASpare world;
  world.degrade("nic", kNicAtHalf, 500_s, 900_s, 2);
  const MicroRun run = world.run();
  ASSERT_EQ(run.journal.all<PlaceTaken>().size(), 1);
  EXPECT_EQ(run.charged().at("straggler"), "1m40s");
}

// Until 400 s the spare's GPU computes nothing: the job that moves there at 100 s waits for it.
TEST(PencilPace, ASpareWithADeadPartHoldsTheJob) {
  WithASpare world;
  world.degrade("dead", {.part = DegradedPart::kGpu, .to = 0}, 50_s, 400_s, 2);
  world.scenario.faults.classes.back().fails_restart = true;
  const MicroRun run = world.run();
  ASSERT_EQ(run.journal.all<PlaceTaken>().size(), 1);
  ASSERT_EQ(run.journal.times<JobResumed>().size(), 1);
  EXPECT_GT(run.journal.times<JobResumed>().front(), 400_s);
  EXPECT_EQ(run.charged().count("straggler"), 0);
}

MicroRun run_with_dead(DegradedPart part, int node) {
  FourNodes world;
  FaultClassConfig& dead = world.fault("dead", FaultEffect::kSlow, 100_s, node);
  dead.degrades = DegradesConfig{.part = part, .to = 0};
  dead.clears = fixed(400_s);
  return world.run();
}

TEST(PencilPace, ADeadPartThatNothingUses) {
  const MicroRun run = run_with_dead(DegradedPart::kUplink, 0);
  EXPECT_EQ(run.charged(), (Charged{{"productive", "16m40s"}}));
}

// GPU 0 takes uplink 3 too: half the bandwidth for both, 75% as above.
TEST(PencilPace, ADeadPartWithADetour) {
  const Charged slowed{{"productive", "15m"}, {"straggler", "1m40s"}};
  EXPECT_EQ(run_with_dead(DegradedPart::kUplink, 1).charged(), slowed);
  EXPECT_EQ(run_with_dead(DegradedPart::kNic, 2).charged(), slowed);
}

// Two nodes behind a dead leaf reach nobody, not even each other; a GPU that computes nothing and one
// without NVLink stop the job too. It goes on once the part is back, at 500 s.
TEST(PencilPace, ADeadPartThatCutsTheJob) {
  for (const DegradedPart part : {DegradedPart::kLeaf, DegradedPart::kGpu, DegradedPart::kNvlink}) {
    const MicroRun run = run_with_dead(part, 1);
    const auto stops = run.journal.all<JobInterrupted>();
    ASSERT_EQ(stops.size(), 1) << enum_name(part);
    EXPECT_EQ(stops.front().time, at(100_s));
    EXPECT_EQ(stops.front().what.kind, StopKind::kCrash);
    EXPECT_EQ(stops.front().what.node.slot, NodeSlot(1));
    const auto resumed = run.journal.times<JobResumed>();
    ASSERT_EQ(resumed.size(), 1) << enum_name(part);
    EXPECT_GT(resumed.front(), 500_s);
    EXPECT_EQ(run.charged().count("straggler"), 0);
  }
}

}  // namespace
}  // namespace faultline
