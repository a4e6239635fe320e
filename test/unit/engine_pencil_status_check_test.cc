// The cloud provider's status checks, and Karpenter's second path that asks for them: the example of
// policies/karpenter/MODEL.md, the boundaries, and what it does not do.
#include <gtest/gtest.h>

#include <set>

#include "models/detectors/contract.h"
#include "test/support/micro_world.h"

namespace faultline {
namespace {

// EC2 looks at once (or each `period`), the controller each minute, and 2 min are too long.
MicroWorld on_ec2(int nodes = 1, Duration period = 0_s, Duration horizon = 2_h) {
  MicroWorld world(nodes, 1, horizon);
  DetectorsConfig& detectors = world.scenario.detectors;
  detectors.channels.push_back(
      {.name = "ec2", .monitor = "ec2", .by = StatusCheckChannel{.period = period}});
  detectors.reasons.push_back({.name = "Impaired",
                               .condition = "InstanceStatus",
                               .severity = Severity::kFatal,
                               .channel = "ec2"});
  world.karpenter().status_checks = StatusChecksConfig{};
  return world;
}

SignalConfig silent(double coverage = 1) {
  SignalConfig config;
  config.heartbeat_lost = true;
  config.coverage = coverage;
  return config;
}

FaultClassConfig& dead_host(MicroWorld& world, Duration at, int node = 0) {
  FaultClassConfig& host = world.fault("host", FaultEffect::kCrash, at, node);
  host.signals = {silent()};
  return host;
}

struct Change {
  Duration time;
  ConditionStatus status;
  friend bool operator==(const Change&, const Change&) = default;
};
std::ostream& operator<<(std::ostream& out, const Change& change) {
  return out << to_string(change.time) << ' ' << static_cast<int>(change.status);
}

std::vector<Change> changes_of(const MicroRun& run, const MicroWorld& world,
                               const std::string& condition) {
  const Contract contract(world.scenario.detectors, {});
  std::vector<Change> changes;
  for (const auto& found : run.journal.all<ConditionChanged>()) {
    if (contract.conditions()[found.what.condition.index()] != condition) continue;
    changes.push_back({found.time.since_start(), found.what.status});
  }
  return changes;
}

// MODEL.md. The machine that joins at 0:36:10 is looked at each minute from 0:37:10 on. It dies at
// 12:00:20: failed at 12:01:10, for 2 min at 12:03:10, deleted at the controller's look at 12:04:00.
// The kubelet is silent for less than 6 min: drained after 62 s. The new machine is asked for at
// 12:04:01 and ready at 12:05:36.
TEST(PencilStatusCheck, WorkedExample) {
  MicroWorld world = on_ec2(1, 1_min, 13_h);
  world.fault("lost", FaultEffect::kCrash, clock(24, 34), 0).signals = {signal("GpuLost")};
  dead_host(world, 12_h + 20_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<NodeJoined>(), (std::vector{clock(36, 10), 12_h + clock(5, 36)}));
  EXPECT_EQ(changes_of(run, world, "InstanceStatus"),
            (std::vector<Change>{{12_h + clock(1, 10), ConditionStatus::kFalse}}));
  EXPECT_EQ(run.journal.times<RepairDecided>(), (std::vector{clock(34, 34), 12_h + 4_min}));
  EXPECT_EQ(run.journal.times<NodeDrained>().back(), 12_h + clock(5, 2));
  EXPECT_EQ(run.journal.times<NodeRequested>().back(), 12_h + clock(4, 1));
}

// Whatever EC2's phase: failed within a minute, deleted at the first whole minute 2 min later.
TEST(PencilStatusCheck, DeletedTwoToFourMinutesAfterTheFault) {
  std::set<Duration> phases;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    MicroWorld world = on_ec2(1, 1_min);
    dead_host(world, clock(25, 20));
    const MicroRun run = world.run(seed);
    const std::vector<Change> changes = changes_of(run, world, "InstanceStatus");
    ASSERT_EQ(changes.size(), 1U);
    const Duration failed = changes[0].time;
    EXPECT_GE(failed, clock(25, 20));
    EXPECT_LT(failed, clock(26, 20));
    phases.insert(failed);
    EXPECT_EQ(run.journal.times<RepairDecided>(), std::vector{failed <= 26_min ? 28_min : 29_min});
  }
  EXPECT_GT(phases.size(), 15U);
}

TEST(PencilStatusCheck, ExactlyTwoMinutesAtALook) {
  const auto decided = [](Duration dies) {
    MicroWorld world = on_ec2();
    dead_host(world, dies);
    return world.run().journal.times<RepairDecided>();
  };
  EXPECT_EQ(decided(25_min - 1_ns), std::vector{27_min});
  EXPECT_EQ(decided(25_min), std::vector{27_min});
  EXPECT_EQ(decided(25_min + 1_s - 1_ns),
            std::vector{27_min});  // impaired since 25:00, in whole seconds
  EXPECT_EQ(decided(25_min + 1_s), std::vector{28_min});
}

// Due at 28:00. Back exactly then: EC2 says so first. A nanosecond later is too late.
TEST(PencilStatusCheck, ClearsExactlyWhenItIsDue) {
  MicroWorld world = on_ec2();
  dead_host(world, clock(25, 30)).clears = fixed(clock(2, 30));
  const MicroRun back = world.run();
  EXPECT_TRUE(back.journal.all<RepairDecided>().empty());
  EXPECT_EQ(changes_of(back, world, "InstanceStatus"),
            (std::vector<Change>{{clock(25, 30), ConditionStatus::kFalse},
                                 {28_min, ConditionStatus::kTrue}}));
  world.scenario.faults.classes.front().clears = fixed(clock(2, 30) + 1_ns);
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{28_min});
}

