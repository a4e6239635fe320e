// What single controllers decide on a picture made by hand: nothing but observed state goes in.
#include <gtest/gtest.h>

#include <deque>
#include <optional>

#include "policies/node-repair/node_repair.h"
#include "policies/on-call/on_call.h"
#include "policies/registry.h"
#include "policies/status-checks/status_checks.h"

namespace faultline {
namespace {

using observed::NodeKey;
using observed::PodKey;

SimTime at(Duration since_start) { return SimTime::at(since_start); }

// Writes down what was asked for.
class Asked final : public Verbs {
 public:
  void taint(NodeKey, observed::TaintName, observed::TaintEffect) override {}
  void untaint(NodeKey, observed::TaintName) override {}
  void cordon(NodeKey, bool) override {}
  void delete_node(NodeKey node, SimTime terminate_by) override {
    deleted = node;
    by = terminate_by;
  }
  void terminate(NodeKey) override {}
  void work_on(NodeKey node, Duration takes) override {
    worked_on = node;
    hands_on = takes;
  }
  bool evict(PodKey) override { return false; }
  void delete_pod(PodKey, Duration) override {}
  void launch(PoolId, observed::MachineKey) override {}
  void delete_machine(observed::MachineKey) override {}
  void look_again(SimTime when) override { look = when; }
  void time_out(SimTime when) override { look = when; }
  void wait_for_gate(const GateClosed& gate, Duration each) override {
    blocked = gate;
    every = each;
  }

  bool nothing() const { return !deleted && !worked_on && !blocked && (!look || look->is_never()); }

  std::optional<NodeKey> deleted;
  SimTime by;
  std::optional<NodeKey> worked_on;
  Duration hands_on;
  std::optional<GateClosed> blocked;
  Duration every;
  std::optional<SimTime> look;
};

class Controllers : public testing::Test {
 protected:
  static constexpr ConditionId kReady = observed::kReady;
  static constexpr ConditionId kGpu{1};
  static constexpr ConditionId kNetwork{2};
  static constexpr ConditionId kOther{3};
  const std::vector<std::string> types{"Ready", "Gpu", "Network", "Other"};

  Controllers() {
    repair.tolerations = {{"Gpu", 10_min}, {"Network", 30_min}, {"Ready", 30_min}};
    make(5);
  }
  // A pool of so many healthy nodes with a pod each; counter 0 is node repair's.
  void make(int nodes) {
    picture = observed::Picture(types, {true, true, true, true});
    picture.add_counter(NodeRepair(repair, types).counts());
    picture.add_pool("pool");
    const observed::OwnerKey owner = picture.add_owner({.name = "trainer"});
    for (int n = 0; n < nodes; ++n) {
      picture.apply(observed::NodeAdded{.pool = PoolId(0), .machine = {}, .labels = {}}, at(0_s));
      set(n, kReady, 0_s, ConditionStatus::kTrue);
      picture.apply(observed::PodAdded{.owner = owner, .node = NodeKey(n)}, at(0_s));
    }
  }
  void set(int node, ConditionId type, Duration since, ConditionStatus status) {
    picture.apply(
        observed::ConditionSet{.node = NodeKey(node), .type = type, .status = status, .reason = {}},
        at(since));
  }
  void bad(int node, ConditionId type, Duration since) {
    set(node, type, since, ConditionStatus::kFalse);
  }
  void page(int node, Duration since, std::uint32_t episode = 1) {
    picture.apply(
        observed::PodPaged{
            PodKey(node),
            {.since = at(since), .place = static_cast<std::uint32_t>(node), .episode = episode}},
        at(since));
  }
  const Asked& ask(const Controller& controller, Subject subject, Duration now,
                   const ControllerList& all) {
    Asked& asked = answers.emplace_back();
    controller.reconcile({.picture = picture,
                          .subject = subject,
                          .now = at(now),
                          .random = random,
                          .self = 0,
                          .controllers = all},
                         asked);
    return asked;
  }
  const Asked& look(int node, Duration now) {
    return ask(NodeRepair(repair, types), Subject::of(NodeKey(node)), now, ControllerList());
  }
  const Asked& check(int node, Duration now) {
    return ask(StatusChecks(checks, types), Subject::of(NodeKey(node)), now, ControllerList());
  }
  // With node repair and the status checks beside the person.
  const Asked& answer(int node, Duration now) {
    std::vector<std::unique_ptr<const Controller>> others;
    others.push_back(std::make_unique<NodeRepair>(repair, types));
    others.push_back(std::make_unique<StatusChecks>(checks, types));
    return ask(OnCall(person), Subject::of(PodKey(node)), now, ControllerList(std::move(others)));
  }

