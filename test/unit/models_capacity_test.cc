// Launch plans, refusals, the stock and its queue.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "models/base/check.h"
#include "models/capacity/capacity.h"

namespace faultline {
namespace {

SimTime at(Duration since_start) { return SimTime::at(since_start); }
NodeId node(int slot, std::uint32_t generation = 1) { return {NodeSlot(slot), generation}; }

CapacityConfig fixed_times() {
  CapacityConfig config;
  config.launch = Distribution::fixed(90_s);
  config.registration = Distribution::fixed(5_s);
  config.returns_after = Distribution::fixed(1_h);
  return config;
}

TEST(Capacity, PlanOfALaunch) {
  const CapacityConfig config = fixed_times();
  const RandomSource random(1, 0);
  Capacity capacity(config);
  capacity.begin(random);
  const LaunchPlan plan = capacity.request(node(0), at(1_h));
  EXPECT_EQ(plan.launched, at(1_h));
  EXPECT_EQ(plan.registered, at(1_h + 90_s));
  EXPECT_EQ(plan.joined, at(1_h + 95_s));
  EXPECT_FALSE(capacity.limited());
}

// Refused always is refused for ever.
TEST(Capacity, AProviderThatHasNone) {
  CapacityConfig config = fixed_times();
  config.insufficient.probability = 1;
  const RandomSource random(1, 0);
  Capacity capacity(config);
  capacity.begin(random);
  EXPECT_TRUE(capacity.request(node(0), at(1_h)).launched.is_never());
  EXPECT_TRUE(capacity.request(node(0), at(1_h)).joined.is_never());
}

// An unlucky launch is unlucky whenever it is asked for, and independent of what was asked for
// before.
TEST(Capacity, DrawsAreAddressedBySlotAndGeneration) {
  CapacityConfig config = fixed_times();
  config.launch = *Distribution::make_exponential(90_s);
  config.insufficient.probability = 0.5;
  const RandomSource random(1, 0);
  Capacity alone(config);
  alone.begin(random);
  Capacity busy(config);
  busy.begin(random);
  for (int slot = 0; slot < 20; ++slot) busy.request(node(slot), at(0_s));
  const LaunchPlan a = alone.request(node(7, 3), at(1_h));
  const LaunchPlan b = busy.request(node(7, 3), at(2_h));
  EXPECT_EQ(a.launched + 1_h, b.launched);
  EXPECT_EQ(a.joined + 1_h, b.joined);
}

// Half of the attempts are refused: n refusals with probability 2^-(n+1), 3 min each. Mean 1,
// variance 2: over 2000 launches the standard error is 0.0316; alpha = 1e-4 (two-sided) is 3.9 of
// them. A probability of 0.55 has the mean 1.22 and fails.
TEST(Capacity, RefusalsAreGeometric) {
  const auto mean_refusals = [](double probability) {
    CapacityConfig config = fixed_times();
    config.insufficient = {.probability = probability, .retry = 3_min};
    const RandomSource random(1, 0);
    Capacity capacity(config);
    capacity.begin(random);
    double refusals = 0;
    for (int slot = 0; slot < 2000; ++slot) {
      const Duration late = capacity.request(node(slot), at(0_s)).launched.since_start();
      EXPECT_EQ(late % 3_min, 0_s);
      refusals += static_cast<double>(late / 3_min);
    }
    return refusals / 2000;
  };
  EXPECT_NEAR(mean_refusals(0.5), 1, 3.9 * 0.0316);
  EXPECT_GT(mean_refusals(0.55), 1 + 3.9 * 0.0316);
}

TEST(Capacity, StockQueuesFirstComeFirstServed) {
  CapacityConfig config = fixed_times();
  config.spares = Limit{1};
  const RandomSource random(1, 0);
  Capacity capacity(config);
  capacity.begin(random);
  EXPECT_TRUE(capacity.limited());
  EXPECT_EQ(capacity.request(node(0), at(0_s)).launched, at(0_s));
  EXPECT_TRUE(capacity.request(node(1), at(1_s)).launched.is_never());
  EXPECT_TRUE(capacity.request(node(2), at(2_s)).joined.is_never());
  EXPECT_TRUE(capacity.next_return().is_never());
  capacity.machine_leaves(node(0, 0), at(10_s));
  capacity.machine_leaves(node(1, 0), at(5_s));
  EXPECT_EQ(capacity.next_return(), at(1_h + 5_s));
  const Capacity::Served first = capacity.machine_returns(at(1_h + 5_s));
  EXPECT_EQ(first.node, node(1));
  EXPECT_EQ(first.plan.joined, at(1_h + 5_s + 95_s));
  EXPECT_EQ(capacity.machine_returns(at(1_h + 10_s)).node, node(2));
  capacity.machine_leaves(node(2, 0), at(20_s));
  EXPECT_FALSE(capacity.machine_returns(at(1_h + 20_s)).node.slot.valid());
  // That one is in stock again.
  EXPECT_EQ(capacity.request(node(3), at(2_h)).launched, at(2_h));
  capacity.begin(random);
  EXPECT_EQ(capacity.request(node(3), at(0_s)).launched, at(0_s));
  EXPECT_TRUE(capacity.next_return().is_never());
}

TEST(Capacity, NoMachineIsBackBeforeItsTime) {
  CapacityConfig config = fixed_times();
  config.spares = Limit{0};
  const RandomSource random(1, 0);
  Capacity capacity(config);
  capacity.begin(random);
  capacity.machine_leaves(node(0, 0), at(0_s));
  EXPECT_THROW(capacity.machine_returns(at(1_h - 1_ns)), InternalError);
}

// Exponential launches of mean 15 min: 1/e = 0.3679 of them register after more than 15 min, and so do as
// many of those that are asked for again. n = 40,000, standard error 0.0024, alpha = 1e-4 (two-sided,
// 3.9 of them, 0.0094). A rate 5% higher gives 0.3499 and fails.
TEST(Capacity, LateLaunchesAreDrawnAnew) {
  const auto late = [](Duration mean) {
    CapacityConfig config = fixed_times();
    config.launch = *Distribution::make_exponential(mean);
    const RandomSource random(1, 0);
    Capacity capacity(config);
    capacity.begin(random);
    int first = 0;
    int again = 0;
    int both = 0;
    for (int slot = 0; slot < 40'000; ++slot) {
      const bool a = capacity.request(node(slot), at(0_s)).registered > at(15_min);
      const bool b = capacity.request_again(node(slot), 1, {}, at(1_h)).registered > at(75_min);
      first += a;
      again += b;
      both += a && b;
    }
    return std::array{first / 40'000.0, again / 40'000.0, both / 40'000.0};
  };
  const auto [first, again, both] = late(15_min);
  EXPECT_NEAR(first, 0.3679, 0.0094);
  EXPECT_NEAR(again, 0.3679, 0.0094);
  // Independent of each other: both with 1/e^2 = 0.1353, standard error 0.0017.
  EXPECT_NEAR(both, 0.1353, 3.9 * 0.0017);
  EXPECT_GT(std::abs(late(Duration::from_seconds(900 / 1.05))[0] - 0.3679), 0.0094);
}

}  // namespace
}  // namespace faultline
