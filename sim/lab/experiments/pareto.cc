#include "sim/lab/experiments/pareto.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "models/base/check.h"

namespace faultline {

std::vector<bool> pareto_set(const std::vector<double>& gain, const std::vector<double>& price) {
  FAULTLINE_CHECK(gain.size() == price.size(), "pairs");
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < gain.size(); ++i) {
    if (!std::isnan(gain[i]) && !std::isnan(price[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return price[a] != price[b] ? price[a] < price[b] : gain[a] > gain[b];
  });
  std::vector<bool> chosen(gain.size(), false);
  double best = -std::numeric_limits<double>::infinity();  // at a lower price
  for (std::size_t at = 0; at < order.size();) {
    const std::size_t first = order[at];
    for (; at < order.size() && price[order[at]] == price[first]; ++at) {
      chosen[order[at]] = gain[order[at]] == gain[first] && gain[first] > best;
    }
    best = std::max(best, gain[first]);
  }
  return chosen;
}

}  // namespace faultline
