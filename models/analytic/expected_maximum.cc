#include "models/analytic/expected_maximum.h"

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace faultline::analytic {
namespace {

constexpr double kEuler = boost::math::constants::euler<double>();

// Where the largest of n standard normals lies, and 1 / the scale of its Gumbel law.
struct NormalLimit {
  double b;
  double c;
};

NormalLimit normal_limit(std::int64_t n) {
  const double log_n = std::log(static_cast<double>(n));
  const double c = std::sqrt(2 * log_n);
  const double four_pi = 4 * boost::math::constants::pi<double>();
  return {.b = c - (std::log(log_n) + std::log(four_pi)) / (2 * c), .c = c};
}

}  // namespace

double expected_maximum_of_exponentials(std::int64_t n, double mean) {
  return mean * (boost::math::digamma(static_cast<double>(n) + 1) + kEuler);
}

double expected_maximum_of_paretos(std::int64_t n, double least, double shape) {
  const double count = static_cast<double>(n);
  // tgamma_delta_ratio(z, delta) = Gamma(z) / Gamma(z + delta)
  return least * boost::math::tgamma(1 - 1 / shape) *
         boost::math::tgamma_delta_ratio(count + 1, -1 / shape);
}

double expected_maximum_of_weibulls(std::int64_t n, double shape, double scale) {
  const double log_n = std::log(static_cast<double>(n));
  return scale * std::pow(log_n, 1 / shape) * (1 + kEuler / (shape * log_n));
}

double expected_maximum_of_normals(std::int64_t n, double mean, double deviation) {
  const NormalLimit limit = normal_limit(n);
  return mean + deviation * (limit.b + kEuler / limit.c);
}

double expected_maximum_of_lognormals(std::int64_t n, double mu, double sigma) {
  const NormalLimit limit = normal_limit(n);
  return std::exp(mu + sigma * limit.b) * boost::math::tgamma(1 - sigma / limit.c);
}

}  // namespace faultline::analytic
