#include "sim/lab/stats/quantile_interval.h"

#include <boost/math/distributions/binomial.hpp>

#include <limits>

#include "models/base/check.h"

namespace faultline {
namespace {

// The low end's place among the order statistics 1 .. n of n values; rank 0: below all of them.
struct LowEnd {
  std::size_t rank = 0;
  double tail = 0;          // P(Bin(n, q) < rank), at most the tail that was asked for
  double towards_next = 0;  // the fraction of the way to rank + 1 that uses up the tail
};

LowEnd low_end(std::size_t n, double q, double tail) {
  const boost::math::binomial law(static_cast<double>(n), q);
  const auto below = [&](std::size_t rank) {  // P(Bin(n, q) < rank)
    return rank == 0 ? 0 : boost::math::cdf(law, static_cast<double>(rank - 1));
  };
  // below(rank) <= tail < below(above)
  LowEnd end{.rank = 0};
  for (std::size_t above = n + 1; above - end.rank > 1;) {
    const std::size_t middle = end.rank + (above - end.rank) / 2;
    (below(middle) <= tail ? end.rank : above) = middle;
  }
  end.tail = below(end.rank);
  if (end.rank > 0 && end.rank < n) {
    const auto r = static_cast<double>(end.rank);
    const double beyond = r * (1 - q) * (below(end.rank + 1) - tail);
    const double within = (static_cast<double>(n) - r) * q * (tail - end.tail);
    end.towards_next = within / (within + beyond);
  }
  return end;
}

struct Ends {
  LowEnd low;
  LowEnd high;  // counted from above
};

Ends ends(std::size_t n, double q, double confidence) {
  FAULTLINE_CHECK(n > 0 && q > 0 && q < 1, "quantile {} of {} values", q, n);
  const double tail = (1 - confidence) / 2;
  return {.low = low_end(n, q, tail), .high = low_end(n, 1 - q, tail)};
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

QuantileInterval exact_quantile_interval(const std::vector<double>& sorted, double q,
                                         double confidence) {
  const auto [low, high] = ends(sorted.size(), q, confidence);
  return {.interval = {.low = low.rank == 0 ? -kInfinity : sorted[low.rank - 1],
                       .high = high.rank == 0 ? kInfinity : sorted[sorted.size() - high.rank]},
          .coverage = 1 - low.tail - high.tail};
}

Interval quantile_interval(const std::vector<double>& sorted, double q, double confidence) {
  const auto [low, high] = ends(sorted.size(), q, confidence);
  const auto between = [&](std::size_t index, std::size_t next, double share) {
    return sorted[index] + share * (sorted[next] - sorted[index]);
  };
  const std::size_t n = sorted.size();
  Interval interval{.low = -kInfinity, .high = kInfinity};
  if (low.rank > 0) {
    interval.low = between(low.rank - 1, std::min(low.rank, n - 1), low.towards_next);
  }
  if (high.rank > 0) {
    interval.high = between(n - high.rank, n - std::min(high.rank + 1, n), high.towards_next);
  }
  return interval;
}

}  // namespace faultline
