// One-sided limits of a mean for verdicts ("at most 1% with 95% confidence"), careful with what is rare.
//
// Student's interval is right where the mean of the values is nearly normal. Two things are not, and both
// make it claim too much:
//
//   rare     Most replications say the same value m and only k < 20 of n anything else: no stock-out in 97
//            runs of 100. What the k look like says little of what has not been seen yet. Then the limits are
//
//              m + p (low - m)  and  m + p (high - m)
//
//            with p the upper limit of Clopper and Pearson for the chance of another value (k of n; for
//            k = 0 it is 1 - a^(1/n), the rule of three), and [low, high] what a value can be at all: 0 to 1
//            for a share. Without such a range they are infinite: nothing is shown.
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
