#include "models/base/distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/base/check.h"

namespace faultline {
namespace {

constexpr double kNanosecond = 1e-9;

std::string error_of(const Distribution::Made& made) { return made ? "no error" : made.error(); }

TEST(BaseDistribution, FixedIsExact) {
  const Distribution fixed = Distribution::fixed(90_s);
  for (const double u : {1e-9, 0.5, 0.999}) {
    EXPECT_EQ(fixed.sample(u), 90_s);
    EXPECT_EQ(fixed.quantile(u), 90_s);
  }
  EXPECT_EQ(fixed.cdf(90_s - 1_ns), 0);
  EXPECT_EQ(fixed.cdf(90_s), 1);
  EXPECT_DOUBLE_EQ(fixed.mean_seconds(), 90);
  EXPECT_TRUE(fixed.is_fixed());
  EXPECT_EQ(Distribution(), Distribution::fixed(Duration::zero()));
}

TEST(BaseDistribution, FixedInfiniteNeverHappens) {
  const Distribution never = Distribution::fixed(Duration::infinite());
  EXPECT_TRUE(never.sample(0.5).is_infinite());
  EXPECT_EQ(never.cdf(100'000_d), 0);
  EXPECT_EQ(never.cdf(Duration::infinite()), 1);
  EXPECT_EQ(never.mean_seconds(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(never.text(), "infinite");
}

TEST(BaseDistribution, UniformIsTheStraightLine) {
  const Distribution uniform = Distribution::make_uniform(10_s, 20_s).value();
  EXPECT_EQ(uniform.sample(0.25), 12'500_ms);
  EXPECT_EQ(uniform.cdf(12'500_ms), 0.25);
  EXPECT_EQ(uniform.cdf(9_s), 0);
  EXPECT_EQ(uniform.cdf(21_s), 1);
  EXPECT_DOUBLE_EQ(uniform.mean_seconds(), 15);
  EXPECT_FALSE(uniform.is_fixed());
}

// The median of an exponential of mean 4 min is 240 ln 2 = 166.355 s.
TEST(BaseDistribution, ExponentialHasItsMedianAtMeanTimesLn2) {
  const Distribution exponential = Distribution::make_exponential(4_min).value();
  EXPECT_NEAR(exponential.quantile(0.5).seconds(), 240 * std::log(2.0), kNanosecond);
  EXPECT_NEAR(exponential.cdf(4_min), 1 - std::exp(-1.0), 1e-15);
  EXPECT_DOUBLE_EQ(exponential.mean_seconds(), 240);
  EXPECT_EQ(exponential.cdf(Duration::zero()), 0);
}

// Shape 1 is the exponential; shape 2 (Rayleigh) has mean scale sqrt(pi)/2; whatever the shape,
// 1 - 1/e lies at the scale.
TEST(BaseDistribution, WeibullInItsKnownCases) {
  const Distribution exponential = Distribution::make_exponential(1_h).value();
  const Distribution shape_1 = Distribution::make_weibull(1, 1_h).value();
  for (const double u : {0.001, 0.3, 0.99}) EXPECT_EQ(shape_1.sample(u), exponential.sample(u));
  const Distribution rayleigh = Distribution::make_weibull(2, 1_h).value();
  EXPECT_NEAR(rayleigh.mean_seconds(), 3600 * std::sqrt(std::acos(-1.0)) / 2, 1e-9);
  EXPECT_NEAR(rayleigh.cdf(1_h), 1 - std::exp(-1.0), 1e-15);
  EXPECT_NEAR(Distribution::make_weibull_with_mean(0.75, 10_h)->mean_seconds(), 36'000, 1e-9);
}

TEST(BaseDistribution, LognormalKeepsItsPercentiles) {
  const Distribution launch = Distribution::make_lognormal_with_percentiles(90_s, 4_min).value();
  EXPECT_NEAR(launch.quantile(0.5).seconds(), 90, kNanosecond);
  EXPECT_NEAR(launch.quantile(0.95).seconds(), 240, kNanosecond);
  EXPECT_NEAR(launch.cdf(90_s), 0.5, 1e-15);
  EXPECT_NEAR(launch.cdf(4_min), 0.95, 1e-14);
  // sigma = ln(240/90) / 1.644854 = 0.596302; mean = 90 e^{sigma^2/2} = 107.511 s.
  EXPECT_NEAR(launch.mean_seconds(), 107.511, 0.001);
}

TEST(BaseDistribution, LognormalByMuAndSigma) {
  const Distribution repair = Distribution::make_lognormal(std::log(60.0), 0.5).value();
  EXPECT_NEAR(repair.quantile(0.5).seconds(), 60, kNanosecond);
  EXPECT_NEAR(repair.mean_seconds(), 60 * std::exp(0.125), 1e-12);
}

// Shape 1 is the exponential; shape 2 has P(X <= x) = 1 - (1 + x) e^-x at scale 1.
TEST(BaseDistribution, GammaInItsKnownCases) {
  const Distribution exponential = Distribution::make_exponential(1_h).value();
  const Distribution shape_1 = Distribution::make_gamma(1, 1_h).value();
  for (const double u : {0.001, 0.3, 0.99}) {
    EXPECT_NEAR(shape_1.sample(u).seconds(), exponential.sample(u).seconds(), 1e-8);
  }
  const Distribution shape_2 = Distribution::make_gamma(2, 1_s).value();
  EXPECT_NEAR(shape_2.cdf(3_s), 1 - 4 * std::exp(-3.0), 1e-15);
  EXPECT_DOUBLE_EQ(shape_2.mean_seconds(), 2);
  EXPECT_DOUBLE_EQ(Distribution::make_gamma_with_mean(2, 1_h)->mean_seconds(), 3600);
}

TEST(BaseDistribution, EmpiricalGivesOnlyWhatWasSeen) {
  const Distribution seen = Distribution::make_empirical({5_s, 1_s, 2_s, 2_s}).value();
  EXPECT_EQ(seen.sample(0.2), 1_s);
  EXPECT_EQ(seen.quantile(0.25), 1_s);  // P(X <= 1 s) = 1/4 is enough
  EXPECT_EQ(seen.quantile(0.26), 2_s);
  EXPECT_EQ(seen.quantile(0.75), 2_s);
  EXPECT_EQ(seen.quantile(0.76), 5_s);
  EXPECT_EQ(seen.cdf(1_s - 1_ns), 0);
  EXPECT_EQ(seen.cdf(2_s), 0.75);
  EXPECT_EQ(seen.cdf(5_s), 1);
  EXPECT_DOUBLE_EQ(seen.mean_seconds(), 2.5);
}

TEST(BaseDistribution, MixturePicksAPartAndReusesTheRest) {
  const Distribution uniform = Distribution::make_uniform(10_s, 20_s).value();
  const Distribution mixture =
      Distribution::make_mixture({{3, Distribution::fixed(1_min)}, {1, uniform}}).value();
  EXPECT_EQ(mixture.sample(0.7), 1_min);
  EXPECT_EQ(mixture.sample(0.875), 15_s);  // halfway through the last quarter
  EXPECT_EQ(mixture.cdf(15_s), 0.125);
  EXPECT_EQ(mixture.cdf(59_s), 0.25);
  EXPECT_EQ(mixture.cdf(1_min), 1);
  EXPECT_NEAR(mixture.quantile(0.125).seconds(), 15, kNanosecond);
  EXPECT_EQ(mixture.quantile(0.5), 1_min);
  EXPECT_DOUBLE_EQ(mixture.mean_seconds(), 0.75 * 60 + 0.25 * 15);
}

TEST(BaseDistribution, AMixtureCanLeaveProbabilityOnNever) {
  const Distribution mixture =
      Distribution::make_mixture(
          {{0.9, Distribution::fixed(1_s)}, {0.1, Distribution::fixed(Duration::infinite())}})
          .value();
  EXPECT_EQ(mixture.sample(0.5), 1_s);
  EXPECT_TRUE(mixture.sample(0.95).is_infinite());
  EXPECT_NEAR(mixture.cdf(100'000_d), 0.9, 1e-15);
  EXPECT_TRUE(mixture.quantile(0.95).is_infinite());
}

TEST(BaseDistribution, APartOfWeightZeroIsNeverDrawn) {
  const Distribution mixture =
      Distribution::make_mixture(
          {{1, Distribution::fixed(1_s)}, {0, Distribution::fixed(Duration::infinite())}})
          .value();
  EXPECT_EQ(mixture.sample(1 - 0x1p-53), 1_s);
  EXPECT_DOUBLE_EQ(mixture.mean_seconds(), 1);
}

TEST(BaseDistribution, TextIsTheNotationOfFiles) {
  EXPECT_EQ(Distribution::fixed(90_s).text(), "1m30s");
  EXPECT_EQ(Distribution::make_uniform(0_s, 10_s)->text(), "!uniform {lo: 0s, hi: 10s}");
  EXPECT_EQ(Distribution::make_exponential(4_min)->text(), "!exponential {mean: 4m}");
  EXPECT_EQ(Distribution::make_weibull(0.75, 10_h)->text(), "!weibull {shape: 0.75, scale: 10h}");
  EXPECT_EQ(Distribution::make_weibull_with_mean(0.75, 10_h)->text(),
            "!weibull {shape: 0.75, mean: 10h}");
  EXPECT_EQ(Distribution::make_lognormal(4.318, 1.253)->text(),
            "!lognormal {mu: 4.318, sigma: 1.253}");
  EXPECT_EQ(Distribution::make_lognormal_with_percentiles(50_s, 4_min)->text(),
            "!lognormal {median: 50s, p95: 4m}");
  EXPECT_EQ(Distribution::make_gamma(2, 30_min)->text(), "!gamma {shape: 2, scale: 30m}");
  EXPECT_EQ(Distribution::make_gamma_with_mean(2, 1_h)->text(), "!gamma {shape: 2, mean: 1h}");
  EXPECT_EQ(Distribution::make_empirical({5_s, 1_s, 2_s})->text(),
            "!empirical {values: [1s, 2s, 5s]}");
  EXPECT_EQ(
      Distribution::make_mixture(
          {{0.9, Distribution::fixed(1_min)}, {0.1, Distribution::make_exponential(1_h).value()}})
          ->text(),
      "!mixture {parts: [{weight: 0.9, of: 1m}, {weight: 0.1, of: !exponential {mean: 1h}}]}");
}

TEST(BaseDistribution, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(error_of(Distribution::make_uniform(10_s, 10_s)),
            "hi must be more than lo (got lo 10s and hi 10s)");
  EXPECT_EQ(error_of(Distribution::make_uniform(0_s, Duration::infinite())), "hi must be finite");
  EXPECT_EQ(error_of(Distribution::make_uniform(-1_s, 1_s)), "lo cannot be negative");
  EXPECT_EQ(error_of(Distribution::make_exponential(0_s)), "mean must be more than 0");
  EXPECT_EQ(error_of(Distribution::make_exponential(-1_s)), "mean cannot be negative");
  EXPECT_EQ(error_of(Distribution::make_exponential(Duration::infinite())), "mean must be finite");
  EXPECT_EQ(error_of(Distribution::make_weibull(0, 1_s)),
            "shape must be a number more than 0 (got 0)");
  EXPECT_EQ(error_of(Distribution::make_weibull(1, 0_s)), "scale must be more than 0");
  EXPECT_EQ(error_of(Distribution::make_weibull(0.01, 1_s)),
            "the parameters give a mean of 0 or of more than 292 years");
  EXPECT_EQ(error_of(Distribution::make_weibull_with_mean(0.001, 1_s)),
            "the parameters give a mean of 0 or of more than 292 years");
  EXPECT_EQ(error_of(Distribution::make_lognormal(HUGE_VAL, 1)), "mu must be finite (got inf)");
  EXPECT_EQ(error_of(Distribution::make_lognormal(1, -1)),
            "sigma must be a number more than 0 (got -1)");
  EXPECT_EQ(error_of(Distribution::make_lognormal(1, 100)),
            "the parameters give a mean of 0 or of more than 292 years");
  EXPECT_EQ(error_of(Distribution::make_lognormal_with_percentiles(4_min, 50_s)),
            "p95 must be more than the median (got median 4m and p95 50s)");
  EXPECT_EQ(error_of(Distribution::make_lognormal_with_percentiles(0_s, 50_s)),
            "median must be more than 0");
  EXPECT_EQ(error_of(Distribution::make_gamma(std::nan(""), 1_s)),
            "shape must be a number more than 0 (got nan)");
  EXPECT_EQ(error_of(Distribution::make_gamma_with_mean(-2, 1_s)),
            "shape must be a number more than 0 (got -2)");
  EXPECT_EQ(error_of(Distribution::make_empirical({})), "an empirical sample cannot be empty");
  EXPECT_EQ(error_of(Distribution::make_empirical({1_s, -1_s})),
            "a value of the sample cannot be negative");
  EXPECT_EQ(error_of(Distribution::make_empirical({Duration::infinite()})),
            "a value of the sample must be finite");
  EXPECT_EQ(error_of(Distribution::make_mixture({})),
            "a mixture needs a part with a weight of more than 0");
  EXPECT_EQ(error_of(Distribution::make_mixture({{0, Distribution()}})),
            "a mixture needs a part with a weight of more than 0");
  EXPECT_EQ(error_of(Distribution::make_mixture({{-1, Distribution()}})),
            "a weight must be a number of 0 or more (got -1)");
  EXPECT_EQ(error_of(Distribution::make_mixture({{1e308, {}}, {1e308, {}}})),
            "the weights of a mixture must have a finite sum");
  EXPECT_THROW(Distribution::fixed(-1_s), InternalError);
}

// To the nanosecond, so that a compiler, a build type or a library that computes otherwise is seen.
TEST(BaseDistribution, DrawsAreTheSameEverywhere) {
  const auto ns = [](const Distribution::Made& made, double u) { return made->sample(u).ns(); };
  EXPECT_EQ(ns(Distribution::make_uniform(1_s, 1_h), 0.3), 1'080'700'000'000);
  EXPECT_EQ(ns(Distribution::make_exponential(1_h), 0.3), 1'284'029'798'179);
  EXPECT_EQ(ns(Distribution::make_weibull_with_mean(0.75, 10_h), 0.3), 7'648'079'701'120);
  EXPECT_EQ(ns(Distribution::make_lognormal_with_percentiles(90_s, 4_min), 0.3), 65'832'173'442);
  EXPECT_EQ(ns(Distribution::make_lognormal_with_percentiles(90_s, 4_min), 1e-9), 2'517'600'536);
  EXPECT_EQ(ns(Distribution::make_gamma_with_mean(0.5, 1_h), 0.3), 534'498'702'597);
  EXPECT_EQ(ns(Distribution::make_gamma_with_mean(20, 1_h), 0.999), 6'606'176'176'709);
}

}  // namespace
}  // namespace faultline
