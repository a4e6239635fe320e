// A mean and what is known about its error: the currency of the lab's statistics.
//
// Estimators differ in how they come to a mean, an error and degrees of freedom; from there on all
// of them give the same interval: mean +- t(degrees, (1 + confidence) / 2) x error. The interval is
// exact for normal data and asymptotically right for all data with a variance (Law, "Simulation
// Modeling and Analysis", 5th ed., ch. 4.5).
//
//   Worked by hand: 1, 2, 3, 4 have mean 2.5, variance 5/3, error sqrt(5/12) = 0.6455, 3 degrees;
//   t(3, 97.5%) = 3.1824, so the 95% interval is 2.5 +- 2.0543.
//
// Errors: none. Of no values the mean is NaN; of one value the error is NaN, and so are the ends of
// every interval.
//
// Thread rule: values, pure functions.
#pragma once

#include <cstddef>
#include <vector>

namespace faultline {

struct Interval {
  double low = 0;
  double high = 0;

  bool holds(double value) const { return low <= value && value <= high; }
  double half_width() const { return (high - low) / 2; }
};

struct MeanEstimate {
  std::size_t n = 0;
  double mean = 0;
  double error = 0;    // standard error of the mean
  double degrees = 0;  // of freedom of the error

  // Two-sided: both ends hold at once with this confidence.
  Interval interval(double confidence) const;
};

// Of independent values, none of them NaN. Sums run in the order of the values.
MeanEstimate mean_estimate(const std::vector<double>& values);

// The quantile of Student's t that leaves (1 - confidence) / 2 above it; infinite without degrees.
double two_sided_t(double confidence, double degrees);

}  // namespace faultline
