#include "sim/lab/stats/control_variate.h"

#include <cmath>

#include "models/base/check.h"

namespace faultline {

ControlledMean controlled_mean(const std::vector<double>& values,
                               const std::vector<double>& control, double control_mean) {
  FAULTLINE_CHECK(values.size() == control.size(), "pairs");
  const MeanEstimate plain = mean_estimate(values);
  const MeanEstimate seen = mean_estimate(control);
  ControlledMean controlled{.estimate = plain};
  if (values.size() < 3 || !(seen.error > 0)) return controlled;

  const auto n = static_cast<double>(values.size());
  double products = 0;
  double squares = 0;
  for (std::size_t r = 0; r < values.size(); ++r) {
    products += (values[r] - plain.mean) * (control[r] - seen.mean);
    squares += (control[r] - seen.mean) * (control[r] - seen.mean);
  }
  controlled.beta = products / squares;
  double residuals = 0;
  for (std::size_t r = 0; r < values.size(); ++r) {
    const double residual = values[r] - plain.mean - controlled.beta * (control[r] - seen.mean);
    residuals += residual * residual;
  }
  const double luck = seen.mean - control_mean;
  const double variance = residuals / (n - 2) * (1 / n + luck * luck / squares);
  controlled.estimate = {.n = values.size(),
                         .mean = plain.mean - controlled.beta * luck,
                         .error = std::sqrt(variance),
                         .degrees = n - 2};
  controlled.variance_reduction = plain.error * plain.error / variance;
  return controlled;
}

}  // namespace faultline
