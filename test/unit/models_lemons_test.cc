// Lemons: which machines they are, and an arrival clock that runs with their number.
#include <gtest/gtest.h>

#include <cmath>

#include "models/faults/arrivals.h"
#include "models/faults/lemons.h"

namespace faultline {
namespace {

// The worked example of lemons.h; each machine is one with probability 654/4360 = 0.15. Over 2,000 replications
// the share of machine 7 has the standard error 0.00798; alpha = 1e-4 is 3.9 of them.
TEST(Lemons, ExactlyTheShare) {
  Lemons lemons(0.15, 4360);
  int seven = 0;
  for (std::uint32_t r = 0; r < 2000; ++r) {
    const RandomSource random(1, r);
    lemons.begin(random);
    ASSERT_EQ(lemons.members().size(), 654U);
    if (lemons.contains(MachineId(7))) ++seven;
  }
  EXPECT_NEAR(seven / 2000.0, 0.15, 3.9 * 0.00798);
}

TEST(Lemons, MendedMachinesAreNone) {
  Lemons lemons(1, 3);
  const RandomSource first(1, 0);
  lemons.begin(first);
  lemons.mend(MachineId(1));
  EXPECT_TRUE(lemons.contains(MachineId(0)));
  EXPECT_FALSE(lemons.contains(MachineId(1)));
  const RandomSource second(1, 1);
  lemons.begin(second);
  EXPECT_TRUE(lemons.contains(MachineId(1)));
  const Lemons none(0, 3);
  EXPECT_FALSE(none.exist());
  EXPECT_FALSE(none.contains(MachineId(0)));
}

FaultCatalogueConfig of_lemons(FaultVictims victims, double per_day) {
  FaultClassConfig config;
  config.name = "lemon";
  config.victims = victims;
  config.rate = Rate{.count = per_day, .unit = ExposureUnit::kNode};
  FaultCatalogueConfig catalogue;
  catalogue.classes = {config};
  return catalogue;
}

// The exposure clock. With u the first arrival needs -ln(1-u) days of a rate of 1 per lemon-day. Four lemons
// use it up four times as fast; none of them stop it.
TEST(Arrivals, ClockOfLemonsRunsWithTheirNumber) {
  const FaultCatalogueConfig catalogue = of_lemons(FaultVictims::kLemons, 1);
  const auto classes = compile_fault_classes(catalogue, 1_d);
  Arrivals arrivals(classes, FaultClock::kAlways, {.nodes = 100}, 0);
  const RandomSource random(1, 0);
  arrivals.begin(random);
  EXPECT_TRUE(arrivals.next().is_never());
  const double u = random.two_uniforms(StreamId("fault/arrival", "lemon"), 0, 0).first;
  const double exposure = -std::log(1 - u) * 86'400;
  arrivals.set_lemons(1, SimTime::start());
  EXPECT_NEAR(arrivals.next().seconds(), exposure, 1e-6);
  const Duration half = Duration::from_seconds(exposure / 2);
  arrivals.set_lemons(4, SimTime::at(half));
  EXPECT_NEAR(arrivals.next().seconds(), exposure / 2 + exposure / 8, 1e-6);
  arrivals.set_lemons(0, SimTime::at(half));
  EXPECT_TRUE(arrivals.next().is_never());
  arrivals.set_lemons(2, SimTime::at(half + 10_d));
  EXPECT_NEAR(arrivals.next().seconds(), exposure / 2 + 864'000 + exposure / 4, 1e-6);
}

TEST(Arrivals, SoundMachinesAreTheOthers) {
  const FaultCatalogueConfig catalogue = of_lemons(FaultVictims::kSound, 1);
  const auto classes = compile_fault_classes(catalogue, 1_d);
  Arrivals arrivals(classes, FaultClock::kAlways, {.nodes = 100}, 0);
  const RandomSource random(1, 0);
  arrivals.begin(random);
  const double of_hundred = arrivals.next().seconds();
  arrivals.set_lemons(50, SimTime::start());
  EXPECT_NEAR(arrivals.next().seconds(), 2 * of_hundred, 1e-6);
}

// The least of 100 lives with mean 100 d and shape 2: scale s = 100 d / Gamma(1.5), and the least of N is a Weibull
// of scale s / sqrt(N): mean 100 d / 10 = 10 d. Its standard deviation is 0.5227 x 10 d; over n = 8,000 restarts
// the standard error is 0.0584 d, and alpha = 1e-4 is 3.9 of them. The mutant, lives of 105 d, is 8.6 off.
TEST(Arrivals, LifeFromRestart) {
  const auto mean = [](Duration life) {
    FaultClassConfig config;
    config.name = "aged";
    config.clock = FaultClock::kRunning;
    config.life_from_restart = *Distribution::make_weibull_with_mean(2, life);
    FaultCatalogueConfig catalogue;
    catalogue.classes = {config};
    const auto classes = compile_fault_classes(catalogue, 1_d);
    Arrivals arrivals(classes, FaultClock::kRunning, {.nodes = 100}, 1);
    const RandomSource random(1, 0);
    arrivals.begin(random);
    EXPECT_TRUE(arrivals.has_lives());
    double sum = 0;
    for (int n = 0; n < 8000; ++n) {
      arrivals.restart(SimTime::at(1_h));
      sum += (arrivals.next() - SimTime::at(1_h)).seconds() / 86'400;
    }
    return sum / 8000;
  };
  const auto accepted = [](double days) { return std::abs(days - 10) <= 3.9 * 0.0584; };
  EXPECT_TRUE(accepted(mean(100_d))) << mean(100_d);
  EXPECT_FALSE(accepted(mean(105_d))) << mean(105_d);
}

}  // namespace
}  // namespace faultline
