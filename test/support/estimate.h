// Means over replications with their standard errors, for tests that judge by them.
#pragma once

#include <cmath>
#include <cstddef>
#include <numeric>
#include <ostream>
#include <vector>

#include "sim/lab/stats/statistics.h"

namespace faultline {

struct Estimate {
  double mean = 0;
  double error = 0;   // standard error of the mean
  std::size_t n = 0;  // replications

  bool within(double expected, double errors, double allowance = 0) const {
    return std::abs(mean - expected) <= errors * error + allowance;
  }
  // The ends of the two-sided Student-t interval.
  double lo(double confidence) const { return mean - student_t(confidence, n) * error; }
  double hi(double confidence) const { return mean + student_t(confidence, n) * error; }
};

inline std::ostream& operator<<(std::ostream& out, const Estimate& estimate) {
  return out << estimate.mean << " +- " << estimate.error << " (n = " << estimate.n << ")";
}

inline double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

inline double sample_variance(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = sum(values) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / (n - 1);
}

inline Estimate estimate(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  return {
      .mean = sum(values) / n, .error = std::sqrt(sample_variance(values) / n), .n = values.size()};
}

inline std::vector<double> difference(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

// sum of a / sum of b, with the error of a ratio estimator (first order, over replications).
inline Estimate ratio(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  const double ratio = sum(a) / sum(b);
  std::vector<double> residuals(a);
  for (std::size_t i = 0; i < a.size(); ++i) residuals[i] -= ratio * b[i];
  return {.mean = ratio,
          .error = std::sqrt(sample_variance(residuals) / n) / (sum(b) / n),
          .n = a.size()};
}

}  // namespace faultline
