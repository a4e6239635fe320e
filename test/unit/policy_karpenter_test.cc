// Karpenter's rule on a hand-made cluster: nothing but observed state goes in.
#include <gtest/gtest.h>

#include <deque>
#include <optional>

#include "policies/karpenter/karpenter.h"
#include "policies/registry.h"
#include "policies/restart-in-place/restart_in_place.h"

namespace faultline {
namespace {

SimTime at(Duration since_start) { return SimTime::at(since_start); }

// Writes down what was asked for.
class Asked final : public RepairActions {
 public:
  void replace(NodeId node, const Replacement& how) override {
    replaced = node;
    replacement = how;
  }
  void repair_in_place(NodeId node, Duration) override { repaired = node; }
  void report_blocked(NodeId, const GateClosed& gate) override { blocked = gate; }
  void look_again(SimTime when) override { look = when; }

  std::optional<NodeId> replaced;
  Replacement replacement{};
  std::optional<NodeId> repaired;
  std::optional<GateClosed> blocked;
  std::optional<SimTime> look;
};

class Karpenter : public testing::Test {
 protected:
  static constexpr ConditionId kGpu{1};
  static constexpr ConditionId kNetwork{2};
  const std::vector<std::string> names{"Ready", "Gpu", "Network", "Other"};
  const std::vector<bool> published{true, true, true, true};

  explicit Karpenter(int nodes = 5)
      : cluster({"pool"}, std::vector<PoolId>(static_cast<std::size_t>(nodes), PoolId(0)), names,
                published) {
    config.tolerations = {{"Gpu", 10_min}, {"Network", 30_min}, {"Ready", 30_min}};
  }
  static NodeId node(int slot, std::uint32_t generation = 0) {
    return {NodeSlot(slot), generation};
  }
  void bad(int slot, ConditionId condition, Duration since,
           ConditionStatus status = ConditionStatus::kFalse) {
    cluster.set_condition(node(slot), condition, status, ReasonId(), at(since));
  }
  const Asked& reconcile(int slot, Duration now) {
    Asked& asked = answers.emplace_back();
    const KarpenterPolicy policy(config, names);
    policy.reconcile({.cluster = cluster, .node = node(slot), .now = at(now), .random = random},
                     asked);
    return asked;
  }
  const Asked& page(int slot, Duration now) {
    Asked& asked = answers.emplace_back();
    const KarpenterPolicy policy(config, names);
    policy.pod_failing({.cluster = cluster, .node = node(slot), .now = at(now), .random = random},
                       asked);
    return asked;
  }

