// The level of a point through another one that has more replications.
//
// Points of a curve meet the same faults, so most of the luck in y (few replications) is also in x (the
// reference's values in the same replications), whose mean over all n' of its replications is known better:
//
//   estimate = mean(y) - b (mean(x) - mean'(x)),   error^2 = e^2 + (b e')^2
//
// with b and e those of the regression of y on x as if mean'(x) were exact (sim/lab/stats/control_variate.h), and
// e' the error of mean'(x). Double sampling with regression: Cochran, "Sampling Techniques", 3rd ed.,
// ch. 12.6; as control variate with an estimated mean: Schmeiser, Taaffe and Wang, "Biased control-variate estimation", IIE
// Transactions 33 (2001) 219-228. With a squared correlation of 0.9, a point needs about a fifth of the
// replications, and differences along the curve are the paired ones.
//
//   Worked by hand: y = 1, 2, 4 and x = 1, 2, 3 with mean'(x) = 2.5, error 0.2: b = 1.5, estimate 37/12,
//   e = 0.2764 (control_variate.h), error = sqrt(0.2764^2 + (1.5 x 0.2)^2) = 0.4079.
//
// Thread rule: pure function.
#pragma once

#include <vector>

#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

struct ReferenceLevel {
  MeanEstimate estimate;
  double own_error = 0;        // what more replications of the point would reduce
  double reference_error = 0;  // what more replications of the reference would reduce
};

// `values` of the point, `reference` of the same replications and more; none of them NaN. Of as many as each other, the
// estimate is the plain mean and only the error is split; a point with more than the reference stands for itself.
ReferenceLevel level_by_reference(const std::vector<double>& values,
                                  const std::vector<double>& reference);

}  // namespace faultline
