// The repair shop: stages, crews, fates, and when a machine is given up.
#include <gtest/gtest.h>

#include <cmath>

#include "models/capacity/capacity.h"
#include "models/capacity/repair_shop.h"

namespace faultline {
namespace {

SimTime at(Duration since_start) { return SimTime::at(since_start); }

RepairShopConfig fixed_times() {
  RepairShopConfig config;
  config.automatic.takes = Distribution::fixed(2_h);
  config.manual.takes = Distribution::fixed(2_d);
  config.escalates = 1;
  return config;
}

// The worked example of repair_shop.h.
TEST(RepairShop, OneCrewPerStage) {
  RepairShopConfig config = fixed_times();
  config.automatic.crews = config.manual.crews = Limit{1};
  const RandomSource random(1, 0);
  RepairShop shop(config, 2);
  shop.begin(random);
  const MachineId a(0);
  const MachineId b(1);
  EXPECT_EQ(shop.admit(a, at(0_h), 0_s).ends, at(2_h));
  EXPECT_FALSE(shop.admit(b, at(1_h), 0_s).machine.valid());
  RepairShop::StageEnd end = shop.stage_ends(a, at(2_h));
  EXPECT_EQ(end.outcome, RepairOutcome::kEscalated);
  EXPECT_EQ(end.goes_on.machine, a);
  EXPECT_EQ(end.goes_on.ends, at(50_h));
  EXPECT_EQ(end.next.machine, b);
  EXPECT_EQ(end.next.ends, at(4_h));
  end = shop.stage_ends(b, at(4_h));
  EXPECT_FALSE(end.goes_on.machine.valid());
  EXPECT_FALSE(end.next.machine.valid());
  end = shop.stage_ends(a, at(50_h));
  EXPECT_EQ(end.stage, RepairStage::kManual);
  EXPECT_EQ(end.outcome, RepairOutcome::kMended);
  EXPECT_FALSE(end.retired);
  EXPECT_EQ(end.next.machine, b);
  EXPECT_EQ(end.next.ends, at(98_h));
}

struct Fates {
  double escalated = 0;
  double mended = 0;
};
Fates fates(double escalates) {
  RepairShopConfig config = fixed_times();
  config.escalates = escalates;
  config.automatic.success = 0.6;
  config.manual.success = 0.8;
  const RandomSource random(1, 0);
  RepairShop shop(config, 10'000);
  shop.begin(random);
  Fates fates;
  for (int m = 0; m < 10'000; ++m) {
    const MachineId machine(m);
    shop.admit(machine, at(0_h), 0_s);
    RepairShop::StageEnd end = shop.stage_ends(machine, at(2_h));
    if (end.outcome == RepairOutcome::kEscalated) {
      fates.escalated += 1e-4;
      end = shop.stage_ends(machine, at(50_h));
    }
    if (end.outcome == RepairOutcome::kMended) fates.mended += 1e-4;
  }
  return fates;
}

// 80% go on; 0.2 x 0.6 + 0.8 x 0.8 = 0.76 are mended. Over 10,000 visits the standard errors are 0.004 and
// 0.00427; alpha = 1e-4 (two-sided) is 3.9 of them. A share of 84% (x 1.05) is 10 standard errors off.
TEST(RepairShop, ShareThatEscalatesAndShareThatIsMended) {
  EXPECT_NEAR(fates(0.8).escalated, 0.8, 3.9 * 0.004);
  EXPECT_NEAR(fates(0.8).mended, 0.76, 3.9 * 0.00427);
  EXPECT_GT(fates(0.84).escalated, 0.8 + 3.9 * 0.004);
}

// Three faults within 7 days of the end of the repair, the limits included.
TEST(RepairShop, ThresholdRule) {
  RepairShopConfig config = fixed_times();
  config.escalates = 0;
  config.retire.threshold = RetireThresholdConfig{.faults = 3, .within = 7_d};
  const auto retired = [&](Duration first, Duration second, Duration third) {
    const RandomSource random(1, 0);
    RepairShop shop(config, 1);
    shop.begin(random);
    for (const Duration fault : {first, second, third}) shop.record_fault(MachineId(0), at(fault));
    shop.admit(MachineId(0), at(third), 0_s);
    return shop.stage_ends(MachineId(0), at(third + 2_h)).retired;
  };
  EXPECT_TRUE(retired(1_d, 2_d, 8_d - 2_h));
  EXPECT_FALSE(retired(1_d, 2_d, 8_d - 2_h + 1_ns));
  EXPECT_FALSE(retired(0_d, 1_h, 30_d));
}

// 100 - 30 - 30 - 30 - 30 < 0: the fourth visit is the last; with 3 full days in service before each, three
// credits of 10 make up for every visit.
TEST(RepairShop, ScoreRule) {
  RepairShopConfig config = fixed_times();
  config.escalates = 0;
  config.retire.score = RetireScoreConfig{};
  const auto visits = [&](Duration in_service) {
    const RandomSource random(1, 0);
    RepairShop shop(config, 1);
    shop.begin(random);
    for (int visit = 1; visit <= 20; ++visit) {
      shop.admit(MachineId(0), at(0_s), in_service);
      if (shop.stage_ends(MachineId(0), at(2_h)).retired) return visit;
    }
    return 0;
  };
  EXPECT_EQ(visits(23_h), 4);
  EXPECT_EQ(visits(4_d - 1_ns), 0);
  EXPECT_EQ(visits(3_d - 1_ns), 8);  // 20 back each time: 70 60 50 40 30 20 10 0
}

// The same machine has the same luck, whoever was there before it.
TEST(RepairShop, DrawsAreAddressedByMachineAndVisit) {
  RepairShopConfig config = fixed_times();
  config.automatic.takes = *Distribution::make_exponential(2_h);
  const RandomSource random(1, 0);
  RepairShop alone(config, 3);
  RepairShop busy(config, 3);
  alone.begin(random);
  busy.begin(random);
  busy.admit(MachineId(0), at(0_h), 0_s);
  busy.admit(MachineId(1), at(0_h), 0_s);
  EXPECT_EQ(alone.admit(MachineId(2), at(0_h), 0_s).ends + 1_h,
            busy.admit(MachineId(2), at(1_h), 0_s).ends);
}

// Two slots and one machine in stock: the first request takes it, the second waits for the machine that the
// shop is done with first, whichever that is.
TEST(Capacity, MachinesOfTheShopGoToWhoWaitsLongest) {
  CapacityConfig config;
  config.launch = Distribution::fixed(5_min);
  config.spares = Limit{1};
  config.shop = fixed_times();
  const RandomSource random(1, 0);
  Capacity capacity(config, 2);
  capacity.begin(random);
  EXPECT_EQ(capacity.machines(), 3U);
  const LaunchPlan first = capacity.request({NodeSlot(0), 1}, at(0_h));
  EXPECT_EQ(first.machine, MachineId(2));
  EXPECT_EQ(first.joined, at(5_min));
  EXPECT_TRUE(capacity.request({NodeSlot(1), 1}, at(1_h)).launched.is_never());
  const Capacity::Served served = capacity.offer(MachineId(0), at(3_h));
  EXPECT_EQ(served.node, (NodeId{NodeSlot(1), 1}));
  EXPECT_EQ(served.plan.machine, MachineId(0));
  EXPECT_EQ(served.plan.joined, at(3_h + 5_min));
  EXPECT_FALSE(capacity.offer(MachineId(1), at(4_h)).node.slot.valid());
  EXPECT_EQ(capacity.request({NodeSlot(0), 2}, at(5_h)).machine, MachineId(1));
}

}  // namespace
}  // namespace faultline
