// From the fault to the condition, by hand, through the whole engine. Each channel's own arithmetic
// is in detectors_timing_test.cc.
#include <gtest/gtest.h>

#include <set>

#include "sim/engine/plan.h"
#include "test/support/micro_world.h"

namespace faultline {
namespace {

// A warning is an event: no condition, no repair.
TEST(PencilDetection, WarningIsAnEventOnly) {
  MicroWorld world;
  world.scenario.detectors.reasons[0].severity = Severity::kWarning;
  world.fault("warm", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<EventPosted>(), std::vector{clock(25)});
  EXPECT_TRUE(run.journal.all<ConditionChanged>().empty());
  EXPECT_TRUE(run.journal.all<RepairDecided>().empty());
}

// A fatal Xid has its own reason; another Xid is a warning.
TEST(PencilDetection, XidIsFatalIfListed) {
  for (const std::int64_t code : {79, 43}) {
    MicroWorld world;
    SignalConfig xid;
    xid.xid = code;
    world.fault("xid", FaultEffect::kNone, 25_min, 0).signals = {xid};
    const MicroRun run = world.run();
    EXPECT_EQ(run.journal.all<ConditionChanged>().empty(), code == 43);
    EXPECT_EQ(run.journal.all<EventPosted>().empty(), code == 79);
    const SimulationPlan plan(world.scenario);
    EXPECT_EQ(plan.contract().reason(plan.contract().xid(code)).name,
              code == 79 ? "NvidiaXID79Error" : "NvidiaXID43Warning");
  }
}

// A disabled monitor publishes nothing, and the conditions that only it publishes are absent.
TEST(PencilDetection, DisabledMonitorPublishesNothing) {
  MicroWorld world;
  world.scenario.detectors.disabled_monitors = {"gpu"};
  world.fault("lost", FaultEffect::kNone, 25_min, 0).signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_TRUE(run.journal.all<ConditionChanged>().empty());
  EXPECT_TRUE(run.journal.all<EventPosted>().empty());
  const SimulationPlan plan(world.scenario);
  const observed::Picture picture = plan.make_picture();
  const observed::Node& node = picture.node(observed::NodeKey(0));
  EXPECT_EQ(node.condition(observed::kReady).status, ConditionStatus::kTrue);
  EXPECT_EQ(node.conditions[1].status, ConditionStatus::kAbsent);
}

// The signal's own delay, then the channel's: 25:00 + 7 s + 12 s.
TEST(PencilDetection, DelayOfTheSignalAndOfTheChannel) {
  MicroWorld world;
  world.push().delay = fixed(12_s);
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kNone, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.signals[0].delay = fixed(7_s);
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.times<SignalRaised>(), std::vector{clock(25, 7)});
  ASSERT_FALSE(run.journal.all<ConditionChanged>().empty());
  EXPECT_EQ(run.journal.times<ConditionChanged>().front(), clock(25, 19));
  const auto behind = run.journal.all<FaultBehind>();
  ASSERT_EQ(behind.size(), 1U);
  EXPECT_EQ(behind[0].time, at(clock(25, 19)));
  EXPECT_EQ(behind[0].what.fault_class, FaultClassId(0));
  EXPECT_EQ(behind[0].what.fault, run.journal.all<FaultStruck>().at(0).what.fault);
  EXPECT_EQ(behind[0].what.since_fault, 19_s);
}

// A fault that is gone before it gives its signal raises none. A signal that was pushed before the
// fault was gone arrives all the same, and the condition clears at once.
TEST(PencilDetection, FaultThatIsGoneBeforeItsSignal) {
  MicroWorld world;
  FaultClassConfig& brief = world.fault("brief", FaultEffect::kNone, 25_min, 0);
  brief.clears = fixed(5_s);
  brief.signals = {signal("GpuLost")};
  brief.signals[0].delay = fixed(7_s);
  EXPECT_TRUE(world.run().journal.all<SignalRaised>().empty());
}

TEST(PencilDetection, ConditionClearsWithItsFault) {
  MicroWorld world;
  world.scenario.detectors.recheck = 30_s;
  FaultClassConfig& brief = world.fault("brief", FaultEffect::kNone, 25_min, 0);
  brief.clears = fixed(3_min);
  brief.signals = {signal("GpuLost")};
  const auto changes = world.run().journal.all<ConditionChanged>();
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].time, at(25_min));
  EXPECT_EQ(changes[0].what.status, ConditionStatus::kFalse);
  EXPECT_EQ(changes[1].what.status, ConditionStatus::kTrue);
  // Noticed within `recheck` of the end.
  EXPECT_GT(changes[1].time, at(28_min) - 1_ns);
  EXPECT_LE(changes[1].time, at(28_min) + 30_s);
}