  KarpenterConfig config;
  observed::Cluster cluster;
  RandomSource random{1, 0};
  std::deque<Asked> answers;
};

TEST_F(Karpenter, HealthyNodeIsLeftAlone) {
  const Asked& asked = reconcile(0, 1_h);
  EXPECT_FALSE(asked.replaced || asked.blocked || asked.look);
}

TEST_F(Karpenter, LooksAgainExactlyWhenDue) {
  bad(0, kGpu, 1_h);
  EXPECT_EQ(reconcile(0, 1_h + 10_min - 1_ns).look, at(1_h + 10_min));
  const Asked& due = reconcile(0, 1_h + 10_min);
  EXPECT_EQ(due.replaced, node(0));
  EXPECT_EQ(due.replacement.drain, 5_s);
  EXPECT_EQ(due.replacement.launch_after, 1_s);
  EXPECT_FALSE(due.look);
}

TEST_F(Karpenter, EarliestEndOfTwo) {
  bad(0, kNetwork, 0_s);
  bad(0, kGpu, 25_min);
  EXPECT_EQ(reconcile(0, 26_min).look, at(30_min));
}

TEST_F(Karpenter, UnknownCountsForReadyOnly) {
  bad(0, kGpu, 0_s, ConditionStatus::kUnknown);
  EXPECT_FALSE(reconcile(0, 1_h).replaced || reconcile(0, 1_h).look);
  bad(1, observed::kReady, 0_s, ConditionStatus::kUnknown);
  EXPECT_EQ(reconcile(1, 1_h).replaced, node(1));
}

TEST_F(Karpenter, ConditionWithoutAPolicy) {
  bad(0, ConditionId(3), 0_s);
  EXPECT_FALSE(reconcile(0, 1_h).replaced || reconcile(0, 1_h).look);
}

TEST_F(Karpenter, GateCountsEveryMatchingNodeHoweverYoung) {
  bad(0, kGpu, 0_s);
  bad(1, kNetwork, 10_min);  // just now
  const Asked& asked = reconcile(0, 10_min);
  EXPECT_FALSE(asked.replaced);
  ASSERT_TRUE(asked.blocked);
  EXPECT_EQ(asked.blocked->unhealthy, 2);
  EXPECT_EQ(asked.blocked->allowed, 1);
  EXPECT_EQ(asked.blocked->total, 5);
  EXPECT_EQ(asked.look, at(15_min));
}

// One that is being deleted is left alone, but counts.
TEST_F(Karpenter, TerminatingNodeCounts) {
  bad(0, kGpu, 0_s);
  bad(1, kGpu, 0_s);
  cluster.set_under_repair(node(1), true);
  const Asked& terminating = reconcile(1, 10_min);
  EXPECT_FALSE(terminating.replaced || terminating.blocked || terminating.look);
  EXPECT_TRUE(reconcile(0, 10_min).blocked);
  cluster.remove_node(node(1));
  EXPECT_EQ(reconcile(0, 10_min).replaced, node(0));
}

TEST_F(Karpenter, BootingNodeCounts) {
  bad(0, kGpu, 0_s);
  cluster.remove_node(node(1));
  cluster.add_node(node(1, 1), at(9_min));
  EXPECT_TRUE(reconcile(0, 10_min).blocked);
  cluster.initialised(node(1, 1), at(10_min));
  EXPECT_EQ(reconcile(0, 10_min).replaced, node(0));
}

TEST_F(Karpenter, GateOffAndByCount) {
  for (int slot = 0; slot < 5; ++slot) bad(slot, kGpu, 0_s);
  config.gate = Gate{};
  EXPECT_TRUE(reconcile(0, 10_min).replaced);
  config.gate = Gate{Gate::Kind::kCount, 4};
  EXPECT_TRUE(reconcile(0, 10_min).blocked);
  config.gate = Gate{Gate::Kind::kCount, 5};
  EXPECT_TRUE(reconcile(0, 10_min).replaced);
}

// Impaired since 10 s past a whole minute: 2 min are over at 10 s past, and the next look is on the minute.
TEST_F(Karpenter, ImpairedInstanceIsDueAtTheControllersLook) {
  config.status_checks = StatusChecksConfig{.condition = "Other"};
  bad(0, ConditionId(3), 1_min + 10_s);
  EXPECT_EQ(reconcile(0, 2_min).look, at(4_min));
  EXPECT_EQ(reconcile(0, 4_min - 1_ns).look, at(4_min));
  EXPECT_EQ(reconcile(0, 4_min).replaced, node(0));
  config.status_checks->poll = 90_s;
  EXPECT_EQ(reconcile(0, 2_min).look, at(4_min + 30_s));
  config.status_checks->impaired_for = Duration::infinite();
  EXPECT_FALSE(reconcile(0, 2_min).look);
  config.status_checks->condition = "Elsewhere";  // no detector knows it
  EXPECT_FALSE(reconcile(0, 1_h).look || reconcile(0, 1_h).replaced);
}

TEST_F(Karpenter, ImpairedInstanceAndTheGate) {
  config.status_checks = StatusChecksConfig{.condition = "Other"};
  bad(0, kGpu, 0_s);
  bad(1, ConditionId(3), 9_min);
  EXPECT_EQ(reconcile(0, 10_min).replaced, node(0));  // node 1 does not count
  bad(2, kGpu, 0_s);
  bad(0, ConditionId(3), 10_min);
  EXPECT_TRUE(reconcile(0, 10_min).blocked);
  EXPECT_EQ(reconcile(0, 10_min).look, at(12_min));  // before the 15 min of the gate
  EXPECT_EQ(reconcile(0, 12_min).replaced, node(0));
  cluster.set_under_repair(node(0), true);
  EXPECT_FALSE(reconcile(0, 12_min).replaced);
}

TEST_F(Karpenter, OnCallLeavesAnImpairedInstanceToTheController) {
  config.on_call = OnCallConfig{.answers = Distribution::fixed(1_min)};
  config.status_checks = StatusChecksConfig{.condition = "Other"};
  cluster.set_failing(NodeSlot(0), at(1_h));
  bad(0, ConditionId(3), 1_h);
  EXPECT_FALSE(page(0, 1_h + 1_min).replaced);
  bad(0, ConditionId(3), 1_h + 90_s, ConditionStatus::kTrue);
  EXPECT_EQ(page(0, 1_h + 90_s).replaced, node(0));
}

TEST_F(Karpenter, OnCallActsOnlyWhereNoTolerationRuns) {
  config.on_call = OnCallConfig{.answers = Distribution::fixed(30_min)};
  EXPECT_FALSE(page(0, 1_h).look);
  cluster.set_failing(NodeSlot(0), at(1_h));
  EXPECT_EQ(page(0, 1_h).look, at(1_h + 30_min));
  EXPECT_EQ(page(0, 1_h + 30_min).replaced, node(0));
  bad(0, kGpu, 1_h);
  EXPECT_FALSE(page(0, 1_h + 30_min).replaced);
  // It clears, and the pod fails still.
  bad(0, kGpu, 1_h + 35_min, ConditionStatus::kTrue);
  EXPECT_EQ(page(0, 1_h + 35_min).replaced, node(0));
  // Karpenter would tolerate it for ever.
  bad(0, kGpu, 1_h + 40_min);
  config.tolerations["Gpu"] = Duration::infinite();
  EXPECT_EQ(page(0, 1_h + 40_min).replaced, node(0));
}

// The answer takes as long under every policy: it is drawn for the slot and the episode.
TEST_F(Karpenter, OnCallAnswersAlikeUnderEveryPolicy) {
  config.on_call = OnCallConfig{.answers = *Distribution::make_exponential(30_min)};
  cluster.set_failing(NodeSlot(0), at(1_h));
  const RestartInPlacePolicy other(
      {.on_call = *config.on_call, .repair = Distribution::fixed(1_h)});
  Asked asked;
  other.pod_failing({.cluster = cluster, .node = node(0), .now = at(1_h), .random = random}, asked);
  ASSERT_TRUE(asked.look);
  EXPECT_EQ(page(0, 1_h).look, asked.look);
  // Another episode, another answer.
  cluster.set_failing(NodeSlot(0), SimTime::never());
  cluster.set_failing(NodeSlot(0), at(1_h));
  EXPECT_NE(page(0, 1_h).look, asked.look);
}

TEST(RestartInPlace, IgnoresConditionsAndMendsAtTheAnswer) {
  observed::Cluster cluster({"pool"}, {PoolId(0)}, {"Ready"}, {true});
  const RestartInPlacePolicy policy(
      {.on_call = {.answers = Distribution::fixed(30_min)}, .repair = Distribution::fixed(1_h)});
  const RandomSource random(1, 0);
  const NodeId node{NodeSlot(0), 0};
  cluster.set_condition(node, observed::kReady, ConditionStatus::kFalse, ReasonId(), at(0_s));
  Asked conditions;
  policy.reconcile({.cluster = cluster, .node = node, .now = at(1_d), .random = random},
                   conditions);
  EXPECT_FALSE(conditions.replaced || conditions.repaired || conditions.look);
  cluster.set_failing(node.slot, at(1_h));
  Asked paged;
  policy.pod_failing({.cluster = cluster, .node = node, .now = at(90_min), .random = random},
                     paged);
  EXPECT_EQ(paged.repaired, node);
}

TEST(PolicyRegistry, NamesEveryPolicyOnce) {
  const auto entries = registered_policies();
  ASSERT_EQ(entries.size(), std::variant_size_v<PolicyConfig>);
  EXPECT_EQ(entries[0].tag, "karpenter");
  EXPECT_EQ(entries[1].tag, "restart-in-place");
}

}  // namespace
}  // namespace faultline
