// Nodes are conserved on llama3: every machine that Karpenter decides to replace is drained once
// and removed once, and one machine takes its slot; no other machine ever leaves. Whatever
// overtakes what: a launch runs beside the drain of a silent node (62 s), and a quarter of the
// launches are faster than that.
//
// No statistics: an invariant, checked in 20 replications (seed 1) of about 600 replacements.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "sim/engine/simulation.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

class Census final : public HappeningSink {
 public:
  explicit Census(std::uint32_t slots) : generation_(slots) {}

  void on(const Happening& happening) override {
    if (const auto* decided = std::get_if<RepairDecided>(&happening.what)) {
      EXPECT_EQ(decided->node.generation, generation_[decided->node.slot.index()]);
      EXPECT_TRUE(draining_.insert(decided->node).second);
      ++decided_;
    } else if (const auto* drained = std::get_if<NodeDrained>(&happening.what)) {
      expect_one(draining_.erase(drained->node), drained->node, "drained", happening.time);
      leaving_.insert(drained->node);
    } else if (const auto* removed = std::get_if<NodeRemoved>(&happening.what)) {
      expect_one(leaving_.erase(removed->node), removed->node, "removed", happening.time);
    } else if (const auto* joined = std::get_if<NodeJoined>(&happening.what)) {
      std::uint32_t& generation = generation_[joined->node.slot.index()];
      EXPECT_EQ(joined->node.generation, generation + 1);
      ++generation;
    }
  }
  std::uint64_t decided() const { return decided_; }
  // Decided and not drained yet, drained and not removed yet.
  std::size_t under_way() const { return draining_.size() + leaving_.size(); }

 private:
  static void expect_one(std::size_t found, NodeId node, const char* what, SimTime now) {
    EXPECT_EQ(found, 1U) << to_string(now) << ": generation " << node.generation << " of slot "
                         << node.slot.value() << " is " << what << " out of turn";
  }

  std::vector<std::uint32_t> generation_;  // the newest machine of each slot
  std::set<NodeId> draining_;
  std::set<NodeId> leaving_;
  std::uint64_t decided_ = 0;
};

TEST(NodeConservation, WhatIsReplacedLeavesAndNothingElse) {
  const Scenario scenario = project_scenario("llama3");
  const SimulationPlan plan(scenario);
  Simulation simulation(plan);
  std::uint64_t decided = 0;
  for (std::uint32_t r = 0; r < 20 && !HasFailure(); ++r) {
    Census census(plan.fleet().slots());
    simulation.run(RandomSource(1, r), census);
    decided += census.decided();
    EXPECT_LE(census.under_way(), 10U) << "machines that never leave";
  }
  EXPECT_GT(decided, 20 * 300U);
}

}  // namespace
}  // namespace faultline
