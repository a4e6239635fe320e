// A mean made sharper by something that is known: a variable c of the same replications whose mean
// mu is known exactly. Where the replications happened to see more faults than the catalogue
// promises, their goodput is low by luck, and the regression takes that luck out:
//
//   beta = S_yc / S_cc,   estimate = mean(y) - beta (mean(c) - mu)
//
// With e_r the residuals of the regression, s^2 = sum(e^2) / (n - 2), the error is
//
//   sqrt(s^2 (1/n + (mean(c) - mu)^2 / S_cc)),   n - 2 degrees of freedom
//
// (Lavenberg and Welch, "A perspective on the use of control variables", Management Science 27
// (1981) 322-335): exact where y and c are jointly normal, asymptotically right elsewhere; the
// estimated beta gives a bias of order 1/n. A control that explains nothing costs the factor (n -
// 2) / (n - 3).
//
// Invariant: the degrees already pay for beta, so the interval needs no correction by the caller.
//
//   Worked by hand: y = 1, 2, 4 and c = 1, 2, 3 with mu = 2.5: S_yc = 3, S_cc = 2, beta = 1.5;
//   estimate = 7/3 + 1.5 x 0.5 = 37/12. Residuals 1/6, -1/3, 1/6: s^2 = (1/6) / 1;
//   error = sqrt(1/6 (1/3 + 0.25 / 2)) = 0.2764, 1 degree. Plain error: sqrt((14/3) / 2 / 3) = 0.8819.
//
// Thread rule: pure function.
#pragma once

#include <vector>

#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

struct ControlledMean {
  MeanEstimate estimate;
  double beta = 0;
  // Variance of the plain mean over that of this one: 4 is worth four times as many replications;
  // below 1 the control does not pay.
  double variance_reduction = 1;
};

// Of as many values as each other, none of them NaN. With fewer than three, or a control that does
// not vary, it is the plain mean.
ControlledMean controlled_mean(const std::vector<double>& values,
                               const std::vector<double>& control, double control_mean);

}  // namespace faultline
