#include "sim/lab/stats/mean_estimate.h"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <limits>

namespace faultline {

double two_sided_t(double confidence, double degrees) {
  if (!(degrees > 0)) return std::numeric_limits<double>::infinity();
  return boost::math::quantile(boost::math::students_t(degrees), 0.5 + confidence / 2);
}

Interval MeanEstimate::interval(double confidence) const {
  const double half_width = std::isnan(error) ? error : two_sided_t(confidence, degrees) * error;
  return {.low = mean - half_width, .high = mean + half_width};
}

MeanEstimate mean_estimate(const std::vector<double>& values) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  MeanEstimate estimate{.n = values.size(), .mean = kNan, .error = kNan};
  if (values.empty()) return estimate;
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  estimate.mean = sum / n;
  if (values.size() == 1) return estimate;
  double squares = 0;
  for (const double value : values) squares += (value - estimate.mean) * (value - estimate.mean);
  estimate.degrees = n - 1;
  estimate.error = std::sqrt(squares / (n - 1) / n);
  return estimate;
}

}  // namespace faultline
