// What a cost takes to find: see README.md.
#include <benchmark/benchmark.h>

#include <numeric>

#include "models/collectives/memo.h"

namespace faultline {
namespace {

Fabric fabric_of(std::uint32_t nodes) { return {FabricConfig{}, nodes, 8, 8}; }

CollectiveSpec hierarchical(std::uint32_t nodes) {
  CollectiveSpec spec{.bytes = 1e9,
                      .nodes = std::vector<std::uint32_t>(nodes),
                      .algorithm = CollectiveAlgorithm::kHierarchical,
                      .protocol = Protocol::kSimple};
  std::iota(spec.nodes.begin(), spec.nodes.end(), 0);
  return spec;
}

// A memo of many costs, asked for one after the other.
void memo_hit(benchmark::State& state) {
  constexpr std::uint64_t kCosts = 10'000;
  CostMemo memo;
  const std::uint64_t spec = spec_key(hierarchical(64));
  for (std::uint64_t i = 0; i < kCosts; ++i) memo.insert(cost_key(spec, i), {});
  std::uint64_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(memo.find(cost_key(spec, i)));
    i = (i + 7919) % kCosts;
  }
}

template <class Oracle>
void cost(benchmark::State& state) {
  const auto nodes = static_cast<std::uint32_t>(state.range(0));
  const Fabric fabric = fabric_of(nodes);
  const CollectiveSpec spec = hierarchical(nodes);
  const FabricState slow({{.element = fabric.nic(1, 3), .bandwidth = 0.1}});
  Oracle oracle(fabric);
  for (auto _ : state) benchmark::DoNotOptimize(oracle.cost(spec, slow));
}

void canonical(benchmark::State& state) {
  const Fabric fabric = fabric_of(2048);
  const CollectiveSpec spec = hierarchical(2048);
  const FabricState slow({{.element = fabric.nic(1000, 3), .bandwidth = 0.1}});
  for (auto _ : state) benchmark::DoNotOptimize(canonical_state(fabric, spec, slow).key());
}

BENCHMARK(memo_hit)->Name("Collectives/memo_hit");
BENCHMARK(canonical)->Name("Collectives/canonical_state/2048");
BENCHMARK_TEMPLATE(cost, AnalyticOracle)
    ->Name("Collectives/analytic")
    ->Arg(64)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(cost, FluidOracle)
    ->Name("Collectives/fluid")
    ->Arg(64)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace faultline
