// Confidence intervals for a quantile, from order statistics: no law is assumed.
//
// Of n independent values the number below the q-quantile x_q is binomial, so for the sorted values
//
//   P(X(l) <= x_q <= X(u)) >= P(l <= B <= u - 1),  B ~ Bin(n, q),
//
// with equality where the law is continuous (David and Nagaraja, "Order Statistics", 3rd ed., ch.
// 7.1).
//
// `exact_quantile_interval` takes the largest l and the smallest u that leave at most (1 -
// confidence) / 2 on either side. Its coverage is at least the nominal one and is reported; with
// few values it is well above, since ranks are whole.
//
// `quantile_interval` puts each end between two neighbouring order statistics, so that the coverage
// is the nominal one to about 0.1 pp for smooth laws (Nyblom, "Note on interpolated order
// statistics", Statistics & Probability Letters 14 (1992) 129-131; for the median, Hettmansperger
// and Sheather 1986). With the tail a = (1 - confidence) / 2 and p_r = P(B < r), the low end lies
// at the fraction
//
//   lambda = 1 / (1 + r (1 - q) (p_{r+1} - a) / ((n - r) q (a - p_r)))
//
// of the way from X(r) to X(r+1), where p_r <= a < p_{r+1}; the high end is the same seen from
// above. It lies inside the exact interval. Values that are counts are not continuous: for them the
// exact one is honest.
//
// An end is infinite where n values are too few to say anything: the 95% interval of the 99%
// quantile has a high end from 368 values on (0.99^n < 2.5%).
//
//   Worked by hand: n = 10, median: P(B < 2) = 11/1024 = 1.07% <= 2.5% < P(B < 3) = 5.47%, so the exact
//   interval is X(2) .. X(9), coverage 1 - 22/1024 = 97.85%. The low end of the other one has
//   lambda = 1 / (1 + 2 (5.47 - 2.5) / (8 (2.5 - 1.07))) = 0.6577: X(2) + 0.6577 (X(3) - X(2)).
//
// Thread rule: pure functions.
#pragma once

#include <vector>

#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

struct QuantileInterval {
  Interval interval;
  double coverage = 0;  // of a continuous law
};

// Of independent values in rising order, at least one; 0 < q < 1.
QuantileInterval exact_quantile_interval(const std::vector<double>& sorted, double q,
                                         double confidence);
Interval quantile_interval(const std::vector<double>& sorted, double q, double confidence);

}  // namespace faultline
