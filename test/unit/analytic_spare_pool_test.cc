#include "models/analytic/spare_pool.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include "models/base/check.h"

namespace faultline::analytic {
namespace {

constexpr double kPerHour = 1.0 / 3600;

SparePool pool(std::int64_t nodes, std::int64_t spares, double failures_per_hour) {
  SparePool pool;
  pool.nodes = nodes;
  pool.warm_spares = spares;
  pool.failures_per_second = failures_per_hour * kPerHour;
  pool.repair = 1_h;
  return pool;
}

SparePoolShares solved(const SparePool& pool) {
  const auto shares = spare_pool(pool);
  EXPECT_TRUE(shares) << shares.error();
  return shares.value_or(SparePoolShares{});
}

// The largest absolute difference of the shares, and relative one of the stock-out.
double distance(const SparePoolShares& a, const SparePoolShares& b) {
  EXPECT_EQ(a.out.size(), b.out.size());
  double largest = std::abs(a.stockout - b.stockout) / b.stockout;
  for (std::size_t n = 0; n < std::min(a.out.size(), b.out.size()); ++n) {
    largest = std::max(largest, std::abs(a.out[n] - b.out[n]));
  }
  return largest;
}

// a^n / n! / sum, by the usual recursion.
double erlang_b(int servers, double load) {
  double b = 1;
  for (int n = 1; n <= servers; ++n) b = load * b / (n + load * b);
  return b;
}

TEST(AnalyticSparePool, TheWorkedExample) {
  SparePool example = pool(1, 1, 0.25);
  example.crews = Limit{1};
  const SparePoolShares one = solved(example);
  ASSERT_EQ(one.out.size(), 3U);
  EXPECT_NEAR(one.out[0], 16.0 / 21, 1e-15);
  EXPECT_NEAR(one.out[1], 4.0 / 21, 1e-15);
  EXPECT_NEAR(one.stockout, 1.0 / 21, 1e-15);
  EXPECT_NEAR(one.spares_in_use, 5.0 / 21, 1e-15);
  EXPECT_NEAR(one.mean_out, 6.0 / 21, 1e-15);
  EXPECT_NEAR(one.finds_none, 0.2, 1e-15);
  EXPECT_NEAR(one.failures_per_second, 0.25 * kPerHour * 20 / 21, 1e-18);
  EXPECT_EQ(one.quantile(0.5), 0);
  EXPECT_EQ(one.quantile(0.9), 1);
  EXPECT_EQ(one.quantile(0.99), 2);

  example.crews = Limit{};
  EXPECT_NEAR(solved(example).stockout, 1.0 / 41, 1e-15);
  EXPECT_NEAR(spare_pool_by_product_form(example).stockout, 1.0 / 41, 1e-15);
}

// A farm without spares is M/M/c//N: pi_n = C(N, n) rho^n for n <= c, with n!/(c! c^(n-c)) beyond.
TEST(AnalyticSparePool, AFarmWithoutSparesIsTheMachineRepairModel) {
  constexpr int kNodes = 12;
  constexpr int kCrews = 3;
  constexpr double kRho = 0.2;
  SparePool farm = pool(kNodes, 0, kRho);
  farm.gang = false;
  farm.crews = Limit{kCrews};
  std::vector<double> expected;
  double sum = 0;
  for (int n = 0; n <= kNodes; ++n) {
    double weight = std::pow(kRho, n);
    for (int k = 0; k < n; ++k) weight *= kNodes - k;            // N! / (N - n)!
    for (int k = 1; k <= n; ++k) weight /= std::min(k, kCrews);  // served by min(k, c)
    expected.push_back(weight);
    sum += weight;
  }
  const SparePoolShares shares = solved(farm);
  for (int n = 0; n <= kNodes; ++n) {
    EXPECT_NEAR(shares.out[static_cast<std::size_t>(n)],
                expected[static_cast<std::size_t>(n)] / sum, 1e-14);
  }
}

TEST(AnalyticSparePool, AGangWithUnlimitedCrewsIsErlangsLossSystem) {
  for (const int spares : {0, 1, 4, 16, 64}) {
    const double load = 0.8 * spares + 0.1;
    const SparePoolShares shares = solved(pool(2048, spares, load / 2048));
    EXPECT_NEAR(shares.stockout / erlang_b(spares + 1, load), 1, 1e-12) << spares;
    // Poisson arrivals see time averages, among the states in which anything arrives.
    EXPECT_NEAR(shares.finds_none,
                shares.out[static_cast<std::size_t>(spares)] / (1 - shares.stockout), 1e-12);
  }
}

TEST(AnalyticSparePool, MachinesThatAlwaysFailAreOutIndependently) {
  constexpr double kRho = 0.002;
  for (const bool gang : {true, false}) {
    SparePool all = pool(500, 6, kRho);
    all.idle_failures_per_second = all.failures_per_second;
    all.gang = gang;
    const boost::math::binomial out(506, kRho / (1 + kRho));
    const SparePoolShares shares = solved(all);
    for (std::size_t n = 0; n < 20; ++n) EXPECT_NEAR(shares.out[n], pdf(out, n), 1e-13);
    EXPECT_NEAR(shares.stockout, cdf(complement(out, 6)), 1e-14);
    EXPECT_EQ(shares.quantile(0.99), static_cast<std::int64_t>(std::ceil(quantile(out, 0.99))));
  }
}

// Binomial(n, p) is within n p^2 of Poisson(n p) in total variation (Le Cam 1960).
TEST(AnalyticSparePool, AnEndlessShelfMakesAPoissonNumberOfMachinesThatAreOut) {
  SparePool endless = pool(100'000, 5, 3.0 / 100'000);
  endless.idle_failures_per_second = endless.failures_per_second;
  endless.cold_spares = Limit{};
  endless.lead = 1_h;
  const boost::math::poisson out(3);
  const SparePoolShares shares = spare_pool_by_product_form(endless);
  for (std::size_t n = 0; n < 12; ++n) EXPECT_NEAR(shares.out[n], pdf(out, n), 1e-4);
}

TEST(AnalyticSparePool, SparseLuAndTheProductFormAgree) {
  std::vector<SparePool> pools;
  for (const std::int64_t nodes : {1, 16, 256, 2048}) {
    for (const std::int64_t spares : {0, 4, 64}) {
      for (const std::int64_t crews : {std::int64_t{1}, std::int64_t{8}, Limit::kUnlimited}) {
        for (const bool gang : {true, false}) {
          for (const double load : {0.5, 6.0}) {
            SparePool p = pool(nodes, spares, load / static_cast<double>(nodes));
            p.crews = Limit{crews};
            p.gang = gang;
            p.idle_failures_per_second = gang ? 0 : p.failures_per_second / 2;
            pools.push_back(p);
            p.cold_spares = Limit{3};
            pools.push_back(p);
            p.cold_spares = Limit{};
            p.lead = 30_min;
            pools.push_back(p);
          }
        }
      }
    }
  }
  double slowest = 0;
  for (const SparePool& p : pools) {
    ASSERT_TRUE(has_product_form(p));
    const auto start = std::chrono::steady_clock::now();
    const SparePoolShares shares = solved(p);
    slowest = std::max(
        slowest, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                     .count());
    EXPECT_LT(distance(shares, spare_pool_by_product_form(p)), 1e-12)
        << p.nodes << " + " << p.warm_spares << ", " << to_string(p.crews) << " crews, gang "
        << p.gang << ", shelf " << to_string(p.cold_spares) << ", load "
        << p.failures_per_second * 3600 * static_cast<double>(p.nodes) << ": " << shares.stockout;
    EXPECT_LT(shares.residual, 1e-15);
  }
  std::printf("%zu pools, the slowest by sparse LU in %.1f ms\n", pools.size(), slowest);
}

// With unlimited crews only the mean time out matters: two stages, or repair and lead in series, are
// as good as one exponential of their mean.
TEST(AnalyticSparePool, WithUnlimitedCrewsOnlyTheMeanTimeOutMatters) {
  for (const bool gang : {true, false}) {
    SparePool one = pool(64, 3, 1.0 / 64);
    one.gang = gang;
    one.repair = 3_h;
    SparePool two = one;
    two.repair = 1_h;
    two.manual_share = 0.25;
    two.manual = 8_h;
    SparePool series = one;
    series.repair = 150_min;
    series.lead = 30_min;
    SparePool all = two;
    all.manual = 6_h;
    all.lead = 30_min;
    const SparePoolShares expected = spare_pool_by_product_form(one);
    for (const SparePool& p : {two, series, all}) {
      const SparePoolShares shares = solved(p);
      EXPECT_FALSE(has_product_form(p));
      EXPECT_NEAR(shares.stockout / expected.stockout, 1, 1e-11);
      ASSERT_GE(shares.out.size(), 5U);
      for (std::size_t n = 0; n < 5; ++n) EXPECT_NEAR(shares.out[n], expected.out[n], 1e-12);
    }
  }
}

// Two stages with one crew each and failures at one rate until the places are full: tandem queues
// (Jackson 1957), cut off at the total. N = s = 1: weights a^i b^j, i + j <= 2.
TEST(AnalyticSparePool, TwoCrewsInSeriesAreATandem) {
  SparePool tandem = pool(1, 1, 0.5);
  tandem.crews = tandem.manual_crews = Limit{1};
  tandem.manual_share = 1;
  tandem.manual = 30_min;
  // By hand, a = 1/2, b = 1/4: none 1; one 3/4; two 1/4 + 1/8 + 1/16 = 7/16. In all 35/16.
  const SparePoolShares shares = solved(tandem);
  EXPECT_EQ(shares.states, 6U);
  EXPECT_NEAR(shares.out[0], 16.0 / 35, 1e-14);
  EXPECT_NEAR(shares.stockout, 7.0 / 35, 1e-14);
}

TEST(AnalyticSparePool, MoreOfAnythingIsNeverWorse) {
  SparePool base = pool(200, 3, 5.0 / 200);
  base.crews = Limit{4};
  base.cold_spares = Limit{2};
  base.lead = 20_min;
  const double stockout = solved(base).stockout;
  SparePool warm = base;
  ++warm.warm_spares;
  SparePool cold = base;
  cold.cold_spares = Limit{3};
  SparePool crews = base;
  crews.crews = Limit{5};
  SparePool faster = base;
  faster.lead = 10_min;
  EXPECT_LT(solved(warm).stockout, stockout);
  EXPECT_LT(solved(cold).stockout, stockout);
  EXPECT_LT(solved(crews).stockout, stockout);
  EXPECT_LT(solved(faster).stockout, stockout);
  // A warm one is worth more than one that has to be fetched.
  EXPECT_LT(solved(warm).stockout, solved(cold).stockout);
}

// Cut where the edge no longer matters: 2,048 + 64 nodes, a farm, shelf, lead time and crews.
TEST(AnalyticSparePool, TwoDimensionsOfALargeFleet) {
  SparePool large = pool(2048, 64, 40.0 / 2048);
  large.gang = false;
  large.crews = Limit{50};
  large.cold_spares = Limit{8};
  large.lead = 5_min;
  const auto start = std::chrono::steady_clock::now();
  const SparePoolShares shares = solved(large);
  std::printf(
      "%zu states in %.0f ms\n", shares.states,
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  EXPECT_NEAR(std::accumulate(shares.out.begin(), shares.out.end(), 0.0), 1, 1e-12);
  // The way from the shelf costs something: by Little's law at least its own length.
  SparePool near = large;
  near.lead = 0_s;
  const SparePoolShares at_once = spare_pool_by_product_form(near);
  EXPECT_GT(shares.mean_out, shares.failures_per_second * 300);
  EXPECT_GT(shares.mean_out, at_once.mean_out);
  EXPECT_GT(shares.stockout, at_once.stockout);
  EXPECT_LT(shares.stockout, 10 * at_once.stockout);
}

// About 1,000 of 2,000 are out: the null state's share is 2^-2000, less than any double.
TEST(AnalyticSparePool, ANullStateThatIsNeverSeen) {
  SparePool overloaded = pool(2000, 0, 1);
  overloaded.gang = false;
  const SparePoolShares shares = solved(overloaded);
  EXPECT_LT(distance(shares, spare_pool_by_product_form(overloaded)), 1e-12);
  EXPECT_NEAR(shares.mean_out, 1000, 1e-9);
}

TEST(AnalyticSparePool, TooManyStatesAreAnError) {
  SparePool large = pool(2000, 0, 1);
  large.gang = false;
  large.lead = 1_h;
  const auto shares = spare_pool(large);
  ASSERT_FALSE(shares);
  EXPECT_EQ(shares.error(), "the chain of the spare pool has more than 30000 states");
}

TEST(AnalyticSparePool, SettingsThatMeanNothingAreOurMistake) {
  SparePool p = pool(4, 1, 0.1);
  p.crews = Limit{0};
  EXPECT_THROW(spare_pool(p), InternalError);
  p = pool(4, 1, 0.1);
  p.lead = 1_h;
  EXPECT_THROW(spare_pool_by_product_form(p), InternalError);
  EXPECT_THROW(spare_pool(pool(4, 1, 0)), InternalError);
}

}  // namespace
}  // namespace faultline::analytic
