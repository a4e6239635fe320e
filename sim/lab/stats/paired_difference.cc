#include "sim/lab/stats/paired_difference.h"

#include "models/base/check.h"

namespace faultline {

bool PairedDifference::shown(double confidence) const {
  const Interval interval = difference.interval(confidence);
  return interval.low > 0 || interval.high < 0;
}

PairedDifference paired_difference(const std::vector<double>& a, const std::vector<double>& b) {
  FAULTLINE_CHECK(a.size() == b.size(), "pairs");
  std::vector<double> differences(b);
  for (std::size_t r = 0; r < a.size(); ++r) differences[r] -= a[r];
  PairedDifference paired{.difference = mean_estimate(differences)};
  const double error_a = mean_estimate(a).error;
  const double error_b = mean_estimate(b).error;
  paired.variance_ratio =
      paired.difference.error * paired.difference.error / (error_a * error_a + error_b * error_b);
  return paired;
}

}  // namespace faultline
