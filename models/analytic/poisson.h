// The exact confidence interval of a Poisson mean from one observed count (Garwood, "Fiducial
// limits for the Poisson distribution", Biometrika 28 (1936) 437-442), by chi-square quantiles:
//
//   lo = chi2^-1(alpha/2; 2k) / 2  (0 for k = 0),     hi = chi2^-1(1 - alpha/2; 2k + 2) / 2
//
// with alpha = 1 - confidence. It covers the true mean with at least that confidence. Divide both
// ends by the exposure to get a rate: 148 in 2048 x 54 node-days is 1.338 (1.131 to 1.572) per
// 1000.
//
// Worked example, by hand: nothing seen. A mean m leaves e^-m for that, so hi is where
// e^-hi = 0.025: hi = ln 40 = 3.688879, lo = 0.
//
// Invariants: lo <= count <= hi. Units: counts. Thread rule: pure function.
#pragma once

#include <cstdint>

namespace faultline::analytic {

struct Interval {
  double lo = 0;
  double hi = 0;
  bool holds(double x) const { return lo <= x && x <= hi; }
};

// `count` >= 0, `confidence` strictly between 0 and 1.
Interval poisson_interval(std::int64_t count, double confidence = 0.95);

}  // namespace faultline::analytic
