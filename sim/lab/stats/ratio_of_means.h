// Ratios of two means: a mean over things that are counted in the replications.
//
// The mean time to repair is the seconds of all repairs over the number of all repairs. Averaging
// each replication's own mean is wrong: a replication with two repairs would weigh as much as one
// with two hundred. With x_r and y_r of replication r, R = sum(x) / sum(y) is the ratio estimator;
// its spread is that of the pseudo-values
//
//   u_r = R + (x_r - R y_r) / mean(y)
//
// whose mean is R exactly and whose variance is that of the delta method (Cochran, "Sampling
// Techniques", 3rd ed., ch. 2.11 and 6.4; Law, ch. 9.5.2 for the same estimator over regeneration
// cycles). The bias is of order 1/n and far below the error. Pseudo-values of two points can be
// subtracted row by row, which pairs them.
//
//   Worked by hand: x = 2, 12 and y = 1, 3: R = 14/4 = 3.5; mean(y) = 2; u = 3.5 + (2 - 3.5)/2 = 2.75 and
//   3.5 + (12 - 10.5)/2 = 4.25. The mean of the two ratios 2 and 4 would have been 3.
//
// Thread rule: pure functions.
#pragma once

#include <vector>

namespace faultline {

// One per row; all NaN where the sum of `denominator` is zero. Denominators are not negative.
std::vector<double> ratio_pseudo_values(const std::vector<double>& numerator,
                                        const std::vector<double>& denominator);

// The same of means m_r over w_r things each: numerator m_r w_r. A row without things (w_r = 0,
// whatever its mean, NaN too) says nothing: its pseudo-value is R.
std::vector<double> weighted_pseudo_values(const std::vector<double>& means,
                                           const std::vector<double>& weights);

}  // namespace faultline
