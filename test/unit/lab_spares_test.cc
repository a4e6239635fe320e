// The search for the fewest spares, over rows that are made up, and the set-up of the Markov chain.
#include "sim/lab/experiments/spares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "sim/lab/metric_values.h"
#include "test/support/plain_scenario.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

using Index = MetricIndex;
using testing::ElementsAre;
using testing::HasSubstr;

Scenario sixteen() {
  Scenario scenario = plain_scenario(16, 100_h);
  FaultClassConfig& broken = class_of(scenario, "broken");
  broken.rate = Rate{.count = 1.0 / 16, .period = 1_h};
  broken.clock = FaultClock::kRunning;
  broken.signals = {{.reason = kPlainReason}};
  scenario.capacity.launch = Distribution::make_exponential(1_h).value();
  karpenter_of(scenario).registration_ttl = Duration::infinite();
  return scenario;
}

// An experiment whose ETTR is `ettr(spares) + noise(replication)`, and whose stock-out is the rest
// to one.
class MadeUp {
 public:
  explicit MadeUp(
      std::function<double(std::int64_t)> ettr,
      std::function<double(std::uint32_t)> noise = [](std::uint32_t) { return 0.0; })
      : ettr_(std::move(ettr)), noise_(std::move(noise)) {}

  SparesAnswer ask(const std::string& target, std::int64_t most, std::uint32_t replications = 10,
                   double confidence = 0.95, std::uint32_t cap = 0) {
    const Scenario scenario = sixteen();
    const Point base("base", scenario);
    const SparesQuestion question{.target = Condition::parse(target, base.metrics(), false).value(),
                                  .confidence = confidence,
                                  .most = most,
                                  .replications = replications,
                                  .cap = cap};
    return find_spares(
        scenario, question,
        {.run = [&](const auto& needs) { return run(needs); },
         .rows = [&](const Point& point) -> const Rows& { return rows_[point.hash()]; }});
  }
  // Calls after which it stops.
  int patience = 1000;
  std::set<std::int64_t> tried;

 private:
  bool run(const std::vector<Runner::Need>& needs) {
    if (patience-- <= 0) return false;
    for (const auto& [point, replications] : needs) {
      const std::int64_t spares = point->scenario().capacity.warm_spares;
      tried.insert(spares);
      Rows& rows = rows_[point->hash()];
      for (auto r = static_cast<std::uint32_t>(rows.finished.size()); r < replications; ++r) {
        std::vector<double> row(point->metrics().size(), 0.0);
        row[Index::kEttr] = ettr_(spares) + noise_(r);
        row[Index::kStockout] = 1 - row[Index::kEttr];
        row[Index::kReplacements] = 50;
        rows.finished.push_back(r);
        rows.values.push_back(row);
      }
    }
    return true;
  }

  std::function<double(std::int64_t)> ettr_;
  std::function<double(std::uint32_t)> noise_;
  std::map<std::string, Rows> rows_;
};

double alternating(std::uint32_t r) { return r % 2 == 0 ? 0.01 : -0.01; }

// 1 - 2^-(s + 1): 50%, 75%, 87.5%, 93.75%, ...
double halving(std::int64_t spares) { return 1 - std::pow(0.5, spares + 1); }

std::vector<std::int64_t> numbers(const SparesAnswer& answer) {
  std::vector<std::int64_t> spares;
  for (const SparesPoint& point : answer.curve) spares.push_back(point.spares);
  return spares;
}

TEST(LabSpares, TheWorkedExample) {
  MadeUp three([](std::int64_t) { return 0.953; },
               [](std::uint32_t r) { return 0.002 * (static_cast<int>(r) - 1); });
  const SparesAnswer answer = three.ask("ettr >= 95%", 0, 3);
  const SparesPoint& point = *answer.at(0);
  EXPECT_NEAR(point.value.mean, 0.953, 1e-12);
  EXPECT_NEAR(point.value.error, 0.002 / std::sqrt(3), 1e-12);
  EXPECT_NEAR(point.bound, 0.953 - 2.920 * 0.002 / std::sqrt(3), 1e-6);
  EXPECT_EQ(point.verdict, SparesVerdict::kOpen);
  EXPECT_FALSE(answer.fewest);
}

TEST(LabSpares, LooksDoubleUpToTheCap) {
  const auto looks = [](std::uint32_t first, std::uint32_t cap) {
    return SparesQuestion{.replications = first, .cap = cap}.looks();
  };
  EXPECT_THAT(looks(200, 0), ElementsAre(200));
  EXPECT_THAT(looks(100, 800), ElementsAre(100, 200, 400, 800));
  EXPECT_THAT(looks(100, 1000), ElementsAre(100, 200, 400, 800, 1000));
  EXPECT_THAT(looks(50, 50), ElementsAre(50));
}