// Coverage 0: nobody ever sees it.
TEST(PencilDetection, Coverage) {
  MicroWorld world;
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kNone, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.signals[0].coverage = 0;
  EXPECT_TRUE(world.run().journal.all<ConditionChanged>().empty());
}

// Polls every 300 s. With two sightings the condition comes exactly one period after the first
// sighting, and only if the fault is still there.
TEST(PencilDetection, PollNeedsTwoSightings) {
  const auto run = [](std::int64_t occurrences, Duration clears) {
    MicroWorld world;
    world.scenario.detectors.channels[0].by = PollChannel{.period = 300_s, .first_tick_jitter = 0};
    world.scenario.detectors.reasons[0].occurrences = occurrences;
    FaultClassConfig& lost = world.fault("lost", FaultEffect::kNone, 25_min, 0);
    lost.signals = {signal("GpuLost")};
    lost.clears = fixed(clears);
    return world.run().journal.times<ConditionChanged>();
  };
  const std::vector<Duration> once = run(1, 1_h);
  ASSERT_FALSE(once.empty());
  EXPECT_GE(once[0], 25_min);
  EXPECT_LT(once[0], 30_min);
  const std::vector<Duration> twice = run(2, 1_h);
  ASSERT_FALSE(twice.empty());
  EXPECT_EQ(twice[0], once[0] + 300_s);
  // Gone exactly at the second sighting: it is not seen again. 1 ns later it is.
  EXPECT_TRUE(run(2, once[0] + 300_s - 25_min).empty());
  EXPECT_FALSE(run(2, once[0] + 300_s - 25_min + 1_ns).empty());
  EXPECT_TRUE(run(1, once[0] - 25_min).empty());
}

// A log reason that needs three lines: the third fault on the node makes the condition, whatever
// their age; on another node the count is its own.
TEST(PencilDetection, LogNeedsThreeLines) {
  MicroWorld world(2, 1, 20_h);
  world.scenario.detectors.channels[0].by = LogChannel{.flush = 0_s};
  world.scenario.detectors.reasons[0].occurrences = 3;
  FaultClassConfig& stuck = world.fault("stuck", FaultEffect::kNone, 1_h, 0);
  stuck.signals = {signal("GpuLost")};
  stuck.clears = fixed(1_min);
  stuck.strikes.push_back(strike(2_h, 1));
  stuck.strikes.push_back(strike(3_h, 0));
  stuck.strikes.push_back(strike(4_h, 1));
  stuck.strikes.push_back(strike(15_h, 0));
  const auto changes = world.run().journal.all<ConditionChanged>();
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes[0].time, at(15_h));
  EXPECT_EQ(changes[0].what.node.slot, NodeSlot(0));
}

