// The graph of the fabric at 2,048 nodes with faults: see README.md. The faults are those of a bad
// day: every 20th cable between switches and every 20th NIC is dead.
#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "models/fleet/fabric_graph.h"

namespace faultline {
namespace {

constexpr std::uint32_t kNodes = 2048;

Fabric big_fabric() { return {FabricConfig{}, kNodes, 8, 8}; }

FabricState bad_day(const Fabric& fabric) {
  std::vector<FabricFault> faults;
  for (const ElementKind kind : {ElementKind::kNic, ElementKind::kLeafUplink}) {
    for (std::uint32_t i = 0; i < fabric.count(kind); i += 20) {
      faults.push_back({.element = fabric.element(kind, i), .bandwidth = 0});
    }
  }
  return FabricState(std::move(faults));
}

void articulation(benchmark::State& state, bool faults) {
  const Fabric fabric = big_fabric();
  const FabricState broken = faults ? bad_day(fabric) : FabricState();
  const FabricView view(fabric, broken);
  std::size_t points = 0;
  for (auto _ : state) benchmark::DoNotOptimize(points = articulation_points(view).size());
  state.counters["points"] = static_cast<double>(points);
}

void bisection(benchmark::State& state, bool faults) {
  const Fabric fabric = big_fabric();
  const FabricState broken = faults ? bad_day(fabric) : FabricState();
  const FabricView view(fabric, broken);
  std::vector<std::uint32_t> nodes(kNodes);
  std::iota(nodes.begin(), nodes.end(), 0);
  const std::span<const std::uint32_t> all(nodes);
  double flow = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        flow = max_flow(view, all.subspan(0, kNodes / 2), all.subspan(kNodes / 2)));
  }
  state.counters["bytes_per_second"] = flow;
}

void routes(benchmark::State& state) {
  const Fabric fabric = big_fabric();
  const FabricState none;
  const FabricView view(fabric, none);
  std::uint32_t gpu = 0;
  const std::uint32_t gpus = kNodes * 8;
  for (auto _ : state) {
    benchmark::DoNotOptimize(view.route(gpu, (gpu + 8 * 37) % gpus));
    gpu = (gpu + 1) % gpus;
  }
}

BENCHMARK_CAPTURE(articulation, healthy, false)
    ->Name("Fabric/articulation/healthy")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(articulation, bad_day, true)
    ->Name("Fabric/articulation/bad_day")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bisection, healthy, false)
    ->Name("Fabric/bisection/healthy")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bisection, bad_day, true)
    ->Name("Fabric/bisection/bad_day")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(routes)->Name("Fabric/route");

}  // namespace
}  // namespace faultline
