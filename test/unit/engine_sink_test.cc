// Metrics that are told directly know the same as those of a sink beside another one.
#include "sim/engine/sink.h"

#include <gtest/gtest.h>

#include <cmath>
#include <variant>

#include "sim/engine/metrics.h"
#include "sim/engine/simulation.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

struct CountSignals final : HappeningSink {
  void on(const Happening& happening) override {
    if (std::holds_alternative<SignalRaised>(happening.what)) ++signals;
  }
  int signals = 0;
};

TEST(HappeningSink, MetricsAloneAreToldWhatASinkIsTold) {
  const Scenario scenario = project_scenario("small", {});
  const SimulationPlan plan(scenario);
  PooledDurations pooled(plan);
  RunMetrics alone(plan, pooled);
  RunMetrics beside(plan, pooled);
  alone.begin();
  beside.begin();
  CountSignals signals;
  Tee both(beside, signals);
  Simulation simulation(plan);
  simulation.run(RandomSource(1, 0), alone);
  simulation.run(RandomSource(1, 0), both);
  for (std::size_t m = 0; m < alone.values().size(); ++m) {
    const double value = alone.values()[m];
    EXPECT_TRUE(value == beside.values()[m] || std::isnan(value)) << m;
  }
  EXPECT_GT(signals.signals, 0);
}

}  // namespace
}  // namespace faultline