// The kubelet falls silent at 25:00. It renews every 10 s with a phase of its own: the last renewal
// lies in (24:50, 25:00], Ready is Unknown 40 s after it. With a toleration of 5 min the pods are
// still on the node, and its drain takes 62 s; after 6.5 min they have been evicted: 5 s.
TEST(PencilDetection, SilentKubelet) {
  std::set<Duration> phases;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    MicroWorld world;
    world.scenario.detectors.channels[1].by =
        LeaseChannel{.renew = 10_s, .grace = 40_s, .monitor = 0_s};
    world.karpenter().tolerations["Ready"] = 5_min;
    SignalConfig silent;
    silent.heartbeat_lost = true;
    world.fault("dead", FaultEffect::kCrash, 25_min, 0).signals = {silent};
    const MicroRun run = world.run(seed);
    const auto changes = run.journal.all<ConditionChanged>();
    ASSERT_FALSE(changes.empty());
    EXPECT_EQ(changes[0].what.status, ConditionStatus::kUnknown);
    EXPECT_EQ(changes[0].what.condition, observed::kReady);
    const Duration unknown = changes[0].time.since_start();
    EXPECT_GT(unknown, clock(25, 30));
    EXPECT_LE(unknown, clock(25, 40));
    phases.insert(unknown);
    const Duration counted = observed::whole_seconds(at(unknown)).since_start();
    EXPECT_EQ(run.journal.times<RepairDecided>(), std::vector{counted + 5_min});
    EXPECT_EQ(run.journal.times<NodeDrained>(), std::vector{counted + 5_min + 62_s});
    EXPECT_EQ(run.charged().at("drain"), "1m2s");
    EXPECT_EQ(run.charged().at("provision"), "34s");
    world.karpenter().tolerations["Ready"] = 6_min + 30_s;
    EXPECT_EQ(world.run(seed).charged().at("drain"), "5s");
  }
  EXPECT_GT(phases.size(), 15U);
}

// A host is lost for good at 25:00 and, at 26:00, a GPU of it, which polls every 300 s would find. There is nobody to
// poll: Ready is Unknown at 25:40, and only its toleration of 30 min counts. A host that is back at 40:00 finds the
// GPU missing at the first poll after that.
TEST(PencilDetection, AHostThatIsGoneReportsNothing) {
  MicroWorld world;
  world.scenario.detectors.channels[0].by = PollChannel{.period = 300_s, .first_tick_jitter = 0};
  world.scenario.detectors.channels[1].by =
      LeaseChannel{.renew = 0_s, .grace = 40_s, .monitor = 0_s};
  SignalConfig silent;
  silent.heartbeat_lost = true;
  FaultClassConfig& host = world.fault("host", FaultEffect::kCrash, 25_min, 0);
  host.signals = {silent};
  world.fault("gpu", FaultEffect::kCrash, 26_min, 0).signals = {signal("GpuLost")};
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), std::vector{clock(55, 40)});

  world.scenario.faults.classes.front().clears = fixed(15_min);
  const auto changes = world.run().journal.all<ConditionChanged>();
  ASSERT_EQ(changes.size(), 3U);  // Unknown, True, and then False
  EXPECT_EQ(changes[1].time, at(40_min));
  EXPECT_EQ(changes[2].what.status, ConditionStatus::kFalse);
  EXPECT_GE(changes[2].time, at(40_min));
  EXPECT_LT(changes[2].time, at(45_min));
}

// Unknown is not repaired where only False counts.
TEST(PencilDetection, UnknownThatDoesNotCount) {
  MicroWorld world;
  world.karpenter().unknown_counts = {};
  SignalConfig silent;
  silent.heartbeat_lost = true;
  world.fault("dead", FaultEffect::kNone, 25_min, 0).signals = {silent};
  const MicroRun run = world.run();
  EXPECT_EQ(run.journal.all<ConditionChanged>().size(), 1U);
  EXPECT_TRUE(run.journal.all<RepairDecided>().empty());
}

// A new machine starts healthy: its conditions are True when it has joined, also with latching.
TEST(PencilDetection, NewMachineStartsHealthy) {
  MicroWorld world(1, 1, 6_h);
  world.scenario.detectors.latching = true;
  FaultClassConfig& lost = world.fault("lost", FaultEffect::kCrash, 25_min, 0);
  lost.signals = {signal("GpuLost")};
  lost.strikes.push_back(strike(3_h, 0));
  EXPECT_EQ(world.run().journal.times<RepairDecided>(), (std::vector{clock(35), clock(190)}));
}

}  // namespace
}  // namespace faultline
