// How often `check` and `sensitivity` say something that is not so.
//
// The worst case of an expectation on a mean is a bound that is the true mean: "holds" and "fails" are then as
// likely as they ever may be wrongly. 4,000 experiments each: the standard error of a share of 5% is
// sqrt(0.05 x 0.95 / 4000) = 0.34 points; limits at four of them (1.4 points) are missed by chance with
// probability 6e-5 a test.
#include <gtest/gtest.h>

#include "models/base/distribution.h"
#include "models/base/random.h"
#include "sim/lab/experiments/expectations.h"
#include "sim/lab/experiments/sensitivity.h"

namespace faultline {
namespace {

constexpr std::uint32_t kExperiments = 4000;
constexpr double kSlack = 0.014;

// Standard normal numbers.
class Draws {
 public:
  explicit Draws(std::uint32_t experiment) : random_(20261, experiment) {}

  double next() { return normal_quantile(random_.uniform(StreamId("test/verdicts"), 0, draw_++)); }
  void add_rows(std::vector<std::vector<double>>& rows, std::size_t n) {
    while (rows.size() < n) rows.push_back({next()});
  }

 private:
  RandomSource random_;
  std::uint32_t draw_ = 0;
};

Condition at_least(const char* text) {
  return Condition::parse(text, {{"x_total", "", ""}}, false).value();
}

struct Shares {
  double holds = 0;
  double fails = 0;
};

Shares verdicts(const char* text, const std::vector<std::size_t>& looks, int shared_by) {
  const Condition condition = at_least(text);
  Shares shares;
  for (std::uint32_t e = 0; e < kExperiments; ++e) {
    Draws draws(e);
    std::vector<std::vector<double>> rows;
    Verdict verdict = Verdict::kUndecided;
    for (const std::size_t n : looks) {
      draws.add_rows(rows, n);
      verdict = judge(condition, 0.95, rows, shared_by).verdict;
      if (verdict != Verdict::kUndecided) break;
    }
    shares.holds += verdict == Verdict::kHolds ? 1.0 / kExperiments : 0;
    shares.fails += verdict == Verdict::kFails ? 1.0 / kExperiments : 0;
  }
  return shares;
}

TEST(ExpectationVerdicts, OneLookIsWrongAsOftenAsItSays) {
  const Shares shares = verdicts("x >= 0", {20}, 1);
  EXPECT_NEAR(shares.holds, 0.05, kSlack);
  EXPECT_NEAR(shares.fails, 0.05, kSlack);
  // Two-sided limits (2.5% on each side) would be too timid by 2.5 points.
  EXPECT_GT(shares.holds, 0.025 + kSlack / 2);
}

TEST(ExpectationVerdicts, SeveralLooksTogetherAreNotWrongMoreOften) {
  const std::vector<std::size_t> looks{20, 40, 80, 160};
  const Shares shares = verdicts("x >= 0", looks, 4);
  EXPECT_LT(shares.holds, 0.05 + kSlack);
  EXPECT_LT(shares.fails, 0.05 + kSlack);
  // Looks that do not share the error are wrong far more often.
  EXPECT_GT(verdicts("x >= 0", looks, 1).holds, 0.05 + 2 * kSlack);
}

TEST(ExpectationVerdicts, WhatIsSoIsFound) {
  // The bound is 0.25 below the mean: 1.1 errors at n = 20, 3.2 at n = 160.
  const Shares shares = verdicts("x >= -0.25", {20, 40, 80, 160}, 4);
  EXPECT_GT(shares.holds, 0.75);
  EXPECT_LT(shares.fails, 0.005);
}

TEST(ExpectationVerdicts, TheRuleOfThreeCovers) {
  // A break in p of all runs, with p the limit for n = 60: 60 runs without one have probability 5%.
  const double limit =
      judge(at_least("x == 0"), 0.95, std::vector<std::vector<double>>(60, {0})).break_chance;
  double kept = 0;
  for (std::uint32_t e = 0; e < kExperiments; ++e) {
    const RandomSource random(20262, e);
    bool broken = false;
    for (std::uint32_t r = 0; r < 60; ++r) {
      broken = broken || random.uniform(StreamId("test/break"), 0, r) < limit;
    }
    kept += broken ? 0 : 1.0 / kExperiments;
  }
  EXPECT_NEAR(kept, 0.05, kSlack);
}

TEST(SensitivityVerdicts, EffectsOfChanceAreRarelyShown) {
  // Ten assumptions without an effect, so twenty intervals that must hold together.
  const Expression objective = Expression::parse("x", {{"x_total", "", ""}}).value();
  constexpr std::size_t kAssumptions = 10;
  double together = 0;
  double alone = 0;
  for (std::uint32_t e = 0; e < kExperiments; ++e) {
    Draws draws(e);
    Rows base;
    std::vector<Rows> variants(2 * kAssumptions);
    for (std::uint32_t r = 0; r < 12; ++r) {
      const double common = draws.next();
      base.finished.push_back(r);
      base.values.push_back({common});
      for (Rows& rows : variants) {
        rows.finished.push_back(r);
        rows.values.push_back({common + 0.1 * draws.next()});
      }
    }
    std::vector<VariantRows> pairs;
    bool any_alone = false;
    for (std::size_t i = 0; i < kAssumptions; ++i) {
      pairs.push_back({&variants[2 * i], &variants[2 * i + 1]});
      any_alone = any_alone || tornado(objective, base, {pairs.back()})[0].detectable();
    }
    together += tornado(objective, base, pairs)[0].detectable() ? 1.0 / kExperiments : 0;
    alone += any_alone ? 1.0 / kExperiments : 0;
  }
  EXPECT_LT(together, 0.05 + kSlack);
  EXPECT_GT(together, 0.02);  // not far more timid than it says
  EXPECT_GT(alone, 0.2);      // each for itself would show effects of chance
}

}  // namespace
}  // namespace faultline
