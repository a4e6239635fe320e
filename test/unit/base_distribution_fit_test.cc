// Do the samples follow the law that the CDF says? For each continuous law, with fixed seed:
//
//   Kolmogorov-Smirnov   n = 100,000; D above 1.949 / sqrt(n) = 0.00616 has alpha = 1e-3
//   mean                 n = 100,000; more than 3.29 standard errors off has alpha = 1e-3
//
// and the mutant, all samples 5% longer, must fail both.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/base/distribution.h"
#include "models/base/random.h"

namespace faultline {
namespace {

constexpr std::uint32_t kDraws = 100'000;

std::vector<Duration> draws_of(const Distribution& distribution) {
  const RandomSource source(2024, 0);
  const StreamId stream("test/fit", distribution.text());
  std::vector<Duration> draws;
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    draws.push_back(distribution.sample(source.uniform(stream, 0, i)));
  }
  std::sort(draws.begin(), draws.end());
  return draws;
}

double ks_distance(const std::vector<Duration>& sorted, const Distribution& distribution) {
  const auto n = static_cast<double>(sorted.size());
  double worst = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double expected = distribution.cdf(sorted[i]);
    const auto rank = static_cast<double>(i);
    worst = std::max({worst, expected - rank / n, (rank + 1) / n - expected});
  }
  return worst;
}

double standard_errors_off(const std::vector<Duration>& draws, double mean) {
  const auto n = static_cast<double>(draws.size());
  double sum = 0;
  double squares = 0;
  for (const Duration draw : draws) sum += draw.seconds();
  for (const Duration draw : draws) squares += std::pow(draw.seconds() - sum / n, 2);
  return std::abs(sum / n - mean) / std::sqrt(squares / n / n);
}

class BaseDistributionFit : public testing::TestWithParam<Distribution> {};

TEST_P(BaseDistributionFit, SamplesFollowTheCdfAndTheMean) {
  const std::vector<Duration> draws = draws_of(GetParam());
  const double ks_bound = 1.949 / std::sqrt(double{kDraws});
  EXPECT_LT(ks_distance(draws, GetParam()), ks_bound);
  EXPECT_LT(standard_errors_off(draws, GetParam().mean_seconds()), 3.29);

  std::vector<Duration> mutant;
  for (const Duration draw : draws) mutant.push_back(Duration::from_seconds(draw.seconds() * 1.05));
  EXPECT_GT(ks_distance(mutant, GetParam()), ks_bound);
  EXPECT_GT(standard_errors_off(mutant, GetParam().mean_seconds()), 3.29);
}

std::vector<Distribution> continuous_laws() {
  const Distribution exponential = Distribution::make_exponential(4_min).value();
  const Distribution lognormal = Distribution::make_lognormal_with_percentiles(90_s, 4_min).value();
  return {Distribution::make_uniform(1_s, 10_s).value(),
          exponential,
          Distribution::make_weibull_with_mean(0.75, 10_h).value(),
          Distribution::make_weibull(2.64, 10_h).value(),
          lognormal,
          Distribution::make_lognormal(4.318, 0.8).value(),
          Distribution::make_gamma_with_mean(0.5, 1_h).value(),
          Distribution::make_gamma(20, 1_h).value(),
          Distribution::make_mixture({{0.3, exponential}, {0.7, lognormal}}).value()};
}

INSTANTIATE_TEST_SUITE_P(Laws, BaseDistributionFit, testing::ValuesIn(continuous_laws()));

// Binomial: of n = 100,000 draws, 25,000 +- 137 (standard error) are 1 s and twice as many are 2 s;
// 3.29 standard errors have alpha = 1e-3. Weights that are 5% wrong would miss by 9.
TEST(BaseDistributionFitOfSteps, EmpiricalDrawsEveryValueAsOftenAsItWasSeen) {
  const std::vector<Duration> draws =
      draws_of(Distribution::make_empirical({1_s, 2_s, 2_s, 5_s}).value());
  EXPECT_NEAR(static_cast<double>(std::count(draws.begin(), draws.end(), 1_s)), 25'000, 3.29 * 137);
  EXPECT_NEAR(static_cast<double>(std::count(draws.begin(), draws.end(), 2_s)), 50'000, 3.29 * 158);
  EXPECT_NEAR(static_cast<double>(std::count(draws.begin(), draws.end(), 5_s)), 25'000, 3.29 * 137);
}

}  // namespace
}  // namespace faultline