// Values of +-1 point: the error of the mean of n is about 1 / sqrt(n) points. 0.3 points from the target, it
// takes some 100 replications to tell on which side; 5 points away, the first look is enough.
TEST(LabSpares, AutomaticReplicationsGoWhereItIsOpen) {
  MadeUp steps([](std::int64_t spares) { return spares == 0   ? 0.85
                                                : spares == 1 ? 0.897
                                                              : 0.95; },
               alternating);
  const SparesAnswer answer = steps.ask("ettr >= 90%", 4, 10, 0.95, 320);
  EXPECT_EQ(answer.fewest, 2);
  EXPECT_EQ(answer.at(0)->value.n, 10U);
  EXPECT_EQ(answer.at(2)->value.n, 10U);
  EXPECT_EQ(answer.at(1)->verdict, SparesVerdict::kMisses);
  EXPECT_GE(answer.at(1)->value.n, 40U);
  EXPECT_LE(answer.at(1)->value.n, 160U);
  // Six looks share the error: t(9, 1 - 0.05/6) = 2.933.
  EXPECT_NEAR(answer.at(2)->bound, 0.95 - 2.933 * answer.at(2)->value.error, 1e-5);
}

// The worst case for a verdict is a true mean at the limit: `meets` is then wrong. n = 400 experiments of 6 looks
// (10 to 320), uniform noise; at most 5% may say so: 20, standard error 4.4, so up to 33 (alpha = 0.13%, once, fixed
// seeds). The mutant has 5% at each look, as if nobody had looked before.
TEST(LabSpares, LookingOftenKeepsTheConfidence) {
  const auto wrong = [](double confidence) {
    int found = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
      std::vector<double> noise(320);
      std::mt19937 random(seed);
      for (double& value : noise) value = static_cast<double>(random()) / 4294967296.0 - 0.5;
      MadeUp at_the_limit([](std::int64_t) { return 0.5; },
                          [&](std::uint32_t r) { return noise[r]; });
      const SparesAnswer answer = at_the_limit.ask("ettr >= 50%", 0, 10, confidence, 320);
      found += answer.fewest ? 1 : 0;
    }
    return found;
  };
  EXPECT_LE(wrong(0.95), 33);
  EXPECT_GT(wrong(1 - 6 * 0.05), 33);
}

TEST(LabSpares, TheCapEndsWhatStaysOpen) {
  MadeUp steps([](std::int64_t spares) { return spares == 0 ? 0.9 : 0.95; }, alternating);
  const SparesAnswer answer = steps.ask("ettr >= 90%", 4, 10, 0.95, 70);
  EXPECT_EQ(answer.fewest, 1);
  EXPECT_EQ(answer.at(0)->verdict, SparesVerdict::kOpen);
  EXPECT_EQ(answer.at(0)->value.n, 70U);
  EXPECT_TRUE(answer.complete);
}

TEST(LabSpares, EveryAnswerIsFoundInAFewSteps) {
  for (std::int64_t needed = 0; needed <= 64; ++needed) {
    MadeUp steps([&](std::int64_t spares) { return spares < needed ? 0.5 : 0.9; }, alternating);
    const SparesAnswer answer = steps.ask("ettr >= 80%", 64);
    ASSERT_EQ(answer.fewest, needed);
    EXPECT_LE(steps.tried.size(), 18U);
    EXPECT_TRUE(answer.complete);
    EXPECT_FALSE(answer.worse);
    // The neighbours are there.
    for (std::int64_t spares = std::max<std::int64_t>(0, needed - 2); spares <= needed + 2;
         ++spares) {
      EXPECT_NE(answer.at(spares), nullptr) << needed << " " << spares;
    }
  }
}

TEST(LabSpares, AnUpperLimitIsTheMirrorImage) {
  MadeUp pool(halving, alternating);
  EXPECT_EQ(pool.ask("stockout <= 5%", 64).fewest,
            MadeUp(halving, alternating).ask("ettr >= 95%", 64).fewest);
}

