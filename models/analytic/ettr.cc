#include "models/analytic/ettr.h"

#include <boost/math/special_functions/lambert_w.hpp>
#include <cmath>

#include "models/base/check.h"

namespace faultline::analytic {
namespace {

// (1/lambda) (e^{lambda length} - 1): the expected time to get through `length` without a failure,
// when a failure means to begin again at once.
double expected_seconds_to_survive(double lambda, double length) {
  return lambda == 0 ? length : std::expm1(lambda * length) / lambda;
}

double work(const CheckpointedJob& job) {
  FAULTLINE_CHECK(job.every > Duration::zero(), "no work between checkpoints");
  return job.every.seconds();
}

}  // namespace

double expected_segment_seconds(const CheckpointedJob& job) {
  const double lambda = job.failures_per_second;
  return std::exp(lambda * job.restart.seconds()) *
         expected_seconds_to_survive(lambda, (job.every + job.blocks).seconds());
}

double ettr(const CheckpointedJob& job) { return work(job) / expected_segment_seconds(job); }

double expected_segment_seconds_if_restart_is_safe(const CheckpointedJob& job) {
  const double lambda = job.failures_per_second;
  return (1 + lambda * job.restart.seconds()) *
         expected_seconds_to_survive(lambda, (job.every + job.blocks).seconds());
}

double ettr_if_restart_is_safe(const CheckpointedJob& job) {
  return work(job) / expected_segment_seconds_if_restart_is_safe(job);
}

double ettr_first_order_v1(const CheckpointedJob& job) {
  return 1 - job.failures_per_second * (job.restart.seconds() + work(job) / 2);
}

double ettr_first_order_v2(const CheckpointedJob& job) {
  return ettr_first_order_v1(job) / (1 + job.blocks.seconds() / work(job));
}

double young_interval_seconds(double failures_per_second, Duration blocks) {
  return std::sqrt(2 * blocks.seconds() / failures_per_second);
}

double daly_interval_seconds(double failures_per_second, Duration blocks) {
  const double mean = 1 / failures_per_second;
  const double half = blocks.seconds() / (2 * mean);
  if (half >= 1) return mean;
  return std::sqrt(2 * blocks.seconds() * mean) * (1 + std::sqrt(half) / 3 + half / 9) -
         blocks.seconds();
}

double best_interval_seconds(double failures_per_second, Duration blocks) {
  const double argument = -std::exp(-1 - failures_per_second * blocks.seconds());
  return (1 + boost::math::lambert_w0(argument)) / failures_per_second;
}

}  // namespace faultline::analytic
