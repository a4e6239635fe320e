// The laws behind `Distribution`: one small struct per law, with its quantile, CDF and mean. Only
// distribution.h includes this file; everybody else says `Distribution`.
//
// The parameters have been checked by `Distribution::make_*`; the laws trust them. No virtual calls
// and no heap for the simple laws: a draw is a switch over a variant and a formula.
//
// Units: parameters in seconds; `quantile` rounds to the nearest nanosecond. A result of 292 years
// or more is `Duration::infinite()`. Thread rule: immutable; share freely.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "models/base/time.h"

namespace faultline::laws {

struct Fixed {
  Duration value;

  Duration quantile(double) const { return value; }
  double cdf(Duration x) const { return x >= value ? 1 : 0; }
  double mean() const;  // infinite for a value that is
};

struct Uniform {
  Duration lo, hi;

  Duration quantile(double u) const;
  double cdf(Duration x) const;
  double mean() const { return (lo.seconds() + hi.seconds()) / 2; }
};

struct Exponential {
  double mean_s;

  Duration quantile(double u) const;
  double cdf(Duration x) const;
  double mean() const { return mean_s; }
};

struct Weibull {
  double shape, scale;

  Duration quantile(double u) const;
  double cdf(Duration x) const;
  double mean() const;
};

struct Lognormal {
  double mu, sigma;

  Duration quantile(double u) const;
  double cdf(Duration x) const;
  double mean() const;
};

struct Gamma {
  double shape, scale;

  Duration quantile(double u) const;
  double cdf(Duration x) const;
  double mean() const { return shape * scale; }
};

struct Empirical {
  std::shared_ptr<const std::vector<Duration>> sorted;  // not empty

  Duration quantile(double u) const;
  double cdf(Duration x) const;
  double mean() const;
};

struct MixturePart;

struct Mixture {
  std::shared_ptr<const std::vector<MixturePart>> parts;  // weights sum to 1

  // One part's draw instead of a bisection: the same law, but not the same function of u.
  Duration sample(double u) const;
  Duration quantile(double u) const;
  double cdf(Duration x) const;
  double mean() const;
};

using Law =
    std::variant<Fixed, Uniform, Exponential, Weibull, Lognormal, Gamma, Empirical, Mixture>;

// Gamma(1 + 1/shape): the mean of a Weibull of scale 1. Infinite below a shape of about 0.006.
double weibull_mean_factor(double shape);

}  // namespace faultline::laws
