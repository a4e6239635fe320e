// One-sided limits of a mean for verdicts ("at most 1% with 95% confidence"), careful with what is rare.
//
// Student's interval is right where the mean of the values is nearly normal. Two things are not, and both
// make it claim too much:
//
//   rare     Most replications say the same value m, and only k < 20 of n anything else. What these look like
//            says little of what has not been seen yet. The high limit is then (the low one mirrors it)
//                m + min[ p(a) (high - m),  p(a/2) 2 S / X(2k, a/2) ],
//            p(a) the upper limit of Clopper and Pearson for the chance of a value beyond m (k = 0: 1 - a^(1/n),
//            the rule of three), `high` the most that a value can be (1 for a share), S the sum of the k distances
//            from m and X the quantile of chi square: their mean is no more than 2 S / X, where sizes are as
//            uneven as exponential ones. With k = 0 and no `high` it is infinite: nothing is shown.
//
//   skewed   With skewness g, the end towards the long tail is too near by about s/sqrt(n) g (1 + 2 t^2)/(6
//            sqrt(n)) (Johnson, "Modified t tests and confidence intervals for asymmetrical populations", JASA
//            73, 1978). It is moved out by that; the other end stays where Student has it.
//
// Each end is beyond the true mean at most with chance `error`. Measured for rare events of exponential sizes in
// test/validation/mean_limits_test.cc.
//
// Worked by hand: 100 runs without a stock-out, error 5%: p = 1 - 0.05^(1/100) = 2.95%, so a share is at most
// 2.95%, and "at most 1%" is shown by 299 such runs.
//
// Errors: of fewer than two values the ends are NaN.
// Thread rule: pure function.
#pragma once

#include <limits>
#include <vector>

#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

// What a value can be at all.
struct ValueRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct MeanLimits {
  Interval ends;
  // Values other than the most common one, where they are too few for more than the range; otherwise none.
  bool rare = false;
  std::size_t others = 0;
  double common = 0;  // the most common value, if rare
};

// Of independent values, none of them NaN.
MeanLimits mean_limits(const std::vector<double>& values, double error,
                       const ValueRange& range = {});

}  // namespace faultline
