// How often the job waits for a machine, against the Markov chain of the spare pool
// (models/analytic/spare_pool.h), in settings that meet the chain's assumptions: exponential clocks
// everywhere, independent machines, and nothing else that takes time (plain_scenario.h).
//
// A fault crashes the job and raises its condition at once; the node is replaced at once and a warm
// spare takes its place. `clock: running` faults strike the machines of the job while it works: the
// chain's gang, whose idle machines do not fail. `clock: always` faults strike spares too, and go
// on while the job stands still. Unlimited launches that take an exponential time are an endless
// shelf with a lead time, which is also unlimited crews; a stock of K with a repair shop is a shelf
// of K, with the shop's crews and stages.
//
// Statistics. Replications of at least 500 times the mean time out, begun with all machines fit
// (bias below 1/500 of the share, well below its standard error); the share of the time per
// replication, mean over replications, and its standard error. Check: |simulated - chain| <= 3
// standard errors. alpha = 0.3% per setting, 2.7% for all ten; fixed seed, no retries. Mutant: the
// failure rate x 1.05 moves each share by more than 3 standard errors.
#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>
#include <string>

#include "models/analytic/spare_pool.h"
#include "test/support/estimate.h"
#include "test/support/plain_scenario.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

struct Setting {
  const char* name;
  std::int64_t nodes;
  std::int64_t warm;
  double load;  // failures per hour when everything works
  FaultClock clock;
  Limit shelf;      // unlimited: `launch` is the time out
  Duration launch;  // means of exponential times
  Duration returns_after;
  Duration horizon;
  std::uint32_t replications;
  std::int64_t crews = 0;  // of a shop, in place of returns_after; 0: no shop
  double escalates = 0;    // to a second stage
  Duration manual;
  std::int64_t manual_crews = 0;
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

constexpr Limit kUnlimited{};
constexpr FaultClock kRunning = FaultClock::kRunning;
constexpr FaultClock kAlways = FaultClock::kAlways;

const Setting kSettings[] = {
    {"OneAndOne", 1, 1, 0.25, kRunning, kUnlimited, 1_h, 0_s, 1500_h, 200},
    {"FarmOf16And2", 16, 2, 1.0, kAlways, kUnlimited, 1_h, 0_s, 1000_h, 200},
    {"RepairOf128And4", 128, 4, 2.5, kRunning, Limit{0}, 0_s, 1_h, 1000_h, 100},
    {"ShelfOf512And3", 512, 3, 4.0, kRunning, Limit{2}, 20_min, 1_h, 1000_h, 100},
    {"ShelfOf512And3Always", 512, 3, 4.0, kAlways, Limit{2}, 20_min, 1_h, 1000_h, 100},
    {"ByteRobust1024And4", 1024, 4, 1.0, kAlways, kUnlimited, 1_h, 0_s, 4000_h, 100},
    {"CrewsOf64And3", 64, 3, 2.0, kRunning, Limit{0}, 0_s, 1_h, 1000_h, 100, 3},
    {"TwoStagesOf256And5", 256, 5, 2.0, kRunning, Limit{0}, 0_s, 30_min, 2000_h, 100, 2, 0.2, 4_h,
     2},
    {"Crews60Of2048And64", 2048, 64, 55.0, kRunning, Limit{0}, 0_s, 1_h, 500_h, 40, 60},
    {"Large2048And64", 2048, 64, 58.0, kRunning, Limit{0}, 0_s, 1_h, 500_h, 24},
};

Distribution exponential(Duration mean) {
  return mean == Duration::zero() ? Distribution::fixed(mean)
                                  : Distribution::make_exponential(mean).value();
}

Scenario scenario_of(const Setting& setting) {
  Scenario scenario = plain_scenario(setting.nodes, setting.horizon);
  FaultClassConfig& broken = class_of(scenario, "broken");
  broken.rate = Rate{.count = setting.load / static_cast<double>(setting.nodes), .period = 1_h};
  broken.clock = setting.clock;
  broken.signals = {{.reason = kPlainReason}};
  scenario.capacity.warm_spares = setting.warm;
  scenario.capacity.spares = setting.shelf;
  scenario.capacity.launch = exponential(setting.launch);
  if (setting.crews == 0) {
    scenario.capacity.returns_after = exponential(setting.returns_after);
    return scenario;
  }
  RepairShopConfig& shop = scenario.capacity.shop.emplace();
  shop.automatic = {.takes = exponential(setting.returns_after), .crews = Limit{setting.crews}};
  shop.escalates = setting.escalates;
  shop.manual = {.takes = exponential(setting.manual), .crews = Limit{setting.manual_crews}};
  return scenario;
}

double stockout_of_chain(const Setting& setting) {
  analytic::SparePool pool;
  pool.nodes = setting.nodes;
  pool.warm_spares = setting.warm;
  pool.failures_per_second = setting.load / static_cast<double>(setting.nodes) / 3600;
  pool.idle_failures_per_second = setting.clock == kAlways ? pool.failures_per_second : 0;
  pool.cold_spares = setting.shelf;
  if (!setting.shelf.unlimited()) pool.repair = setting.returns_after;
  pool.lead = setting.launch;
  if (setting.crews > 0) pool.crews = Limit{setting.crews};
  if (setting.escalates > 0) {
    pool.manual_share = setting.escalates;
    pool.manual = setting.manual;
    pool.manual_crews = Limit{setting.manual_crews};
  }
  return analytic::spare_pool(pool).value().stockout;
}

Estimate simulated(const Scenario& scenario, std::uint32_t replications) {
  return estimate(
      column(run_scenario(scenario, {.seed = 3, .replications = replications}), "stockout_ratio"));
}

class SparePoolOf : public testing::TestWithParam<Setting> {};

TEST_P(SparePoolOf, StockOutIsThatOfTheChain) {
  const Setting& setting = GetParam();
  const double expected = stockout_of_chain(setting);
  const Scenario scenario = scenario_of(setting);
  const Estimate share = simulated(scenario, setting.replications);
  std::printf("simulated %.4f%% +- %.4f, chain %.4f%%: %+.2f standard errors\n", 100 * share.mean,
              100 * share.error, 100 * expected, (share.mean - expected) / share.error);
  EXPECT_TRUE(share.within(expected, 3)) << share << ", chain " << expected;

  Scenario mutant = scenario;
  class_of(mutant, "broken").rate->count *= 1.05;
  const Estimate wrong = simulated(mutant, setting.replications);
  EXPECT_FALSE(wrong.within(expected, 3)) << wrong << ", chain " << expected;
}

INSTANTIATE_TEST_SUITE_P(Settings, SparePoolOf, testing::ValuesIn(kSettings),
                         [](const auto& setting) { return std::string(setting.param.name); });

}  // namespace
}  // namespace faultline