  NodeRepairConfig repair;
  StatusChecksConfig checks{.condition = "Other"};
  OnCallControllerConfig person{.pages = {.answers = Distribution::fixed(30_min)}, .mends = {}};
  observed::Picture picture{{"Ready"}, {true}};
  RandomSource random{1, 0};
  std::deque<Asked> answers;
};

TEST_F(Controllers, HealthyNodeIsLeftAlone) {
  EXPECT_TRUE(look(0, 1_h).nothing());
  EXPECT_TRUE(check(0, 1_h).nothing());
}

TEST_F(Controllers, LooksAgainExactlyWhenDue) {
  bad(0, kGpu, 1_h);
  EXPECT_EQ(look(0, 1_h + 10_min - 1_ns).look, at(1_h + 10_min));
  const Asked& due = look(0, 1_h + 10_min);
  EXPECT_EQ(due.deleted, NodeKey(0));
  EXPECT_EQ(due.by, at(1_h + 10_min));  // forced
  EXPECT_FALSE(due.look);
}

// lastTransitionTime is in whole seconds.
TEST_F(Controllers, CountsFromTheWholeSecond) {
  bad(0, kGpu, 1_h + 700_ms);
  EXPECT_EQ(look(0, 1_h + 1_min).look, at(1_h + 10_min));
}

TEST_F(Controllers, EarliestEndOfTwo) {
  bad(0, kNetwork, 0_s);
  bad(0, kGpu, 25_min);
  EXPECT_EQ(look(0, 26_min).look, at(30_min));
}

TEST_F(Controllers, UnknownCountsForReadyOnly) {
  set(0, kGpu, 0_s, ConditionStatus::kUnknown);
  EXPECT_TRUE(look(0, 1_h).nothing());
  set(1, kReady, 0_s, ConditionStatus::kUnknown);
  EXPECT_EQ(look(1, 1_h).deleted, NodeKey(1));
}

TEST_F(Controllers, ConditionWithoutAPolicy) {
  bad(0, kOther, 0_s);
  EXPECT_TRUE(look(0, 1_h).nothing());
}

TEST_F(Controllers, GateCountsEveryMatchingNodeHoweverYoung) {
  bad(0, kGpu, 0_s);
  bad(1, kNetwork, 10_min);  // just now
  const Asked& asked = look(0, 10_min);
  EXPECT_FALSE(asked.deleted);
  ASSERT_TRUE(asked.blocked);
  EXPECT_EQ(asked.blocked->unhealthy, 2);
  EXPECT_EQ(asked.blocked->allowed, 1);
  EXPECT_EQ(asked.blocked->total, 5);
  EXPECT_EQ(asked.every, 5_min);
}

// ceil(20% x N) of N may be unhealthy.
TEST_F(Controllers, GateRoundsUp) {
  for (int nodes = 1; nodes <= 12; ++nodes) {
    make(nodes);
    const int allowed = (nodes + 4) / 5;
    for (int n = 0; n < nodes; ++n) {
      bad(n, kGpu, 0_s);
      EXPECT_EQ(look(0, 10_min).deleted.has_value(), n < allowed) << n + 1 << " of " << nodes;
    }
  }
}

// One that is being deleted is left alone, but counts until it is gone.
TEST_F(Controllers, TerminatingNodeCounts) {
  bad(0, kGpu, 0_s);
  bad(1, kGpu, 0_s);
  picture.apply(observed::NodeDeleted{.node = NodeKey(1), .terminate_by = at(0_s)}, at(0_s));
  EXPECT_TRUE(look(1, 10_min).nothing());
  EXPECT_TRUE(look(0, 10_min).blocked);
  picture.apply(observed::NodeGone{NodeKey(1)}, at(10_min));
  EXPECT_EQ(look(0, 10_min).deleted, NodeKey(0));
}

TEST_F(Controllers, BootingNodeCountsAndIsRepairedItself) {
  bad(0, kGpu, 0_s);
  picture.apply(observed::NodeGone{NodeKey(1)}, at(9_min));
  picture.apply(observed::NodeAdded{.pool = PoolId(0), .machine = {}, .labels = {}}, at(9_min));
  EXPECT_TRUE(look(0, 10_min).blocked);
  EXPECT_EQ(look(5, 10_min).look, at(39_min));
  set(5, kReady, 10_min, ConditionStatus::kTrue);
  EXPECT_EQ(look(0, 10_min).deleted, NodeKey(0));
  EXPECT_TRUE(look(5, 39_min).nothing());
}

TEST_F(Controllers, GateOffAndByCount) {
  for (int n = 0; n < 5; ++n) bad(n, kGpu, 0_s);
  repair.gate = Gate{};
  EXPECT_TRUE(look(0, 10_min).deleted);
  repair.gate = Gate{Gate::Kind::kCount, 4};
  EXPECT_TRUE(look(0, 10_min).blocked);
  repair.gate = Gate{Gate::Kind::kCount, 5};
  EXPECT_TRUE(look(0, 10_min).deleted);
}

// Impaired since 10 s past a whole minute: 2 min are over at 10 s past, and the next look is on the minute.
TEST_F(Controllers, ImpairedInstanceIsDueAtTheControllersLook) {
  bad(0, kOther, 1_min + 10_s);
  EXPECT_EQ(check(0, 2_min).look, at(4_min));
  EXPECT_EQ(check(0, 4_min - 1_ns).look, at(4_min));
  EXPECT_EQ(check(0, 4_min).deleted, NodeKey(0));
  checks.poll = 90_s;
  EXPECT_EQ(check(0, 2_min).look, at(4_min + 30_s));
  checks.first_poll = 20_s;
  EXPECT_EQ(check(0, 2_min).look, at(3_min + 20_s));
  checks.impaired_for = Duration::infinite();
  EXPECT_TRUE(check(0, 2_min).nothing());
  checks.condition = "Elsewhere";  // no detector knows it
  EXPECT_TRUE(check(0, 1_h).nothing());
}

TEST_F(Controllers, AnImpairedInstanceDoesNotAskTheGateAndDoesNotCount) {
  bad(0, kGpu, 0_s);
  bad(1, kOther, 9_min);
  EXPECT_EQ(look(0, 10_min).deleted, NodeKey(0));  // node 1 does not count
  for (int n = 1; n < 5; ++n) bad(n, kGpu, 0_s);
  EXPECT_TRUE(look(1, 10_min).blocked);
  EXPECT_EQ(check(1, 11_min).deleted, NodeKey(1));
  picture.apply(observed::NodeDeleted{.node = NodeKey(1), .terminate_by = at(11_min)}, at(11_min));
  EXPECT_TRUE(check(1, 12_min).nothing());
}

TEST_F(Controllers, OnCallActsOnlyWhereNobodyElseWill) {
  EXPECT_TRUE(answer(0, 1_h).nothing());
  page(0, 1_h);
  EXPECT_EQ(answer(0, 1_h).look, at(1_h + 30_min));
  EXPECT_EQ(answer(0, 1_h + 30_min).deleted, NodeKey(0));
  bad(0, kGpu, 1_h);
  EXPECT_TRUE(answer(0, 1_h + 30_min).nothing());
  // It clears, and the pod fails still.
  set(0, kGpu, 1_h + 35_min, ConditionStatus::kTrue);
  EXPECT_EQ(answer(0, 1_h + 35_min).deleted, NodeKey(0));
  bad(0, kOther, 1_h + 35_min);
  EXPECT_TRUE(answer(0, 1_h + 36_min).nothing());
  // Node repair would tolerate it for ever.
  set(0, kOther, 1_h + 38_min, ConditionStatus::kTrue);
  bad(0, kGpu, 1_h + 40_min);
  repair.tolerations["Gpu"] = Duration::infinite();
  EXPECT_EQ(answer(0, 1_h + 40_min).deleted, NodeKey(0));
}

TEST_F(Controllers, OnCallOverridesAfterAWhile) {
  person.pages.overrides_after = 4_h;
  page(0, 1_h);
  bad(0, kGpu, 1_h);
  EXPECT_EQ(answer(0, 2_h).look, at(5_h));
  EXPECT_EQ(answer(0, 5_h).deleted, NodeKey(0));
}

TEST_F(Controllers, OnCallMendsWhereItIsToldTo) {
  person.mends = Distribution::fixed(1_h);
  page(0, 1_h);
  const Asked& asked = answer(0, 90_min);
  EXPECT_EQ(asked.worked_on, NodeKey(0));
  EXPECT_EQ(asked.hands_on, 1_h);
  EXPECT_FALSE(asked.deleted);
}

// The answer is drawn for the place and the episode, whoever else is there.
TEST_F(Controllers, OnCallAnswersAlikeUnderEveryPolicy) {
  person.pages.answers = *Distribution::make_exponential(30_min);
  page(0, 1_h);
  const Asked& among_others = answer(0, 1_h);
  const Asked& alone = ask(OnCall(person), Subject::of(PodKey(0)), 1_h, ControllerList());
  ASSERT_TRUE(alone.look);
  EXPECT_EQ(among_others.look, alone.look);
  page(0, 1_h, 2);
  EXPECT_NE(answer(0, 1_h).look, alone.look);  // another episode, another answer
}

TEST(PolicyRegistry, NamesEveryPolicyAndControllerOnce) {
  const auto policies = registered_policies();
  ASSERT_EQ(policies.size(), std::variant_size_v<PolicyConfig>);
  EXPECT_EQ(policies[0].tag, "karpenter");
  EXPECT_EQ(policies[1].tag, "restart-in-place");
  const auto controllers = registered_controllers();
  ASSERT_EQ(controllers.size(), std::variant_size_v<ControllerConfig>);
  EXPECT_EQ(controllers[3].tag, "node-repair");
}

// The short form and the list say the same about themselves, each under its own paths.
TEST(PolicyRegistry, AShortFormIsAListOfControllers) {
  const KarpenterConfig karpenter{.tolerations = {{"Gpu", 10_min}}, .drain = 7_s};
  const ControlPlaneFacts of_policy = facts_of(karpenter, {});
  const ControlPlaneFacts of_list = facts_of(karpenter, karpenter.controllers());
  ASSERT_EQ(of_policy.windows.size(), 1U);
  ASSERT_EQ(of_list.windows.size(), 1U);
  EXPECT_EQ(of_policy.windows[0].path, "policy.tolerations.Gpu");
  EXPECT_EQ(of_list.windows[0].path, "controllers[node-repair].tolerations.Gpu");
  EXPECT_EQ(of_policy.gates[0].gate, of_list.gates[0].gate);
  EXPECT_EQ(of_list.shortest_drain, 7_s);
  EXPECT_TRUE(of_list.replaces_nodes && of_policy.replaces_nodes);
  EXPECT_FALSE(facts_of(RestartInPlaceConfig{}, {}).replaces_nodes);
}

}  // namespace
}  // namespace faultline
