// What a sink does not read is not told to it, and nothing else changes.
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
    last = happening.id;
    if (std::holds_alternative<SignalRaised>(happening.what)) ++signals;
  }
  int signals = 0;
  HappeningId last;
};

struct CountSignalsWithoutReadingThem final : HappeningSink {
  void on(const Happening& happening) override { all.on(happening); }
  HappeningKinds reads() const override { return HappeningKinds::all().without<SignalRaised>(); }
  CountSignals all;
};

TEST(HappeningKinds, WithoutAndUnion) {
  constexpr HappeningKinds some = HappeningKinds::all().without<FaultStruck, RunEnded>();
  static_assert(!some.has<FaultStruck>() && !some.has<RunEnded>() && some.has<SignalRaised>());
  static_assert((some | HappeningKinds::all()).has<FaultStruck>());
}

TEST(HappeningSink, WhatIsNotReadIsNotToldAndChangesNothing) {
  const Scenario scenario = project_scenario("small", {});
  const SimulationPlan plan(scenario);
  PooledDurations pooled(plan);
  RunMetrics alone(plan, pooled);
  RunMetrics beside(plan, pooled);
  alone.begin();
  beside.begin();
  CountSignals signals;
  CountSignalsWithoutReadingThem none;
  Tee both(beside, signals);
  Simulation simulation(plan);
  simulation.run(RandomSource(1, 0), alone);
  simulation.run(RandomSource(1, 0), both);
  simulation.run(RandomSource(1, 0), none);
  for (std::size_t m = 0; m < alone.values().size(); ++m) {
    const double value = alone.values()[m];
    EXPECT_TRUE(value == beside.values()[m] || std::isnan(value)) << m;
  }
  EXPECT_GT(signals.signals, 0);
  EXPECT_EQ(none.all.signals, 0);
  EXPECT_EQ(none.all.last, signals.last);
}

}  // namespace
}  // namespace faultline