// 93.75% +- 1% in ten replications: error 0.333%, t(9, 95%) = 1.833. The bound for s = 3 is 93.14%.
TEST(LabSpares, TheBoundDecidesNotTheMean) {
  EXPECT_EQ(MadeUp(halving, alternating).ask("ettr >= 93%", 64).fewest, 3);
  const SparesAnswer open = MadeUp(halving, alternating).ask("ettr >= 93.5%", 64);
  EXPECT_EQ(open.fewest, 4);
  EXPECT_EQ(open.at(3)->verdict, SparesVerdict::kOpen);
  EXPECT_EQ(open.at(2)->verdict, SparesVerdict::kMisses);
  EXPECT_EQ(MadeUp(halving, alternating).ask("ettr >= 93.5%", 64, 1000).fewest, 3);
  EXPECT_EQ(MadeUp(halving, alternating).ask("ettr >= 93%", 64, 10, 0.999).fewest, 4);
}

TEST(LabSpares, WhereNoNumberIsEnough) {
  MadeUp flat([](std::int64_t spares) { return spares < 5 ? 0.6 : 0.7; });
  const SparesAnswer answer = flat.ask("ettr >= 95%", 20);
  EXPECT_FALSE(answer.fewest);
  EXPECT_TRUE(answer.complete);
  EXPECT_THAT(numbers(answer), ElementsAre(0, 1, 2, 4, 8, 16, 20));
  EXPECT_EQ(answer.main().spares, 20);
  ASSERT_EQ(answer.steps.size(), 6U);
  EXPECT_EQ(answer.steps.back().from, 16);
  EXPECT_EQ(answer.steps.back().to, 20);
}

// 16 nodes of 8 GPUs for 100 h: one point of ETTR is 128 GPU-hours, a spare 800.
TEST(LabSpares, OneMoreAndOneFewerInGpuHours) {
  const SparesAnswer answer = MadeUp(halving, alternating).ask("ettr >= 90%", 64);
  ASSERT_EQ(answer.fewest, 3);
  ASSERT_EQ(answer.steps.size(), 2U);
  EXPECT_EQ(answer.steps[0].from, 2);
  EXPECT_NEAR(answer.steps[0].value.mean, 0.0625, 1e-12);
  EXPECT_NEAR(answer.steps[0].value.error, 0, 1e-12);  // the noise is common
  EXPECT_NEAR(answer.steps[0].gpu_hours.mean, 6.25 * 128, 1e-9);
  EXPECT_EQ(answer.steps[0].cost_gpu_hours, 800);
  EXPECT_EQ(answer.steps[1].to, 4);
  EXPECT_EQ(answer.gpu_hours_per_spare, 800);
}

TEST(LabSpares, MoreThatIsWorseIsSaid) {
  const SparesAnswer answer = MadeUp([](std::int64_t spares) {
                                return spares == 2 ? 0.5 : halving(spares);
                              }).ask("ettr >= 95%", 64);
  ASSERT_TRUE(answer.worse);
  EXPECT_EQ(answer.worse->from, 1);
  EXPECT_EQ(answer.worse->to, 2);
}

TEST(LabSpares, StoppedHalfWay) {
  MadeUp impatient(halving);
  impatient.patience = 2;
  const SparesAnswer answer = impatient.ask("ettr >= 99%", 64);
  EXPECT_FALSE(answer.complete);
  EXPECT_FALSE(answer.fewest);
  EXPECT_THAT(numbers(answer), ElementsAre(0, 1));
  MadeUp at_once(halving);
  at_once.patience = 0;
  EXPECT_TRUE(at_once.ask("ettr >= 99%", 64).curve.empty());
}

TEST(LabSpares, AShardRunsEveryNumberThatTheSearchMayAskFor) {
  const Scenario scenario = sixteen();
  SparesQuestion question;
  question.most = 9;
  const auto points = all_numbers_of_spares(scenario, question);
  std::set<std::int64_t> all;
  for (const auto& point : points) all.insert(point->scenario().capacity.warm_spares);
  for (std::int64_t needed = 0; needed <= 9; ++needed) {
    MadeUp steps([&](std::int64_t spares) { return spares < needed ? 0.5 : 0.9; });
    steps.ask("ettr >= 80%", 9);
    for (const std::int64_t spares : steps.tried) EXPECT_TRUE(all.contains(spares)) << spares;
  }
}

TEST(LabSpares, ColdOnesAreTheStock) {
  const auto point = with_spares(sixteen(), SpareKind::kCold, 7);
  EXPECT_EQ(point->scenario().capacity.spares, Limit{7});
  EXPECT_EQ(point->scenario().capacity.warm_spares, 0);
  EXPECT_EQ(point->label(), "7");
}