// The agent latches, and reports each 15 s: EC2 does neither.
TEST(PencilStatusCheck, NeitherLatchedNorReportedByTheAgent) {
  MicroWorld world = on_ec2();
  world.scenario.detectors.latching = true;
  world.scenario.detectors.report = 15_s;
  dead_host(world, clock(25, 31)).clears = fixed(1_min);
  EXPECT_EQ(changes_of(world.run(), world, "InstanceStatus"),
            (std::vector<Change>{{clock(25, 31), ConditionStatus::kFalse},
                                 {clock(26, 31), ConditionStatus::kTrue}}));
}

// A silent kubelet is no dead host, and neither is a hang.
TEST(PencilStatusCheck, OnlyAHostThatIsGoneFails) {
  for (const FaultEffect effect : {FaultEffect::kNone, FaultEffect::kHang}) {
    MicroWorld world = on_ec2();
    world.fault("silent", effect, 25_min, 0).signals = {silent()};
    const MicroRun run = world.run();
    EXPECT_TRUE(changes_of(run, world, "InstanceStatus").empty());
    EXPECT_EQ(changes_of(run, world, "Ready").size(), 1U);
  }
}

// Half of the class are dead hosts: EC2 sees those that the lease shows, and no others.
TEST(PencilStatusCheck, SeesTheHostsThatTheLeaseShows) {
  int dead = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    MicroWorld world = on_ec2();
    world.fault("memory", FaultEffect::kCrash, 25_min, 0).signals = {silent(0.5)};
    const MicroRun run = world.run(seed);
    const bool shown = !changes_of(run, world, "Ready").empty();
    EXPECT_EQ(!changes_of(run, world, "InstanceStatus").empty(), shown);
    dead += shown ? 1 : 0;
  }
  EXPECT_GT(dead, 8);
  EXPECT_LT(dead, 32);
}

// Four signals and the status check; a class that says itself how the check sees it.
TEST(PencilStatusCheck, BesideOtherSignals) {
  MicroWorld world = on_ec2();
  dead_host(world, 25_min).signals = {signal("GpuLost"), signal("LinkDown"), signal("GpuLost"),
                                      silent()};
  EXPECT_EQ(changes_of(world.run(), world, "InstanceStatus").size(), 1U);
  SignalConfig unseen = signal("Impaired");
  unseen.coverage = 0;
  world.scenario.faults.classes.front().signals = {silent(), unseen};
  EXPECT_TRUE(changes_of(world.run(), world, "InstanceStatus").empty());
}

TEST(PencilStatusCheck, DisabledMonitors) {
  MicroWorld world = on_ec2();
  dead_host(world, 25_min);
  world.scenario.detectors.disabled_monitors = {"kubelet"};
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{27_min});
  world.scenario.detectors.disabled_monitors = {"ec2"};
  const MicroRun run = world.run();
  EXPECT_TRUE(changes_of(run, world, "InstanceStatus").empty());
  ASSERT_EQ(run.journal.times<RepairDecided>().size(), 1U);
  EXPECT_GT(run.journal.times<RepairDecided>().front(), 55_min);
}

