// Statistics over independent replications.
//
// Means carry Student-t confidence intervals: mean +- t(n-1, 97.5%) s / sqrt(n) (exact for normal
// data, asymptotically right for any). Sums run in the order of the replications, so the result
// does not depend on how they were spread over threads.
//
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

struct Summary {
  std::size_t n = 0;    // replications that say something about the metric
  double mean = 0;      // NaN if n = 0
  double ci95_low = 0;  // NaN if n < 2
  double ci95_high = 0;
  double p5 = 0;  // of the replications: sample quantiles, linear between order statistics
  double p50 = 0;
  double p95 = 0;
  // Where the quantiles of all runs that there could be lie, with 95% each (quantile_interval.h): the
  // interpolated interval, of counts the exact one. An end is infinite where n says nothing about it; both are
  // NaN if n = 0.
  Interval p5_ci95;
  Interval p50_ci95;
  Interval p95_ci95;
};

// NaN values are left out.
Summary summarise(const std::vector<double>& values);
// Of values that are means over `weights` things each: mean and interval are those of the ratio
// estimator (ratio_of_means.h), which gives each thing the same weight. The quantiles are of the
// replications.
Summary summarise(const std::vector<double>& values, const std::vector<double>& weights);

// Half-width of the two-sided confidence interval of a mean of n values, per standard error.
double student_t(double confidence, std::size_t n);

// Linear interpolation between order statistics of a sorted sample; q in [0, 1].
double quantile_of_sorted(const std::vector<double>& sorted, double q);

}  // namespace faultline