// A real run: the chain that is fed with it has the scenario's own numbers, and the simulated
// stock-out.
struct Simulated {
  explicit Simulated(Scenario scenario) : point("point", std::move(scenario)) {
    const ReplicationTable table = run_replications(point.plan(), {.seed = 5, .replications = 100});
    rows = {table.finished, table.values};
  }
  Point point;
  Rows rows;
};

TEST(LabSpareChain, IsFedWithWhatWasSimulated) {
  Scenario scenario = sixteen();
  scenario.capacity.warm_spares = 2;
  const Simulated run(scenario);
  const auto chain = spare_chain(run.point, run.rows);
  ASSERT_TRUE(chain) << chain.error();
  EXPECT_EQ(chain->pool.nodes, 16);
  EXPECT_EQ(chain->pool.warm_spares, 2);
  EXPECT_TRUE(chain->pool.cold_spares.unlimited());
  // 100 runs with about 95 losses each: an error of 1%.
  EXPECT_NEAR(chain->pool.failures_per_second * 16 * 3600, 1, 0.03);
  EXPECT_NEAR(chain->pool.lead.seconds(), 3600, 100);
  EXPECT_EQ(chain->pool.idle_failures_per_second, 0);
  EXPECT_THAT(chain->breaks, ElementsAre());
  // Erlang's loss formula for a load of 1 and 3 places: 1/16.
  EXPECT_NEAR(chain->shares.stockout, 1.0 / 16, 0.005);
  const auto more = spare_chain_with(*chain, 1, 0);
  ASSERT_TRUE(more);
  EXPECT_NEAR(more->stockout, 1.0 / 65, 0.002);
}

TEST(LabSpareChain, NamesTheAssumptionsThatAreBroken) {
  Scenario scenario = sixteen();
  scenario.capacity.spares = Limit{1};
  scenario.capacity.launch = Distribution::fixed(10_min);
  scenario.capacity.returns_after = Distribution::make_lognormal_with_percentiles(1_h, 8_h).value();
  scenario.fleet.pools[0].nodes_per_rack = 4;
  FaultClassConfig& rack = class_of(scenario, "rack");
  rack.rate = Rate{.count = 0.001, .period = 1_h, .unit = ExposureUnit::kRack};
  rack.signals = {{.reason = kPlainReason}};
  FaultClassConfig& old = class_of(scenario, "old");
  old.rate = Rate{.count = 0.001, .period = 1_h};
  old.weibull_shape = 2;
  old.signals = {{.reason = kPlainReason}};
  karpenter_of(scenario).gate = Gate{Gate::Kind::kCount, 0};
  karpenter_of(scenario).tolerations[kPlainCondition] = 1_min;
  job_of(scenario).may_move = false;
  scenario.horizon = 30_h;
  const Simulated gated(scenario);
  EXPECT_EQ(spare_chain(gated.point, gated.rows).error(), "no node was replaced");

  karpenter_of(scenario).gate = Gate{Gate::Kind::kCount, 1};
  const Simulated run(scenario);
  const auto chain = spare_chain(run.point, run.rows);
  ASSERT_TRUE(chain) << chain.error();
  std::string all;
  for (const std::string& text : chain->breaks) all += text + "\n";
  for (const char* text :
       {"machines do not fail independently: `rack` strikes whole racks",
        "the failure rate is not constant: machines age under `old` (Weibull shape 2)",
        "the way from the stock is not exponential: launch 10m",
        "repair is not exponential: returns_after !lognormal", "the safety gate held ",
        "`may_move: false`", "the run is too short for a steady state"}) {
    EXPECT_THAT(all, HasSubstr(text));
  }
  ASSERT_EQ(chain->notes.size(), 1U);
  EXPECT_THAT(chain->notes[0], HasSubstr("it begins when a replacement is decided"));
  EXPECT_GT(chain->pool.idle_failures_per_second, 0);
}

// With unlimited launches the law of the time out does not matter: a fixed launch breaks nothing.
TEST(LabSpareChain, AFixedLaunchIsAsGoodAsAnExponentialOne) {
  Scenario scenario = sixteen();
  scenario.capacity.launch = Distribution::fixed(1_h);
  scenario.capacity.warm_spares = 2;
  const Simulated run(scenario);
  const auto chain = spare_chain(run.point, run.rows);
  ASSERT_TRUE(chain) << chain.error();
  EXPECT_THAT(chain->breaks, ElementsAre());
  EXPECT_NEAR(mean_estimate(column(run.rows.values, Index::kStockout)).mean, chain->shares.stockout,
              0.006);
}

}  // namespace
}  // namespace faultline
