// A control plane of many controllers over a picture written by hand, without a simulation: what each does,
// what two do that meet on one node, and how long a drain takes, which nobody sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policies/node-lifecycle/node_lifecycle.h"
#include "policies/node-repair/node_repair.h"
#include "policies/on-call/on_call.h"
#include "policies/provisioning/provisioning.h"
#include "policies/registration/registration.h"
#include "policies/status-checks/status_checks.h"
#include "policies/taint-eviction/taint_eviction.h"
#include "policies/termination/termination.h"
#include "test/support/hand_written_cluster.h"

namespace faultline {
namespace {

using Cluster = HandWrittenCluster;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr ConditionStatus kTrue = ConditionStatus::kTrue;
constexpr ConditionStatus kFalse = ConditionStatus::kFalse;
constexpr ConditionStatus kUnknown = ConditionStatus::kUnknown;

template <class... Some>
Cluster::Controllers list(Some... controllers) {
  Cluster::Controllers all;
  (all.push_back(std::move(controllers)), ...);
  return all;
}
std::unique_ptr<const Controller> repair(Gate gate = {Gate::Kind::kShare, 200'000}) {
  const NodeRepairConfig config{
      .tolerations = {{"Gpu", 10_min}, {"Network", 30_min}, {"Ready", 30_min}}, .gate = gate};
  return std::make_unique<NodeRepair>(config, Cluster::kTypes);
}
std::unique_ptr<const Controller> checks(StatusChecksConfig config = {}) {
  return std::make_unique<StatusChecks>(config, Cluster::kTypes);
}
std::unique_ptr<const Controller> person(Duration answers,
                                         Duration overrides = Duration::infinite()) {
  return std::make_unique<OnCall>(OnCallControllerConfig{
      .pages = {.answers = Distribution::fixed(answers), .overrides_after = overrides},
      .mends = {}});
}
template <class One, class Config>
std::unique_ptr<const Controller> one(Config config) {
  return std::make_unique<One>(std::move(config));
}
std::unique_ptr<const Controller> termination(TerminationConfig config = {}) {
  return one<Termination>(std::move(config));
}
std::unique_ptr<const Controller> lifecycle() { return std::make_unique<NodeLifecycle>(); }
std::unique_ptr<const Controller> eviction() { return std::make_unique<TaintEviction>(); }

TEST(ControlPlane, ALiveKubeletIsDrainedInFiveSeconds) {
  Cluster cluster(5, list(repair(), termination()));
  cluster.set(1, Cluster::kGpu, kFalse, 0_s);
  cluster.run_until(1_h);
  EXPECT_THAT(cluster.story, ElementsAre("600 node-1 deleted by node-repair", "600 pod-1 stops",
                                         "605 node-1 drained"));
  EXPECT_EQ(cluster.plane.picture().node(observed::NodeKey(1)).pods.size(), 0U);
}

// 1 s of grace, stuck after more than 1 min, a look each second: 62 s; nobody sets it.
TEST(ControlPlane, ASilentKubeletIsDrainedInSixtyTwoSeconds) {
  Cluster cluster(5, list(repair(), termination()));
  cluster.set(1, observed::kReady, kUnknown, 0_s);
  cluster.run_until(1_h);
  EXPECT_THAT(cluster.story,
              ElementsAre("1800 node-1 deleted by node-repair", "1862 node-1 drained"));
}

TEST(ControlPlane, PodsEvictedLongBeforeDoNotHoldASilentNode) {
  Cluster cluster(5, list(lifecycle(), eviction(), repair(), termination()));
  cluster.set(1, observed::kReady, kUnknown, 0_s);
  cluster.run_until(1_h);
  // Evicted at 5 min, deletion time 30 s later, stuck from 6 min 30 s on.
  EXPECT_THAT(cluster.story,
              ElementsAre("1800 node-1 deleted by node-repair", "1805 node-1 drained"));
}

// Evicted at 300 s with the job's own grace of one hour: deletion time 3900 s. The forced drain at 1800 s shortens
// it to 1801 s, so the node goes at 1862 s.
TEST(ControlPlane, AForcedDrainShortensALongGrace) {
  Cluster cluster(5, list(lifecycle(), eviction(), repair(), termination()),
                  {.name = "trainer", .grace = 1_h});
  cluster.set(1, observed::kReady, kUnknown, 0_s);
  cluster.run_until(2_h);
  EXPECT_THAT(cluster.story,
              ElementsAre("1800 node-1 deleted by node-repair", "1862 node-1 drained"));
}

TEST(ControlPlane, AKubeletThatIsBackInADrainEndsIt) {
  Cluster cluster(5, list(repair(), termination()));
  cluster.set(1, observed::kReady, kUnknown, 0_s);
  cluster.set(1, observed::kReady, kTrue, 1820_s);
  cluster.run_until(1_h);
  EXPECT_THAT(cluster.story, ElementsAre("1800 node-1 deleted by node-repair", "1820 pod-1 stops",
                                         "1820 node-1 drained"));
}

TEST(ControlPlane, EvictedPodsStopWhenTheKubeletIsBack) {
  Cluster cluster(5, list(lifecycle(), eviction()));
  cluster.set(1, observed::kReady, kUnknown, 0_s);
  cluster.run_until(400_s);
  EXPECT_THAT(cluster.story, IsEmpty());
  cluster.plane.kubelet_back(observed::NodeKey(1), SimTime::at(400_s));
  cluster.plane.settle(SimTime::at(400_s));
  cluster.set(1, observed::kReady, kTrue, 405_s);
  cluster.run_until(1_h);
  EXPECT_THAT(cluster.story, ElementsAre("400 pod-1 stops"));
  EXPECT_TRUE(cluster.plane.picture().node(observed::NodeKey(1)).taints.empty());
}

TEST(ControlPlane, ABriefSilenceEvictsNobody) {
  Cluster cluster(5, list(lifecycle(), eviction()));
  cluster.set(1, observed::kReady, kUnknown, 0_s);
  cluster.set(1, observed::kReady, kTrue, 300_s - 1_ns);
  cluster.run_until(1_h);
  EXPECT_THAT(cluster.story, IsEmpty());
}

// A node that is NotReady, but answers: its pods are evicted after 5 min, and stop at once.
TEST(ControlPlane, NotReadyEvictsWhatStillHears) {
  Cluster cluster(5, list(lifecycle(), eviction()));
  cluster.set(1, observed::kReady, kFalse, 0_s);
  cluster.run_until(1_h);
  EXPECT_THAT(cluster.story, ElementsAre("300 pod-1 stops"));
}

// --- never is not now

TEST(ControlPlane, ADrainThatNeverEndsNeverEnds) {
  for (const TerminationConfig& config : {TerminationConfig{.min_drain = Duration::infinite()},
                                          TerminationConfig{.stuck_after = Duration::infinite()},
                                          TerminationConfig{.pod_grace = Duration::infinite()}}) {
    Cluster cluster(5, list(repair(), termination(config)));
    cluster.set(1, observed::kReady, kUnknown, 0_s);
    cluster.run_until(365_d);
    EXPECT_EQ(cluster.story.back(), "1800 node-1 deleted by node-repair");
  }
}

// The budget allows none to go: a graceful drain waits for ever, a forced one does not ask.
TEST(ControlPlane, ABudgetHoldsAGracefulDrainForEver) {
  for (const bool graceful : {true, false}) {
    Cluster cluster(10,
                    list(checks({.drain = graceful ? DrainKind::kGraceful : DrainKind::kForced}),
                         termination()),
                    {.name = "trainer"}, 0);
    cluster.set(1, Cluster::kInstance, kFalse, 0_s);
    cluster.run_until(30_d);
    if (graceful) {
      EXPECT_THAT(cluster.story, ElementsAre("120 node-1 deleted by status-checks"));
    } else {
      EXPECT_THAT(cluster.story, ElementsAre("120 node-1 deleted by status-checks",
                                             "120 pod-1 stops", "125 node-1 drained"));
    }
  }
}

// One may be away: the second node waits until the first one's pod runs again elsewhere.
TEST(ControlPlane, ABudgetLetsOneGoAtATime) {
  Cluster cluster(10, list(checks({.drain = DrainKind::kGraceful}), termination()),
                  {.name = "trainer"}, 1);
  cluster.set(1, Cluster::kInstance, kFalse, 0_s);
  cluster.set(2, Cluster::kInstance, kFalse, 0_s);
  cluster.run_until(600_s);
  EXPECT_THAT(cluster.story,
              ElementsAre("120 node-1 deleted by status-checks", "120 pod-1 stops",
                          "120 node-2 deleted by status-checks", "150 node-1 drained"));
  cluster.observe(observed::PodBound{.pod = observed::PodKey(1), .node = observed::NodeKey(9)},
                  600_s);
  cluster.run_until(700_s);
  EXPECT_EQ(cluster.story[4], "600 pod-2 stops");
  EXPECT_EQ(cluster.story[5], "630 node-2 drained");
}

// --- two that meet on one node

TEST(ControlPlane, TheCloudsOwnRecoveryIsThereBeforeNodeRepair) {
  Cluster cluster(5, list(checks(), repair(), termination()));
  cluster.set(1, Cluster::kInstance, kFalse, 50_s);  // 2 min at 170 s, the next look at 180 s
  cluster.set(1, observed::kReady, kUnknown, 60_s);
  cluster.run_until(2_h);
  EXPECT_THAT(cluster.story,
              ElementsAre("180 node-1 deleted by status-checks", "242 node-1 drained"));
}

// Case 50 (aws/karpenter-provider-aws#9198): five of ten are impaired. The gate would block node repair for ever,
// the status checks do not ask it. Times from 03:45:00; the looks are at 53.9 s past each minute.
TEST(ControlPlane, ImpairedInstancesPassTheGate) {
  Cluster cluster(10, list(checks({.first_poll = 53'900_ms}), repair(), termination()),
                  {.name = "trainer"}, 0);
  for (int n = 0; n < 5; ++n) cluster.set(n, Cluster::kInstance, kFalse, 60_s);
  for (int n = 0; n < 5; ++n) cluster.set(n, observed::kReady, kUnknown, 70_s);
  cluster.run_until(2_h);
  ASSERT_EQ(cluster.story.size(), 10U);
  EXPECT_EQ(cluster.story[0], "233.9 node-0 deleted by status-checks");  // 03:48:53.9
  EXPECT_EQ(cluster.story[4], "233.9 node-4 deleted by status-checks");
  EXPECT_EQ(cluster.story[9], "295.9 node-4 drained");  // 03:49:55.9
}

TEST(ControlPlane, NodeRepairAloneIsBlocked) {
  Cluster cluster(10, list(repair(), termination()));
  for (int n = 0; n < 5; ++n) cluster.set(n, observed::kReady, kUnknown, 70_s);
  cluster.run_until(30_d);
  EXPECT_THAT(cluster.story, ElementsAre("1870 node-0 blocked, 5 of 10 unhealthy, 2 allowed",
                                         "1870 node-1 blocked, 5 of 10 unhealthy, 2 allowed",
                                         "1870 node-2 blocked, 5 of 10 unhealthy, 2 allowed",
                                         "1870 node-3 blocked, 5 of 10 unhealthy, 2 allowed",
                                         "1870 node-4 blocked, 5 of 10 unhealthy, 2 allowed"));
}

// Of five, one may be repaired. When node 2 recovers at 1000 s, node 1, blocked at 600 s, is looked at again
// at the next multiple of 5 min: 1200 s.
TEST(ControlPlane, AGateThatOpensIsSeenAtTheNextLook) {
  Cluster cluster(5, list(repair(), termination()));
  cluster.set(1, Cluster::kGpu, kFalse, 0_s);
  cluster.set(2, Cluster::kGpu, kFalse, 100_s);
  cluster.set(2, Cluster::kGpu, kTrue, 1000_s);
  cluster.run_until(1_h);
  EXPECT_THAT(cluster.story, ElementsAre("600 node-1 blocked, 2 of 5 unhealthy, 1 allowed",
                                         "700 node-2 blocked, 2 of 5 unhealthy, 1 allowed",
                                         "1200 node-1 deleted by node-repair", "1200 pod-1 stops",
                                         "1205 node-1 drained"));
}

TEST(ControlPlane, OnCallLeavesAClosedGateAloneUntilItOverrides) {
  const auto story = [](Duration overrides) {
    Cluster cluster(5, list(repair(), person(30_min, overrides), termination()));
    cluster.set(1, Cluster::kGpu, kFalse, 0_s);
    cluster.set(2, Cluster::kGpu, kFalse, 0_s);
    cluster.page(1, 60_s);
    cluster.run_until(15_d);
    return cluster.story;
  };
  EXPECT_EQ(story(Duration::infinite()).size(), 2U);  // both blocked
  const std::vector<std::string> overridden = story(4_h);
  EXPECT_EQ(overridden[2], "14460 node-1 deleted by on-call");
}

TEST(ControlPlane, OnCallActsWhenWhatItWaitedForIsGone) {
  Cluster cluster(5, list(repair(), person(30_min), termination()));
  cluster.page(1, 0_s);
  cluster.set(1, Cluster::kGpu, kFalse, 1700_s);
  cluster.set(1, Cluster::kGpu, kTrue, 2000_s);
  cluster.run_until(1_h);
  EXPECT_EQ(cluster.story.front(), "2000 node-1 deleted by on-call");
}

// --- machines

TEST(ControlPlane, ADeletedMachineIsFollowedByAnother) {
  Cluster cluster(5, list(repair(), termination(), one<Provisioning>(ProvisioningConfig{}),
                          one<Registration>(RegistrationConfig{})));
  cluster.set(1, Cluster::kGpu, kFalse, 0_s);
  cluster.run_until(610_s);
  EXPECT_EQ(cluster.story[2], "601 machine-5 requested for machine-1");
  cluster.observe(observed::MachineLaunched{observed::MachineKey(5)}, 610_s);
  cluster.run_until(2_h);
  EXPECT_EQ(cluster.story[4], "1510 machine-5 given back");
  EXPECT_EQ(cluster.story[5], "1511 machine-6 requested for machine-5");
}

// Case 61 (Azure/karpenter-provider-azure#857): from registration to Ready takes 13 min, and Ready=False is
// tolerated for 10: the node is deleted while it boots, and so is the next one.
TEST(ControlPlane, ABootingNodeIsANode) {
  const NodeRepairConfig config{.tolerations = {{"Ready", 10_min}}};
  Cluster cluster(
      5, list(std::make_unique<NodeRepair>(config, Cluster::kTypes), termination(),
              one<Provisioning>(ProvisioningConfig{}), one<Registration>(RegistrationConfig{})));
  cluster.observe(observed::MachineLaunched{observed::MachineKey(0)}, 0_s);
  cluster.observe(
      observed::NodeAdded{.pool = PoolId(0), .machine = {}, .labels = {}, .name = "boots"}, 180_s);
  cluster.run_until(1_h);
  EXPECT_THAT(cluster.story, ElementsAre("780 boots deleted by node-repair", "785 boots drained"));
}

// A recorded cluster loses a node that nobody has touched before: its pod goes with it.
TEST(ControlPlane, ANodeThatVanishesTakesItsPods) {
  Cluster cluster(5, list(repair(), termination()));
  cluster.observe(observed::NodeGone{observed::NodeKey(2)}, 1_min);
  EXPECT_FALSE(cluster.plane.picture().pod(observed::PodKey(2)).node.valid());
  EXPECT_EQ(cluster.plane.picture().pool(PoolId(0)).nodes, 4);
}

TEST(ControlPlane, BeginForgetsEverything) {
  Cluster cluster(5, list(repair(), termination()));
  const RandomSource random(1, 0);
  cluster.set(1, Cluster::kGpu, kFalse, 0_s);
  cluster.plane.begin(random);
  EXPECT_TRUE(cluster.plane.next().at.is_never());
  EXPECT_EQ(cluster.plane.picture().pool(PoolId(0)).matching[0], 0);
  EXPECT_EQ(cluster.plane.picture().node(observed::NodeKey(1)).bad_conditions, 0);
}

}  // namespace
}  // namespace faultline
