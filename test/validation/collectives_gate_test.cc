// Analytic = SimGrid step by step, and fluid = SimGrid's flows: the part of the gate that every run
// has time for (collectives_gate_slow_test.cc has all of it).
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <functional>
#include <numeric>

#include "models/collectives/max_min.h"
#include "sim/lab/collectives/simgrid_oracle.h"
#include "test/support/ring_gate.h"

namespace faultline {
namespace {

TEST(CollectivesGate, TwentyRingsOfSixtyFourNodes) {
  const GateResult result = ring_gate(64, 0, 20);
  EXPECT_LT(result.worst, kGate);
  EXPECT_EQ(result.without_alpha_caught, 20);
  EXPECT_GE(result.wrong_rail_caught, 5);
}

// The oracles as a whole: all rails, NVLink, the calibration.
TEST(CollectivesGate, WholeOperations) {
  FabricConfig config;
  config.busbw = Bandwidth{370e9};
  const Fabric fabric(config, 40, 8, 8);
  SimGridOracle simgrid(fabric, simgrid_for(fabric), 1e9);
  AnalyticOracle analytic(fabric);
  FluidOracle fluid(fabric);
  CollectiveSpec spec{.bytes = 256e6,
                      .nodes = std::vector<std::uint32_t>(40),
                      .algorithm = CollectiveAlgorithm::kHierarchical};
  std::iota(spec.nodes.begin(), spec.nodes.end(), 0);
  for (const CollectiveOp op :
       {CollectiveOp::kAllReduce, CollectiveOp::kReduceScatter, CollectiveOp::kAllGather}) {
    spec.op = op;
    for (const char* part : {"rail3@node17", "gpu2@node5", "uplink31@leaf4"}) {
      const FabricState state({{.element = *fabric.find(part), .bandwidth = 0.1}});
      const auto truth = simgrid.cost(spec, state);
      ASSERT_TRUE(truth) << truth.error();
      EXPECT_NEAR(analytic.cost(spec, state)->seconds / truth->seconds, 1, kGate) << part;
      EXPECT_NEAR(fluid.cost(spec, state)->seconds / truth->seconds, 1, kGate) << part;
      EXPECT_EQ(fabric.name(truth->bottleneck), part);
    }
  }
}

double child_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

// 2,048 nodes of 8 GPUs with a slow NIC: two rails differ, and stand for all eight.
TEST(CollectivesGate, SixteenThousandGpusInASecond) {
  const Fabric fabric(FabricConfig{}, 2048, 8, 8);
  const FabricState state({{.element = *fabric.find("rail3@node17"), .bandwidth = 0.1}});
  CollectiveSpec spec{.bytes = 1e9,
                      .nodes = std::vector<std::uint32_t>(2048),
                      .algorithm = CollectiveAlgorithm::kHierarchical};
  std::iota(spec.nodes.begin(), spec.nodes.end(), 0);
  [[maybe_unused]] const double before = child_seconds();
  {
    SimGridOracle simgrid(fabric, simgrid_for(fabric));
    const auto truth = simgrid.cost(spec, state);
    ASSERT_TRUE(truth) << truth.error();
    EXPECT_NEAR(AnalyticOracle(fabric).cost(spec, state)->seconds / truth->seconds, 1, kGate);
  }
#ifdef NDEBUG
  EXPECT_LT(child_seconds() - before, 1);  // the platform included
#endif
}

struct Contention {
  const char* name;
  std::function<Fabric()> fabric;
  std::function<FabricState(const Fabric&, StateDraws&)> state;
  std::function<std::vector<SimFlow>(const Fabric&, StateDraws&)> flows;
};

FabricState none(const Fabric&, StateDraws&) { return FabricState(); }

// Every NIC at a speed of its own.
FabricState all_nics_differ(const Fabric& fabric, StateDraws& draws) {
  std::vector<FabricFault> faults;
  for (std::uint32_t node = 0; node < fabric.nodes(); ++node) {
    for (std::uint32_t rail = 0; rail < fabric.nics_per_node(); ++rail) {
      faults.push_back(
          {.element = fabric.nic(node, rail), .bandwidth = 0.1 + 0.9 * draws.uniform()});
    }
  }
  return FabricState(std::move(faults));
}

FabricState one(const Fabric& fabric, const char* part, double bandwidth) {
  return FabricState({{.element = *fabric.find(part), .bandwidth = bandwidth}});
}

Fabric fat_tree(std::uint32_t nodes, std::int64_t spines, double oversubscription) {
  return {FabricConfig{.topology = FabricTopology::kFatTree,
                       .nodes_per_leaf = 4,
                       .spines = spines,
                       .oversubscription = oversubscription},
          nodes, 8, 8};
}

std::uint32_t gpus_of(const Fabric& fabric) { return fabric.count(ElementKind::kGpuPort); }

constexpr std::uint64_t kBytes = 10'000'000;

std::vector<SimFlow> permutation(const Fabric& fabric, StateDraws& draws) {
  std::vector<GpuIndex> to(gpus_of(fabric));
  std::iota(to.begin(), to.end(), 0);
  for (std::uint32_t i = gpus_of(fabric) - 1; i > 0; --i) std::swap(to[i], to[draws.below(i + 1)]);
  std::vector<SimFlow> flows;
  for (GpuIndex from = 0; from < to.size(); ++from) {
    if (to[from] != from) flows.push_back({from, to[from], kBytes, 0});
  }
  return flows;
}

std::vector<SimFlow> unequal(const Fabric& fabric, StateDraws& draws) {
  std::vector<SimFlow> flows = permutation(fabric, draws);
  for (SimFlow& flow : flows) {
    flow.bytes = 1 + static_cast<std::uint64_t>(draws.uniform() * 2 * kBytes);
    flow.start = draws.uniform() * 1e-3;
  }
  return flows;
}

std::vector<SimFlow> all_to_all(const Fabric& fabric, StateDraws&) {
  std::vector<SimFlow> flows;
  for (GpuIndex from = 0; from < gpus_of(fabric); ++from) {
    for (GpuIndex to = 0; to < gpus_of(fabric); ++to) {
      if (from != to) flows.push_back({from, to, kBytes, 0});
    }
  }
  return flows;
}

std::vector<SimFlow> incast(const Fabric& fabric, StateDraws&) {
  std::vector<SimFlow> flows;
  for (GpuIndex from = 1; from < gpus_of(fabric); ++from) flows.push_back({from, 0, kBytes, 0});
  return flows;
}

// Two jobs on every other node, each in rings over its nodes; the second starts later.
std::vector<SimFlow> two_jobs(const Fabric& fabric, StateDraws&) {
  std::vector<SimFlow> flows;
  const std::uint32_t gpus = fabric.gpus_per_node();
  for (std::uint32_t node = 0; node < fabric.nodes(); ++node) {
    const std::uint32_t next = (node + 2) % fabric.nodes();
    const bool second = node % 2 == 1;
    for (std::uint32_t g = 0; g < gpus; ++g) {
      flows.push_back(
          {node * gpus + g, next * gpus + g, second ? kBytes : 3 * kBytes, second ? 2e-4 : 0.0});
    }
  }
  return flows;
}

TEST(CollectivesGate, FluidIsSimGridInTwelveContentions) {
  const auto rails = [] {
    return Fabric(FabricConfig{.nodes_per_leaf = 4, .spines = 2}, 16, 8, 8);
  };
  const auto pods = [] {
    return Fabric(FabricConfig{.topology = FabricTopology::kThreeLayer,
                               .nodes_per_leaf = 2,
                               .spines = 4,
                               .leaves_per_pod = 2,
                               .cores = 2},
                  16, 8, 8);
  };
  const auto tree = [](std::uint32_t nodes, std::int64_t spines, double oversubscription) {
    return [=] { return fat_tree(nodes, spines, oversubscription); };
  };
  const auto part = [](const char* name, double bandwidth) {
    return [=](const Fabric& fabric, StateDraws&) { return one(fabric, name, bandwidth); };
  };
  const std::vector<Contention> contentions{
      {"permutation, one spine", tree(16, 1, 1), none, permutation},
      {"permutation, 8 spines", tree(16, 8, 1), none, permutation},
      {"permutation, every NIC differs", tree(16, 8, 1), all_nics_differ, permutation},
      {"unequal bytes and starts", tree(16, 4, 2), none, unequal},
      {"unequal, every NIC differs", tree(8, 4, 4), all_nics_differ, unequal},
      {"all to all", tree(4, 4, 1), none, all_to_all},
      {"all to all, a slow NIC", rails, part("rail3@node2", 0.1),
       [](const Fabric&, StateDraws& draws) {
         return all_to_all({FabricConfig{}, 4, 8, 8}, draws);
       }},
      {"all to one", rails, none, incast},
      {"two jobs on shared spines", tree(16, 4, 4), none, two_jobs},
      {"two jobs, a dead spine", rails, part("spine3", 0), two_jobs},
      {"1:7 between pods", pods, none, permutation},
      {"a dead NIC, unequal", pods, part("rail2@node5", 0), unequal},
  };
  ASSERT_EQ(contentions.size(), 12U);
  std::uint32_t seed = 100;
  for (const Contention& contention : contentions) {
    const Fabric fabric = contention.fabric();
    StateDraws draws(seed++);
    const FabricState state = contention.state(fabric, draws);
    const FabricView view(fabric, state);
    SimGridRequest request{.state = state, .flows = contention.flows(fabric, draws)};
    std::vector<Route> routes;
    for (const SimFlow& flow : request.flows) routes.push_back(*view.route(flow.from, flow.to));
    std::vector<FluidFlow> flows;
    for (std::size_t i = 0; i < routes.size(); ++i) {
      flows.push_back({.links = routes[i].links(),
                       .bytes = static_cast<double>(request.flows[i].bytes),
                       .start = request.flows[i].start});
    }
    const std::vector<double> ends =
        finish_times(flows, [&](LinkIndex link) { return view.bandwidth(link); });
    const double fluid = *std::max_element(ends.begin(), ends.end());
    const auto answer = simgrid_for(fabric).ask(request);
    ASSERT_TRUE(answer) << answer.error();
    EXPECT_NEAR(fluid / answer->front(), 1, kGate) << contention.name;
  }
}

}  // namespace
}  // namespace faultline
