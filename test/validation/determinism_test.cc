// A replication is a pure function of (scenario, seed, its number): not of the threads, not of what
// ran before it. Compared bit for bit, over the metrics, the pooled histograms and the whole
// journal. (Compilers and build types: test/golden/bit_identity_slow.sh and
// test/golden/small_summary_test.cc.)
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/engine/simulation.h"
#include "test/support/happening_digest.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

// NaN, which a metric without data has, equals itself here.
std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

std::vector<double> pooled_quantiles(const PooledDurations& pooled) {
  std::vector<double> quantiles;
  const auto read = [&](const Histogram& histogram) {
    quantiles.push_back(static_cast<double>(histogram.count()));
    for (const double q : {0.01, 0.5, 0.99}) quantiles.push_back(histogram.quantile_seconds(q));
  };
  for (const auto& detection : pooled.detections) read(detection.since_fault);
  for (const auto* family :
       {&pooled.fault_to_ready_by_channel, &pooled.fault_to_ready_by_class, &pooled.phases}) {
    for (const Histogram& histogram : *family) read(histogram);
  }
  return quantiles;
}

void expect_same(const ReplicationTable& a, const ReplicationTable& b) {
  EXPECT_EQ(a.finished, b.finished);
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t r = 0; r < a.values.size(); ++r) EXPECT_EQ(bits(a.values[r]), bits(b.values[r]));
  EXPECT_EQ(bits(pooled_quantiles(a.pooled)), bits(pooled_quantiles(b.pooled)));
  EXPECT_EQ(a.events, b.events);
}

class Determinism : public testing::TestWithParam<const char*> {
 protected:
  const Scenario scenario_ = project_scenario(GetParam());
  const SimulationPlan plan_{scenario_};
};
INSTANTIATE_TEST_SUITE_P(Scenarios, Determinism, testing::Values("small", "llama3", "rsc1"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_P(Determinism, OneThreadOrTwo) {
  expect_same(run_replications(plan_, {.seed = 1, .replications = 16, .threads = 1}),
              run_replications(plan_, {.seed = 1, .replications = 16, .threads = 2}));
}

TEST_P(Determinism, AnotherSeedIsAnotherRun) {
  const ReplicationTable one = run_replications(plan_, {.seed = 1, .replications = 4});
  const ReplicationTable other = run_replications(plan_, {.seed = 2, .replications = 4});
  for (std::size_t r = 0; r < 4; ++r) EXPECT_NE(bits(one.values[r]), bits(other.values[r]));
  EXPECT_NE(bits(one.values[0]), bits(one.values[1]));
}

TEST_P(Determinism, AReplicationAloneIsTheSameAsAmongMany) {
  const ReplicationTable table = run_replications(plan_, {.seed = 1, .replications = 8});
  for (const std::uint32_t r : {0U, 3U, 7U}) {
    Simulation simulation(plan_);
    PooledDurations pooled(plan_);
    RunMetrics metrics(plan_, pooled);
    metrics.begin();
    simulation.run(RandomSource(1, r), metrics);
    EXPECT_EQ(bits(metrics.values()), bits(table.values[r])) << r;
  }
}

TEST_P(Determinism, NothingOfARunIsLeftForTheNext) {
  const auto digest = [&](Simulation& simulation, std::uint32_t r) {
    HappeningDigest journal;
    simulation.run(RandomSource(1, r), journal);
    return journal.digest();
  };
  Simulation used(plan_);
  const std::uint64_t first = digest(used, 5);
  EXPECT_NE(digest(used, 6), first);
  EXPECT_EQ(digest(used, 5), first);
  Simulation fresh(plan_);
  EXPECT_EQ(digest(fresh, 5), first);
}

}  // namespace
}  // namespace faultline
