// Probability distributions of durations, sampled by inverse CDF.
//
// `std::*_distribution` gives other numbers with another standard library; these give the same ones
// everywhere. Each distribution turns one uniform into one sample, so a draw has an address
// (random.h) and common random numbers work: a launch that is unlucky under one policy is unlucky
// under the other.
//
// Written in scenario files as a bare duration (fixed) or as a tagged map:
//
//   90s
//   !uniform {lo: 0s, hi: 10s}
//   !exponential {mean: 4m}
//   !weibull {shape: 0.75, mean: 10h}            or {shape, scale}
//   !lognormal {median: 90s, p95: 4m}            or {mu, sigma}: of ln(seconds)
//   !gamma {shape: 2, mean: 1h}                  or {shape, scale}
//   !empirical {values: [1s, 2s, 5s]}            or {file: repair_times.csv}
//   !mixture {parts: [{weight: 0.9, of: 1m}, {weight: 0.1, of: !exponential {mean: 1h}}]}
//
// Equations
//   exponential   Q(u) = -mean ln(1-u)
//   weibull       Q(u) = scale (-ln(1-u))^(1/shape),      mean = scale Gamma(1 + 1/shape)
//   lognormal     Q(u) = exp(mu + sigma z(u)),            mean = exp(mu + sigma^2/2);
//                 from median m and p95 q: mu = ln m, sigma = ln(q/m) / z(0.95)
//   gamma         Q(u) by Boost.Math's incomplete gamma inverse, mean = shape scale
//   empirical     the step function of the sorted sample: only values that were seen
//   mixture       F = sum w_i F_i; Q by bisection on F; `sample` picks the part with u and re-uses
//                 what is left of u inside the part: the same law, at the price of one part
// z is the normal quantile, by Wichura's AS 241 (Applied Statistics 37, 1988), to about 1e-16.
//
// Invariants: samples are >= 0; quantile is non-decreasing; cdf(quantile(u)) >= u up to rounding.
// A sample of 292 years or more is `Duration::infinite()`: it never happens. `fixed` takes infinite
// on purpose ("infinite" in a file), and a mixture with it leaves probability on never; every other
// distribution has a finite mean. Parameters are checked when the distribution is made: `make_*`
// return one sentence that says what is wrong (shape <= 0, p95 <= median, weights that are all
// zero, an empty sample, ...).
//
// Cost: sample() allocates nothing. Fixed to lognormal take 2 to 20 ns, gamma about 300 ns, mixture
// a few ns more than the part it picks.
//
// Units: seconds as double inside, Duration outside (nearest nanosecond).
// Thread rule: immutable after construction; share freely.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "models/base/laws.h"
#include "models/base/time.h"

namespace faultline {

// The quantile of the standard normal distribution; `u` strictly between 0 and 1.
double normal_quantile(double u);

class Distribution {
 public:
  using Made = tl::expected<Distribution, std::string>;

  Distribution() : Distribution(fixed(Duration::zero())) {}
  static Distribution fixed(Duration value);
  static Made make_uniform(Duration lo, Duration hi);
  static Made make_exponential(Duration mean);
  static Made make_weibull(double shape, Duration scale);
  static Made make_weibull_with_mean(double shape, Duration mean);
  static Made make_lognormal(double mu, double sigma);  // of ln(seconds)
  static Made make_lognormal_with_percentiles(Duration median, Duration p95);
  static Made make_gamma(double shape, Duration scale);
  static Made make_gamma_with_mean(double shape, Duration mean);
  static Made make_empirical(std::vector<Duration> values);
  static Made make_mixture(std::vector<std::pair<double, Distribution>> weighted_parts);

  // One sample for one uniform in (0, 1).
  Duration sample(double u) const;

  double mean_seconds() const;
  // P(X <= x).
  double cdf(Duration x) const;
  // The smallest x with P(X <= x) >= u, u in (0, 1).
  Duration quantile(double u) const;

  bool is_fixed() const;
  // The notation of scenario files, exact enough to load back: "!lognormal {median: 90s, p95: 4m}".
  const std::string& text() const { return text_; }

  bool operator==(const Distribution& other) const { return text_ == other.text_; }

 private:
  Distribution(laws::Law law, std::string text) : law_(std::move(law)), text_(std::move(text)) {}

  laws::Law law_;
  std::string text_;
};

// A part of a mixture; the weights of all parts sum to 1.
struct laws::MixturePart {
  double weight;
  Distribution of;
};

}  // namespace faultline
