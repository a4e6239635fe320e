// What a degraded part costs at its place, and who is blamed for it, worked by hand.
//
// The job is that of FourNodes: four nodes of two GPUs on two leaves, TP 2, DP 4, 60 s of compute and 30 s
// of DP. A leaf has an uplink for each of its four NICs, and only those of node 1 (to node
// 2) and of node 3 (to node 0) carry anything. A dead one moves its flows to the next, which then has twice
// as much to carry: 90 / 120 = 75%. The uplinks of nodes 0 and 2 cost nothing.
#include <gtest/gtest.h>

#include "test/support/fabric_world.h"

namespace faultline {
namespace {

constexpr FaultClassId kFirst{0};
constexpr FaultClassId kSecond{1};

struct SlowPlaces : FourNodes {
  using FourNodes::FourNodes;

  FaultClassConfig& slow(DegradedPart part, double to, int node, Duration from = 100_s,
                         Duration until = 900_s) {
    FaultClassConfig& added = fault("slow", FaultEffect::kSlow, from, node);
    added.degrades = DegradesConfig{.part = part, .to = to};
    added.fails_restart = false;
    added.clears = fixed(until - from);
    return added;
  }

  // The nodes on which a detector of this kind sees the first class.
  template <class Channel>
  std::vector<NodeSlot> seen_by(Channel channel) {
    scenario.detectors.channels[0].by = channel;
    karpenter().tolerations["AcceleratedHardwareReady"] = 5_h;
    scenario.faults.classes.front().signals = {signal("GpuLost")};
    std::vector<NodeSlot> nodes;
    for (const auto& changed : run().journal.template all<ConditionChanged>()) {
      if (changed.what.status == ConditionStatus::kFalse) nodes.push_back(changed.what.node.slot);
    }
    return nodes;
  }
};

using Nodes = std::vector<NodeSlot>;

// One class, four strikes: it is seen where it costs something.
TEST(SlowPlace, ADetectorSeesWhatThePlaceCosts) {
  SlowPlaces world;
  FaultClassConfig& dead = world.slow(DegradedPart::kUplink, 0, 0);
  dead.strikes = {strike(100_s, 0), strike(150_s, 1), strike(200_s, 2), strike(250_s, 3)};
  EXPECT_EQ(world.seen_by(PeersChannel{.factor = 1.3}), (Nodes{NodeSlot(1), NodeSlot(3)}));
}

// 75% is 1.3333 times as slow: the factor is compared with the cost at the place, each detector's own.
TEST(SlowPlace, ByTheFactorOfTheDetector) {
  const auto seen = [](auto channel) {
    SlowPlaces world;
    world.slow(DegradedPart::kUplink, 0, 1);
    return world.seen_by(channel).size();
  };
  EXPECT_EQ(seen(PeersChannel{.factor = 1.333}), 1U);
  EXPECT_EQ(seen(PeersChannel{.factor = 1.334}), 0U);
  EXPECT_EQ(seen(ProgressChannel{.factor = 1.333, .window = 5_min, .names_machine = true}), 1U);
  EXPECT_EQ(seen(ProgressChannel{.factor = 1.334, .window = 5_min, .names_machine = true}), 0U);
  EXPECT_EQ(seen(ProbeChannel{.factor = 1.333, .period = 1_min, .takes = 10_s}), 1U);
  EXPECT_EQ(seen(ProbeChannel{.factor = 1.334, .period = 1_min, .takes = 10_s}), 0U);
}

// A detector of everything asks no place: it sees the uplink that costs nothing too. One that is told by
// the part itself does so as well.
TEST(SlowPlace, WhoAsksForNoFactorAsksNoPlace) {
  SlowPlaces any;
  any.slow(DegradedPart::kUplink, 0, 0);
  EXPECT_EQ(any.seen_by(PeersChannel{.factor = 1}), Nodes{NodeSlot(0)});
  SlowPlaces pushed;
  pushed.slow(DegradedPart::kUplink, 0, 0);
  EXPECT_EQ(pushed.seen_by(PushChannel{}), Nodes{NodeSlot(0)});
}

// Pushed is also what cuts the job, and what no job uses.
TEST(SlowPlace, APushNeedsNoJob) {
  for (const int node : {1, 4}) {
    SlowPlaces world(5);
    world.slow(DegradedPart::kGpu, 0, node);
    EXPECT_EQ(world.seen_by(PushChannel{}), Nodes{NodeSlot(node)});
  }
}

// A GPU at a quarter: 60 s become 240 s, 270 / 90 = 3 times as slow, whatever speed is usual without a cause.
TEST(SlowPlace, VerySlow) {
  SlowPlaces world;
  world.slow(DegradedPart::kGpu, 0.25, 1);
  EXPECT_EQ(world.seen_by(PeersChannel{.factor = 2.999}), Nodes{NodeSlot(1)});
  EXPECT_EQ(world.seen_by(PeersChannel{.factor = 3.001}), Nodes{});
}

// The part counts as if it were alone, whatever else slows the job.
TEST(SlowPlace, AsIfItWereAlone) {
  SlowPlaces world;
  world.slow(DegradedPart::kUplink, 0, 0);  // costs nothing
  world.slow(DegradedPart::kGpu, 0.25, 3, 50_s);
  EXPECT_EQ(world.seen_by(PeersChannel{.factor = 1.3}), Nodes{});
}

// What cuts the job is no slow-down to be measured.
TEST(SlowPlace, ACutIsNoSlowDown) {
  SlowPlaces world;
  world.slow(DegradedPart::kGpu, 0, 1);
  EXPECT_EQ(world.seen_by(PeersChannel{.factor = 1.3}), Nodes{});
}

// On a node without a job nothing costs anything.
TEST(SlowPlace, NoJobNoCost) {
  SlowPlaces world(5);
  world.slow(DegradedPart::kGpu, 0.25, 4);
  EXPECT_EQ(world.seen_by(ProbeChannel{.factor = 1.3, .period = 1_min, .takes = 10_s}), Nodes{});
}

// The stretches of steps, with whom they are charged to.
using Stretch = std::pair<Duration, FaultClassId>;  // extra time, class
std::vector<Stretch> slow_stretches(const MicroRun& run) {
  std::vector<Stretch> stretches;
  for (const auto& progressed : run.journal.all<JobProgressed>()) {
    if (!progressed.what.slowed_by.valid()) continue;
    stretches.emplace_back(progressed.what.straggler, progressed.what.slowed_by);
  }
  return stretches;
}

// A GPU at 80%: 60 / 0.8 is 15 s more, 90 / 105 = 85.7143%. The uplink: 75%. Together 90 / 135 = 66.6667%. The uplink is to blame whenever it is there, in whichever order they come; the whole extra time is
// charged to it.
//
//   100 to 200 s 25 s, 200 to 300 s 33.3333 s, 300 to 400 s 14.2857 s
TEST(Blame, TheFaultThatAloneWouldSlowMost) {
  SlowPlaces world;
  world.slow(DegradedPart::kUplink, 0, 1, 100_s, 300_s);
  world.slow(DegradedPart::kGpu, 0.8, 0, 200_s, 400_s);
  EXPECT_EQ(
      slow_stretches(world.run()),
      (std::vector<Stretch>{{25_s, kFirst}, {33'333'300_us, kFirst}, {14'285'700_us, kSecond}}));
  SlowPlaces reversed;
  reversed.slow(DegradedPart::kGpu, 0.8, 0, 100_s, 300_s);
  reversed.slow(DegradedPart::kUplink, 0, 1, 200_s, 400_s);
  EXPECT_EQ(
      slow_stretches(reversed.run()),
      (std::vector<Stretch>{{14'285'700_us, kFirst}, {33'333'300_us, kSecond}, {25_s, kSecond}}));
}

// Of three, the worst one: neither the first nor the last.
TEST(Blame, NeitherTheFirstNorTheLast) {
  SlowPlaces world;
  world.slow(DegradedPart::kGpu, 0.9, 0, 100_s, 400_s);
  world.slow(DegradedPart::kUplink, 0, 1, 100_s, 400_s);
  world.slow(DegradedPart::kGpu, 0.8, 2, 100_s, 400_s);
  const auto stretches = slow_stretches(world.run());
  ASSERT_EQ(stretches.size(), 1U);
  EXPECT_EQ(stretches.front().second, kSecond);
}

// A slow-down of known size stands beside what the fabric makes of a part: 74% is worse than 75%, 76% is not.
TEST(Blame, AKnownSpeedBesideAPart) {
  for (const bool worse : {true, false}) {
    SlowPlaces world;
    world.slow(DegradedPart::kUplink, 0, 1, 100_s, 400_s);
    FaultClassConfig& known = world.fault("known", FaultEffect::kSlow, 100_s, 0);
    known.speed = worse ? 0.74 : 0.76;
    known.fails_restart = false;
    known.clears = fixed(300_s);
    const auto stretches = slow_stretches(world.run());
    ASSERT_EQ(stretches.size(), 1U);
    EXPECT_EQ(stretches.front().second, worse ? kSecond : kFirst);
  }
}

// Alike: the one that came first, also once a milder one, from 240 to 260 s, makes a new stretch of it.
TEST(Blame, OfTwoAlikeTheFirst) {
  SlowPlaces world;
  world.slow(DegradedPart::kUplink, 0, 1, 100_s, 300_s);
  world.slow(DegradedPart::kUplink, 0, 3, 200_s, 400_s);
  world.slow(DegradedPart::kGpu, 0.8, 0, 240_s, 260_s);
  const auto stretches = slow_stretches(world.run());
  // The last one stays charged to whom it began with: the other one has the same pace.
  ASSERT_EQ(stretches.size(), 3U);
  EXPECT_EQ(stretches[0], (Stretch{35_s, kFirst}));
  EXPECT_EQ(stretches[1].second, kFirst);
  EXPECT_EQ(stretches[2], (Stretch{35_s, kFirst}));
}

// A part that costs nothing here is not to blame, and neither is what struck an idle node.
TEST(Blame, NobodyWhoCostsNothing) {
  SlowPlaces world(5);
  world.slow(DegradedPart::kUplink, 0, 0);
  world.slow(DegradedPart::kGpu, 0.25, 4);
  EXPECT_EQ(slow_stretches(world.run()), std::vector<Stretch>{});
}

}  // namespace
}  // namespace faultline
