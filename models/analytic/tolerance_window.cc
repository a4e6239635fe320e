#include "models/analytic/tolerance_window.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <limits>

namespace faultline::analytic {
namespace {

double cost(double lasting, Duration act, Duration window, double mean_wait, double still_there) {
  const double acting = act.seconds();
  return lasting * (window.seconds() + acting) + (1 - lasting) * (mean_wait + still_there * acting);
}

}  // namespace

double window_cost_seconds(const AlarmMix& mix, Duration window) {
  const double mean = mix.clears_mean.seconds();
  const double still_there = std::exp(-window.seconds() / mean);
  return cost(mix.lasting, mix.act, window, mean * (1 - still_there), still_there);
}

double window_cost_derivative(const AlarmMix& mix, Duration window) {
  const double mean = mix.clears_mean.seconds();
  const double still_there = std::exp(-window.seconds() / mean);
  return mix.lasting + (1 - mix.lasting) * still_there * (1 - mix.act.seconds() / mean);
}

double best_window_seconds(const AlarmMix& mix) {
  const double gain = (1 - mix.lasting) * (mix.act.seconds() / mix.clears_mean.seconds() - 1);
  if (gain <= mix.lasting) return 0;
  if (mix.lasting == 0) return std::numeric_limits<double>::infinity();
  return mix.clears_mean.seconds() * std::log(gain / mix.lasting);
}

double window_cost_seconds(double lasting, Duration act, const std::function<double(double)>& cdf,
                           Duration window) {
  const auto survival = [&cdf](double x) { return 1 - cdf(x); };
  constexpr unsigned kDeepest = 15;
  constexpr double kTolerance = 1e-9;
  const double mean_wait = boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
      survival, 0.0, window.seconds(), kDeepest, kTolerance);
  return cost(lasting, act, window, mean_wait, survival(window.seconds()));
}

}  // namespace faultline::analytic
