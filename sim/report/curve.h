// A curve in a table: one row of characters per value, with the band drawn on a common scale.
//
//   ......--o--...      o: the estimate   -: its 95% band   .: the rest of the scale
//
// And the shade of a number on a scale, for maps that are too wide for numbers.
//
// Thread rule: values, pure functions.
#pragma once

#include <string>

#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

struct Scale {
  double low = 0;
  double high = 1;

  // 0 at the low end, 1 at the high one; 0.5 if the ends are one. Where less is better, `low` is the larger number.
  double place(double value) const;
};

// A band of which no part is known (NaN) is the empty scale.
std::string drawn_band(const Scale& scale, double mean, const Interval& band, int width);

// ' ' for the low end ... '@' for the high one; '?' for NaN.
char shade(const Scale& scale, double value);

}  // namespace faultline