// Without the block nobody asks EC2, and Ready's 30 min count.
TEST(PencilStatusCheck, NobodyAsksWithoutTheBlock) {
  MicroWorld world = on_ec2();
  dead_host(world, 25_min);
  world.karpenter().status_checks.reset();
  const std::vector<Duration> decided = world.run().journal.times<RepairDecided>();
  ASSERT_EQ(decided.size(), 1U);
  EXPECT_GT(decided.front(), 55_min);
}

// Pool of 5: one may be unhealthy, and two are. They wait; the third, whose host is dead, does not.
TEST(PencilStatusCheck, TheGateOfOthersDoesNotHoldItBack) {
  MicroWorld world = on_ec2(5);
  world.karpenter().gate = Gate{Gate::Kind::kShare, 200'000};
  FaultClassConfig& alarm = world.fault("alarm", FaultEffect::kNone);
  alarm.signals = {signal("GpuLost")};
  alarm.strikes = {strike(20_min, 3), strike(20_min, 4)};
  dead_host(world, 35_min);
  const MicroRun run = world.run();
  const auto decided = run.journal.all<RepairDecided>();
  ASSERT_EQ(decided.size(), 1U);
  EXPECT_EQ(decided[0].what.node.slot, NodeSlot(0));
  EXPECT_EQ(decided[0].time, at(37_min));
  EXPECT_FALSE(run.journal.all<RepairBlocked>().empty());
}

// Two nodes of 5 whose instances are impaired, no more: a third that alarms is replaced in time. Had they
// been Unknown too, they would count.
TEST(PencilStatusCheck, DoesNotCloseTheGateForOthers) {
  MicroWorld world = on_ec2(5);
  world.karpenter().gate = Gate{Gate::Kind::kShare, 200'000};
  world.karpenter().status_checks->impaired_for = 1_h;
  FaultClassConfig& impaired = world.fault("impaired", FaultEffect::kNone);
  impaired.signals = {signal("Impaired")};
  impaired.strikes = {strike(20_min, 3), strike(20_min, 4)};
  world.fault("lost", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<RepairDecided>().front(), 35_min);
  EXPECT_TRUE(run.journal.all<RepairBlocked>().empty());
  world.scenario.faults.classes.front().signals = {signal("Impaired"), silent()};
  EXPECT_EQ(world.run().journal.all<RepairBlocked>().front().time, at(35_min));
}

// GpuLost is due at 35:00, and the instance at 32:00 or at 36:00: the first one counts, once.
TEST(PencilStatusCheck, TheEarlierOfTwoPaths) {
  for (const Duration impaired : {30_min, 34_min}) {
    MicroWorld world = on_ec2();
    world.fault("lost", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};
    world.fault("impaired", FaultEffect::kNone, impaired, 0).signals = {signal("Impaired")};
    EXPECT_EQ(world.run().journal.times<RepairDecided>(),
              std::vector{impaired == 30_min ? 32_min : 35_min});
  }
}

// It fails the check while it is drained, from 35:00 on: nothing more is decided.
TEST(PencilStatusCheck, ANodeUnderRepairIsLeftAlone) {
  MicroWorld world = on_ec2();
  world.karpenter().drain = 10_min;
  world.fault("lost", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};
  dead_host(world, 36_min);
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{35_min});
}

// The restart in place fails at 25:55, and the page is answered at once: an instance that is impaired is
// left to the controller, which comes at 27:00.
TEST(PencilStatusCheck, ThePersonLeavesItToTheController) {
  MicroWorld world = on_ec2();
  world.karpenter().on_call = OnCallConfig{.answers = fixed(0_s)};
  dead_host(world, 25_min).signals = {signal("Impaired")};
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{27_min});
  world.karpenter().status_checks.reset();
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{clock(25, 55)});
}

// Somebody mends machines in their place: what EC2 says is nothing to that policy.
TEST(PencilStatusCheck, RestartInPlaceIgnoresIt) {
  MicroWorld world = on_ec2();
  dead_host(world, 25_min);
  world.scenario.policy = RestartInPlaceConfig{{.answers = fixed(30_min)}, fixed(10_min)};
  const auto decided = world.run().journal.all<RepairDecided>();
  ASSERT_EQ(decided.size(), 1U);
  EXPECT_GT(decided[0].time, at(55_min));
  EXPECT_EQ(decided[0].what.action, RepairAction::kRepairInPlace);
}

}  // namespace
}  // namespace faultline
