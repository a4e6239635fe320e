// The budget of a replication: see README.md.

#include <benchmark/benchmark.h>

#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "allocations.h"
#include "sim/engine/metrics.h"
#include "sim/engine/simulation.h"
#include "sim/scenario/load_scenario.h"

namespace faultline {
namespace {

// Everything that one thread needs to run replications of a scenario.
struct Runner {
  Runner(const std::string& name, const std::vector<Override>& overrides)
      : scenario(load(name, overrides)),
        plan(scenario),
        simulation(plan),
        pooled(plan),
        metrics(plan, pooled) {}

  static Scenario load(const std::string& name, const std::vector<Override>& overrides) {
    const char* home = std::getenv("FAULTLINE_HOME");
    const std::string root = home == nullptr ? "." : home;
    const bool is_path = name.find('/') != std::string::npos;
    auto loaded = load_scenario(is_path ? root + "/" + name : name, overrides, DiskFiles(root));
    if (!loaded) throw std::runtime_error(loaded.error().render());
    return std::move(*loaded);
  }
  std::uint64_t run(std::uint32_t replication) {
    metrics.begin();
    return simulation.run(RandomSource(1, replication), metrics);
  }

  Scenario scenario;
  SimulationPlan plan;
  Simulation simulation;
  PooledDurations pooled;
  RunMetrics metrics;
};

constexpr std::uint32_t kWarmUp = 200;

void replication(benchmark::State& state, const std::string& name,
                 const std::vector<Override>& overrides) {
  Runner runner(name, overrides);
  for (std::uint32_t r = 0; r < kWarmUp; ++r) runner.run(r);
  const std::uint64_t allocations_before = allocations();
  std::uint64_t events = 0;
  std::uint32_t r = 0;
  for (auto _ : state) events += runner.run(r++ % kWarmUp);
  const auto allocated = static_cast<double>(allocations() - allocations_before);
  state.counters["allocations"] = allocated;
  state.counters["events"] =
      benchmark::Counter(static_cast<double>(events), benchmark::Counter::kAvgIterations);
  state.counters["per_event"] = benchmark::Counter(
      static_cast<double>(events), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void llama3(benchmark::State& state) { replication(state, "llama3", {}); }
BENCHMARK(llama3)->Name("Replication/llama3")->Unit(benchmark::kMicrosecond);

// With collectives: steps and stragglers that follow from the fabric.
void llama3_fabric(benchmark::State& state) { replication(state, "llama3-fabric", {}); }
BENCHMARK(llama3_fabric)->Name("Replication/llama3_fabric")->Unit(benchmark::kMicrosecond);

// The plan of llama3-fabric: 16,384 places of three classes that degrade a part.
void plan_llama3_fabric(benchmark::State& state) {
  const Scenario scenario = Runner::load("llama3-fabric", {});
  for (auto _ : state) benchmark::DoNotOptimize(SimulationPlan(scenario).jobs().data());
}
BENCHMARK(plan_llama3_fabric)->Name("Plan/llama3_fabric")->Unit(benchmark::kMillisecond);

void hundred_thousand_gpus(benchmark::State& state) {
  replication(state, "llama3",
              {{"fleet.pools[train].nodes=12500"}, {"workloads[llama3].nodes=12500"}});
}
BENCHMARK(hundred_thousand_gpus)
    ->Name("Replication/hundred_thousand_gpus")
    ->Unit(benchmark::kMicrosecond);

// AIReSim's default setting, for which AIReSim needs 10.9 CPU s.
void airesim_default(benchmark::State& state) {
  replication(state, "test/validation/airesim/l1_paper_default.yaml", {});
}
BENCHMARK(airesim_default)->Name("Replication/airesim_default")->Unit(benchmark::kMicrosecond);

// Idle nodes that nothing ever strikes: the same faults on the same job, ten times the nodes. Rates
// per GPU and node are scaled down by the job's share of the fleet, so the only difference is the
// size.
void ten_times_the_idle_nodes(benchmark::State& state) {
  Runner plain("llama3", {});
  Scenario scenario = Runner::load("llama3", {});
  constexpr std::int64_t kTimes = 11;  // the job's nodes and ten times as many idle ones
  scenario.fleet.pools[0].nodes *= kTimes;
  for (FaultClassConfig& fault_class : scenario.faults.classes) {
    if (fault_class.rate && fault_class.unit() != ExposureUnit::kJob) {
      fault_class.rate->exposure *= static_cast<double>(kTimes);
    }
  }
  const SimulationPlan plan(scenario);
  Simulation simulation(plan);
  PooledDurations pooled(plan);
  RunMetrics metrics(plan, pooled);
  const auto run_large = [&](std::uint32_t r) {
    metrics.begin();
    return simulation.run(RandomSource(1, r), metrics);
  };
  for (std::uint32_t r = 0; r < kWarmUp; ++r) {
    plain.run(r);
    run_large(r);
  }
  std::clock_t small_clock = 0;
  std::clock_t large_clock = 0;
  std::uint64_t small_events = 0;
  std::uint64_t large_events = 0;
  std::uint32_t r = 0;
  for (auto _ : state) {
    // In turns of many, because the processor clock is coarse.
    const std::clock_t begin = std::clock();
    for (int n = 0; n < 20; ++n)
      small_events += plain.run((r + static_cast<std::uint32_t>(n)) % kWarmUp);
    const std::clock_t middle = std::clock();
    for (int n = 0; n < 20; ++n)
      large_events += run_large((r + static_cast<std::uint32_t>(n)) % kWarmUp);
    const std::clock_t end = std::clock();
    small_clock += middle - begin;
    large_clock += end - middle;
    r += 20;
  }
  // Per event: a fault on an idle node has fewer consequences than one on the job.
  state.counters["cost_ratio"] =
      static_cast<double>(large_clock) / static_cast<double>(small_clock);
  state.counters["event_ratio"] =
      static_cast<double>(large_events) / static_cast<double>(small_events);
}
BENCHMARK(ten_times_the_idle_nodes)
    ->Name("Replication/ten_times_the_idle_nodes")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace faultline
