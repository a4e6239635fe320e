// Incidents about what becomes a condition, and from when it counts: a moving transition time
// (karpenter#2833), Ready=Unknown (karpenter-provider-aws#7479), a drain that does not end
// (karpenter#2042), Xids that are Events only (eks-node-monitoring-agent#272, gpu-operator#1065), a
// missing GPU (k8s-device-plugin#2038).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/support/incident.h"

namespace faultline {
namespace {

using Repaired = std::map<int, Duration>;

// --- A moving transition time ------------------------------------------------------------------
// Reality: the agent wrote two reasons to one condition in turns and moved lastTransitionTime each
// time, so that the 10 min of Karpenter never ended. Question: when does repair fire if the time
// moves only with the status?
// Answer: False since 02:00:00, so at 02:10:00. (As recorded, never: 40 changes of time, 30 s
// apart.)
// Differs: a condition here keeps its time as Kubernetes demands; the writer before PR #52 is not
// modelled.

TEST(IncidentTimerReset, TheClockRunsFromTheFirstReason) {
  Incident incident("timer-reset");
  for (int n = 2; n < 40; ++n) incident.strikes(n % 2).push_back(strike_gpu(30_s * n, 0));
  const MicroRun run = incident.run();
  EXPECT_EQ(run.journal.times<ConditionChanged>().at(0), 0_s);
  EXPECT_EQ(repaired_at(run), (Repaired{{0, 10_min}}));
  // One change to False until then: of the two reasons, in turns, the later ones change nothing.
  for (const auto& changed : run.journal.all<ConditionChanged>()) {
    EXPECT_TRUE(changed.time == at(0_s) || changed.time > at(10_min)) << changed.time;
  }
}

// --- Ready=Unknown -----------------------------------------------------------------------------
// Reality: a kubelet dies; the first release of node repair listed Ready=False only. Question: when
// does repair act under the policies of v1.1.0, and after PR #7514?
// Answer: never; and at 07:42:44, 30 min after lastTransitionTime (07:12:44) and not after the last
// heartbeat (07:12:03).

constexpr WallClock kSeven{7, 0};

TEST(IncidentReadyUnknown, CountsFromTheTransition) {
  const MicroRun run = Incident("ready-unknown").run();
  const auto changed = run.journal.all<ConditionChanged>();
  ASSERT_FALSE(changed.empty());
  EXPECT_EQ(changed[0].time, at(kSeven(7, 12, 44)));
  EXPECT_EQ(changed[0].what.status, ConditionStatus::kUnknown);
  EXPECT_EQ(repaired_at(run), (Repaired{{0, kSeven(7, 42, 44)}}));
}

TEST(IncidentReadyUnknown, NeverWhereOnlyFalseIsListed) {
  const MicroRun run = Incident("ready-unknown", {"policy.unknown_counts=[]"}).run();
  EXPECT_EQ(run.journal.all<ConditionChanged>().size(), 1U);
  EXPECT_TRUE(run.journal.all<RepairDecided>().empty());
}

// The shipped lease, of before 1.32: Unknown 30 to 45 s after the kubelet fell silent, then exactly 30 min.
TEST(IncidentReadyUnknown, WithTheShippedLease) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const MicroRun run = Incident("ready-unknown", {kShippedAgent, "kubernetes=1.31"}).run(seed);
    const Duration unknown = run.journal.times<ConditionChanged>().at(0);
    EXPECT_GE(unknown - kSeven(7, 12, 4), 30_s);
    EXPECT_LE(unknown - kSeven(7, 12, 4), 45_s);
    EXPECT_EQ(repaired_at(run), (Repaired{{0, unknown + 30_min}}));
  }
}

// --- A drain that does not end -----------------------------------------------------------------
// Reality: 49 min after Unknown the node is still there. Question: did repair respect the
// toleration, and what holds the node?
// Answer: it fired at 11:30:21 = 11:00:21 + 30 min. The pod on the silent kubelet holds the node,
// for 18 min 45 s at least (to 11:49:06): an open bug (#2042), against the intent of a forced
// drain.
// Differs: the shipped policy has the intent: 5 s, because taint-based eviction came before. What
// was observed is a policy whose drain takes that long; the replacement then waits for the drain's
// end.

constexpr WallClock kEleven{11, 0};

TEST(IncidentDrainStuck, AsIntended) {
  const MicroRun run = Incident("drain-stuck").run();
  EXPECT_EQ(repaired_at(run), (Repaired{{0, kEleven(11, 30, 21)}}));
  EXPECT_TRUE(run.journal.all<RepairBlocked>().empty());
  EXPECT_EQ(run.journal.times<NodeDrained>(), std::vector{kEleven(11, 30, 26)});
}

