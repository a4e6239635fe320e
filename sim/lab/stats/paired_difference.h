// The difference of two points that met the same randomness, replication by replication.
//
// Under common random numbers value r of both points comes from the same faults. What is
// independent are the differences d_r = b_r - a_r, so the interval is that of their mean (Law, ch.
// 10.2.1: the paired-t approach; it needs no equal variances):
//
//   mean(d) +- t(n - 1, 97.5%) s(d) / sqrt(n)
//
// `variance_ratio` is what the pairing is worth: s^2(d) / (s^2(a) + s^2(b)), the variance of the
// paired difference over that of two independent runs. 0.1 means that ten times as many
// replications would have been needed without it; above 1, the pairing does harm.
//
//   Worked by hand: a = 1, 2, 3 and b = 2, 3, 5: d = 1, 1, 2 with mean 4/3, s^2 = 1/3, error 1/3;
//   s^2(a) = 1, s^2(b) = 7/3, ratio 1/10.
//
// Thread rule: pure function.
#pragma once

#include <vector>

#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

struct PairedDifference {
  MeanEstimate difference;    // b - a
  double variance_ratio = 0;  // NaN where neither varies, or n < 2

  // Whether the interval leaves zero out. Points that never differ show nothing.
  bool shown(double confidence) const;
};

// Of as many values as each other, none of them NaN.
PairedDifference paired_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace faultline
