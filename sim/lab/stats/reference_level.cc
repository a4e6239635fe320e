#include "sim/lab/stats/reference_level.h"

#include <cmath>

#include "sim/lab/stats/control_variate.h"

namespace faultline {

ReferenceLevel level_by_reference(const std::vector<double>& values,
                                  const std::vector<double>& reference) {
  if (values.size() > reference.size() || values.size() < 3) {
    const MeanEstimate own = mean_estimate(values);
    return {.estimate = own, .own_error = own.error, .reference_error = 0};
  }
  const MeanEstimate all = mean_estimate(reference);
  const std::vector<double> same(reference.begin(),
                                 reference.begin() + static_cast<std::ptrdiff_t>(values.size()));
  const ControlledMean controlled = controlled_mean(values, same, all.mean);
  ReferenceLevel level{.estimate = controlled.estimate,
                       .own_error = controlled.estimate.error,
                       .reference_error = std::abs(controlled.beta) * all.error};
  level.estimate.error = std::hypot(level.own_error, level.reference_error);
  return level;
}

}  // namespace faultline
