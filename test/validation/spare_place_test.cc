// How wrong it is that a spare counts as standing where the lost rank stood (models/collectives/MODEL.md): steps
// costed with spares' own places, beside those at the lost nodes' places.
//
// Llama 3's fabric with 32 warm spares, which stand behind the last nodes: 2,048 nodes are 5 pods of 384 and a
// sixth of 128, so the spares are in the last pod, and the ring of a rank that moves there crosses the core both
// ways. The uplink that the spare's NIC takes at its leaf may be another's as well.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/collectives/routed.h"
#include "models/collectives/step_plan.h"
#include "sim/engine/plan.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

class SparePlace : public testing::Test {
 protected:
  using Moves = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // node, spare

  StepParts parts(const Moves& moves, const FabricState& state = {}) const {
    std::vector<std::uint32_t> place(fabric_.nodes());
    for (std::uint32_t n = 0; n < place.size(); ++n) place[n] = n;
    for (const auto& [node, spare] : moves) place[node] = spare;
    const auto moved = [&](GpuIndex gpu) {
      return place[fabric_.node_of(gpu)] * fabric_.gpus_per_node() + gpu % fabric_.gpus_per_node();
    };
    const FabricView view(fabric_, state);
    return plan_.parts([&](const StepPlan::Collective& collective) {
      Phase phase = collective.phase;
      for (Flow& flow : phase.flows) {
        flow.from = moved(flow.from);
        flow.to = moved(flow.to);
      }
      return even_share_time(*route_phase(view, phase, plan_.software())).seconds;
    });
  }
  double seconds(const Moves& moves, const FabricState& state = {}) const {
    return plan_.sum().time(parts(moves, state)).total;
  }
  // By how much spares in the place of these nodes lengthen the healthy step.
  double longer(const std::vector<std::uint32_t>& lost) const {
    Moves moves;
    for (const std::uint32_t node : lost) {
      moves.emplace_back(node, kFirstSpare + static_cast<std::uint32_t>(moves.size()));
    }
    return seconds(moves) / at_home_ - 1;
  }

  const Scenario scenario_ = project_scenario("llama3-fabric", {"capacity.warm_spares=32"});
  const Fabric fabric_{scenario_.fleet, scenario_.capacity.warm_spares};
  const TrainingConfig& job_ = std::get<TrainingConfig>(scenario_.workloads.front());
  const StepPlan plan_{training_step(*job_.model, *job_.parallelism), fabric_};
  const double at_home_ = seconds({});
  static constexpr std::uint32_t kFirstSpare = 2048;
};

// The sender's place at its leaf decides the spine. A spare with the other place than the lost node (odd for even)
// meets another flow on the way down: 0.60%. With the same place it only has more cables to cross: 0.01%.
TEST_F(SparePlace, OneSpareElsewhereCostsLessThanAHundredth) {
  for (const std::uint32_t node : {0U, 1U, 15U, 383U, 384U, 1000U, 1919U, 2047U}) {
    for (const std::uint32_t spare : {kFirstSpare, kFirstSpare + 1, kFirstSpare + 31}) {
      const double longer = seconds({{node, spare}}) / at_home_ - 1;
      EXPECT_GE(longer, 0) << node << " " << spare;
      EXPECT_LT(longer, 0.007) << node << " " << spare;
    }
  }
  EXPECT_NEAR(seconds({{0, kFirstSpare + 1}}) / at_home_ - 1, 0.0060, 0.0001);
  EXPECT_NEAR(seconds({{0, kFirstSpare}}) / at_home_ - 1, 0.0001, 0.0001);
}

// Spares that stand together share uplinks and the core's 1:7.
TEST_F(SparePlace, ManySparesTogetherCostMore) {
  const auto spread = [](std::uint32_t count) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t n = 0; n < count; ++n) nodes.push_back(n * 64 + 5);
    return nodes;
  };
  EXPECT_NEAR(longer(spread(2)), 0.009, 0.001);
  EXPECT_NEAR(longer(spread(8)), 0.010, 0.001);
  EXPECT_NEAR(longer(spread(32)), 0.038, 0.001);
}

// A slow NIC is as bad at either place; a lossy uplink's messages of the pipeline meet others at the spare's.
TEST_F(SparePlace, AFaultThereCostsAboutTheSame) {
  const auto nic = [&](std::uint32_t node) {
    return FabricState({{.element = fabric_.nic(node, 0), .bandwidth = 0.1}});
  };
  const auto uplink = [&](std::uint32_t node) {
    return FabricState(
        {{.element = fabric_.leaf_uplink(fabric_.leaf_of(node, 0), fabric_.uplink_of(node, 0)),
          .bandwidth = 0.25,
          .extra_latency = 100_us}});
  };
  for (const std::uint32_t spare : {kFirstSpare, kFirstSpare + 31}) {
    for (const std::uint32_t node : {0U, 1000U, 2047U}) {
      EXPECT_NEAR(seconds({{node, spare}}, nic(spare)) / seconds({}, nic(node)), 1, 0.0001);
      const double of_uplink = seconds({{node, spare}}, uplink(spare)) / seconds({}, uplink(node));
      EXPECT_GT(of_uplink, 0.9999) << node << " " << spare;
      EXPECT_LT(of_uplink, 1.011) << node << " " << spare;
    }
  }
}

}  // namespace
}  // namespace faultline