TEST(IncidentDrainStuck, AsObserved) {
  const MicroRun run =
      Incident("drain-stuck", {"policy.stuck_after=2594s", "workloads[work].pool=gpu"}).run();
  EXPECT_EQ(repaired_at(run), (Repaired{{0, kEleven(11, 30, 21)}}));
  EXPECT_EQ(run.journal.times<NodeDrained>(), std::vector{kEleven(11, 49, 6)});
  EXPECT_EQ(run.journal.times<NodeJoined>(), std::vector{kEleven(11, 49, 6)});
}

// --- Xids that are Events only -----------------------------------------------------------------
// Reality: Xid 43 kills an inference engine again and again; the agent makes Events of it.
// Question: when is the node repaired, with the shipped list, and with "43 is fatal the third time
// within 10 min"?
// Answer: never. With the threshold: the third is at 09:08:55, repair at 09:18:55.
// Differs: a counter of ours has no window, as the agent's own have none. Three of them an hour
// apart would be repaired here, and not by the proposal.

constexpr WallClock kNine{9, 0};

TEST(IncidentXid43, IsAnEventOnly) {
  const MicroRun run = Incident("xid-list").run();
  EXPECT_EQ(run.journal.times<EventPosted>(),
            (std::vector{kNine(9, 0, 5), kNine(9, 4, 10), kNine(9, 8, 55), kNine(9, 31, 40)}));
  EXPECT_TRUE(run.journal.all<ConditionChanged>().empty());
  EXPECT_TRUE(run.journal.all<RepairDecided>().empty());
}

TEST(IncidentXid43, TheProposedThreshold) {
  const MicroRun run = Incident("xid43-threshold").run();
  ASSERT_FALSE(run.journal.all<ConditionChanged>().empty());
  EXPECT_EQ(run.journal.times<ConditionChanged>()[0], kNine(9, 8, 55));
  EXPECT_EQ(repaired_at(run), (Repaired{{0, kNine(9, 18, 55)}}));
}

TEST(IncidentXid43, TheThresholdHasNoWindow) {
  Incident incident("xid43-threshold");
  for (int n = 0; n < 4; ++n) incident.strikes()[static_cast<std::size_t>(n)].at = 1_h * n;
  EXPECT_EQ(repaired_at(incident.run()), (Repaired{{0, 2_h + 10_min}}));
}

// The list as it is quoted in #272; beside 43 it lacks 94 (a contained ECC error,
// gpu-operator#1065: the device plugin takes the GPU away until it restarts, and repair never
// acts), 145, 149 and 154.
// Differs: the GPU that the plugin takes away is not modelled, nor that the node has no place for a
// pod of eight GPUs then.
TEST(IncidentXid43, TheShippedList) {
  const auto repairs = [](std::int64_t xid) {
    Incident incident("xid-list");
    incident.scenario.faults.classes[0].signals[0].xid = xid;
    const MicroRun run = incident.run();
    EXPECT_EQ(run.journal.all<EventPosted>().empty(), !run.journal.all<ConditionChanged>().empty());
    return !run.journal.all<RepairDecided>().empty();
  };
  for (const std::int64_t xid : {46,  48,  54,  62,  63,  64,  74,  79,  95,  109, 110,
                                 119, 120, 136, 140, 142, 143, 151, 155, 156, 158}) {
    EXPECT_TRUE(repairs(xid)) << xid;
  }
  for (const std::int64_t xid : {43, 94, 145, 149, 154}) EXPECT_FALSE(repairs(xid)) << xid;
}

// --- A missing GPU -----------------------------------------------------------------------------
// Reality: a GPU falls off the bus. The agent misses the Xid; the count of devices, 7 of 8, was a
// warning then, and is fatal since PR #94. Question: does repair act before and after?
// Answer: never, an Event is no condition; afterwards 10 min after the condition.
// Differs: that the device plugin admits no pod to the other seven GPUs is not modelled.

TEST(IncidentDeviceCount, AWarningIsNoCondition) {
  const MicroRun run =
      Incident("device-count", {"detectors.reasons[NvidiaDeviceCountMismatch].severity=warning"})
          .run();
  EXPECT_EQ(run.journal.times<EventPosted>(), std::vector{0_s});
  EXPECT_TRUE(run.journal.all<RepairDecided>().empty());
}

TEST(IncidentDeviceCount, AFatalReasonIsRepaired) {
  EXPECT_EQ(repaired_at(Incident("device-count").run()), (Repaired{{0, 10_min}}));
}

}  // namespace
}  // namespace faultline
