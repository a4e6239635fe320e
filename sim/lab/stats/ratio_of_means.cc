#include "sim/lab/stats/ratio_of_means.h"

#include "models/base/check.h"

namespace faultline {

std::vector<double> ratio_pseudo_values(const std::vector<double>& numerator,
                                        const std::vector<double>& denominator) {
  FAULTLINE_CHECK(numerator.size() == denominator.size(), "pairs");
  double above = 0;
  double below = 0;
  for (std::size_t r = 0; r < numerator.size(); ++r) {
    above += numerator[r];
    below += denominator[r];
  }
  const double ratio = above / below;
  const double mean_below = below / static_cast<double>(denominator.size());
  std::vector<double> values(numerator.size());
  for (std::size_t r = 0; r < values.size(); ++r) {
    values[r] = ratio + (numerator[r] - ratio * denominator[r]) / mean_below;
  }
  return values;
}

std::vector<double> weighted_pseudo_values(const std::vector<double>& means,
                                           const std::vector<double>& weights) {
  std::vector<double> sums(weights.size());
  for (std::size_t r = 0; r < weights.size(); ++r) {
    sums[r] = weights[r] > 0 ? means[r] * weights[r] : 0;
  }
  return ratio_pseudo_values(sums, weights);
}

}  // namespace faultline
