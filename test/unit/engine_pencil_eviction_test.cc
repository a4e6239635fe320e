// Pods on a node that is unreachable for too long, by hand. The kubelet of node 0 falls silent at 25:00
// and its node is Ready=Unknown at 25:40; pods tolerate that for 5 min, to 30:40.
#include <gtest/gtest.h>

#include "test/support/micro_world.h"

namespace faultline {
namespace {

struct SilentWorld : MicroWorld {
  SilentWorld() : MicroWorld(2, 2) {
    scenario.detectors.channels[1].by = LeaseChannel{.renew = 0_s, .grace = 40_s, .monitor = 0_s};
  }
  FaultClassConfig& silent(const std::string& name, Duration from, Duration to) {
    FaultClassConfig& hiccup = fault(name, FaultEffect::kNone, from, 0);
    SignalConfig signal;
    signal.heartbeat_lost = true;
    hiccup.signals = {signal};
    hiccup.clears = fixed(to - from);
    return hiccup;
  }
};

std::vector<Duration> evictions(const MicroRun& run) {
  std::vector<Duration> times;
  for (const auto& stop : run.journal.all<JobInterrupted>()) {
    if (stop.what.kind != StopKind::kEvicted) continue;
    EXPECT_FALSE(stop.what.fault_class.valid());
    EXPECT_EQ(stop.what.node.slot, NodeSlot(0));
    times.push_back(stop.time.since_start());
  }
  return times;
}

// Back at 30:41: the deletion that was waiting takes the pod away.
//   to 30:41 = 1841 s = 3 x 605 + 26: work 1826, 26 of it lost
//   tear-down 15, back-off 10, restart 95: first step 32:41
//   to 2:00:00 = 5239 s = 8 x 605 + 399
TEST(PencilEviction, StopsTheJobWhenTheKubeletIsBack) {
  SilentWorld world;
  world.silent("hiccup", 25_min, clock(30, 41));
  const MicroRun run = world.run();
  EXPECT_EQ(evictions(run), std::vector{clock(30, 41)});
  EXPECT_EQ(run.charged(), charged({{Account::kProductive, 1800_s + 5199_s},
                                    {Account::kCheckpoint, 15_s + 40_s},
                                    {Account::kRedo, 26_s},
                                    {Account::kRestart, 120_s}}));
  EXPECT_TRUE(run.journal.all<RepairDecided>().empty());
}

// At the very end of the toleration it is in time; and pods that tolerate the taint for ever stay.
TEST(PencilEviction, NotWithinTheToleration) {
  SilentWorld in_time;
  in_time.silent("hiccup", 25_min, clock(30, 40));
  EXPECT_TRUE(evictions(in_time.run()).empty());

  SilentWorld tolerant;
  tolerant.silent("hiccup", 25_min, clock(50));
  tolerant.job().unreachable_toleration = Duration::infinite();
  EXPECT_TRUE(evictions(tolerant.run()).empty());
  tolerant.job().unreachable_toleration = clock(24, 19);
  EXPECT_EQ(evictions(tolerant.run()), std::vector{clock(50)});
}

// The kubelet is back when nothing keeps it silent any more.
TEST(PencilEviction, WaitsForTheLastOfTwoReasons) {
  SilentWorld world;
  world.silent("first", 25_min, clock(31));
  world.silent("second", 26_min, clock(33));
  EXPECT_EQ(evictions(world.run()), std::vector{clock(33)});
}

// The second silence begins before the first is over and is not noticed by then (Unknown would be 31:25): the node is
// silent from 25:00 to 40:00, Unknown from 25:40, and due for repair at 55:40, had it gone on.
TEST(PencilEviction, TwoSilencesInARowAreOne) {
  SilentWorld world;
  world.silent("first", 25_min, clock(31));
  world.silent("second", clock(30, 45), clock(40));
  const MicroRun run = world.run();
  EXPECT_EQ(evictions(run), std::vector{clock(40)});
  const auto changes = run.journal.all<ConditionChanged>();
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].time, at(clock(25, 40)));
  EXPECT_EQ(changes[0].what.status, ConditionStatus::kUnknown);
  EXPECT_EQ(changes[1].time, at(40_min));
  EXPECT_EQ(changes[1].what.status, ConditionStatus::kTrue);

  SilentWorld dies;
  dies.silent("first", 25_min, clock(31));
  dies.silent("second", clock(30, 45), 2_h);
  EXPECT_EQ(dies.run().journal.times<RepairDecided>(), std::vector{clock(55, 40)});
}

// The taint goes with Ready=Unknown, at the first renewal after the silence. The lease is renewed every 10 s, so Ready is True
// a multiple of 10 s after it became Unknown: exactly 5 min evicts nobody, 10 s more does, when the kubelet is back.
TEST(PencilEviction, CountsToTheRenewalThatEndsTheTaint) {
  int evicted = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SilentWorld world;
    world.scenario.detectors.channels[1].by =
        LeaseChannel{.renew = 10_s, .grace = 40_s, .monitor = 0_s};
    world.silent("hiccup", 25_min, clock(30, 35));
    const MicroRun run = world.run(seed);
    const auto changes = run.journal.times<ConditionChanged>();
    ASSERT_EQ(changes.size(), 2U);
    // Deleted 5 min after the taint, if that comes before the renewal; the pod stops when its kubelet has heard of it.
    const Duration deleted = changes[0] + 5_min;
    const bool is_evicted = deleted < changes[1];
    const Duration hears = deleted <= clock(30, 35) ? clock(30, 35) : changes[1];
    EXPECT_EQ(evictions(run), is_evicted ? std::vector{hears} : std::vector<Duration>{});
    evicted += is_evicted;
  }
  EXPECT_GT(evicted, 0);
  EXPECT_LT(evicted, 20);
}

// A job that is down has nothing to lose: node 1 crashes at 30:00, is replaced at 41:36, and the
// kubelet of node 0 is back at 35:00.
TEST(PencilEviction, NothingToDoForAJobThatIsDown) {
  SilentWorld world;
  world.silent("hiccup", 25_min, clock(35));
  world.fault("lost", FaultEffect::kCrash, 30_min, 1).signals = {signal("GpuLost")};
  EXPECT_TRUE(evictions(world.run()).empty());
}

// A node that Karpenter takes away meanwhile keeps no pods: decided at 55:40, the kubelet back at 55:42.
TEST(PencilEviction, NotOnANodeThatIsBeingReplaced) {
  SilentWorld world;
  world.silent("hiccup", 25_min, clock(55, 42));
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<RepairDecided>(), std::vector{clock(55, 40)});
  EXPECT_TRUE(evictions(run).empty());
}

}  // namespace
}  // namespace faultline
