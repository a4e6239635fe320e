#include "sim/lab/stats/selection.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "models/base/check.h"
#include "sim/lab/stats/paired_difference.h"

namespace faultline {
namespace {

// Of mu_i - mu_j: one-sided, as the proof needs it.
struct Comparison {
  double difference = 0;  // above 0: i is better
  double margin = 0;
};

}  // namespace

Selection select_best(const std::vector<std::vector<double>>& systems, double confidence,
                      bool larger_is_better) {
  const std::size_t k = systems.size();
  FAULTLINE_CHECK(k > 0, "nothing to choose from");
  const double sign = larger_is_better ? 1 : -1;
  // The two-sided interval that leaves (1 - confidence) / (k - 1) above it.
  const double two_sided =
      1 - 2 * (1 - confidence) / static_cast<double>(std::max<std::size_t>(k, 2) - 1);

  std::vector<std::vector<Comparison>> versus(k, std::vector<Comparison>(k));
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const MeanEstimate d = paired_difference(systems[j], systems[i]).difference;
      const double margin = d.interval(two_sided).half_width();
      versus[i][j] = {.difference = sign * d.mean, .margin = margin};
      versus[j][i] = {.difference = -sign * d.mean, .margin = margin};
    }
  }

  Selection selection;
  std::vector<double> means;
  for (const auto& values : systems) means.push_back(sign * mean_estimate(values).mean);
  selection.ranked.resize(k);
  std::iota(selection.ranked.begin(), selection.ranked.end(), std::size_t{0});
  std::stable_sort(selection.ranked.begin(), selection.ranked.end(),
                   [&](std::size_t a, std::size_t b) { return means[a] > means[b]; });

  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> reach(k, kInfinity);  // how much better than the best other i may be
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      if (j != i) reach[i] = std::min(reach[i], versus[i][j].difference + versus[i][j].margin);
    }
    selection.may_be_best.push_back(reach[i] >= 0);
  }
  for (std::size_t i = 0; i < k; ++i) {
    double low = kInfinity;  // of the set without i, empty or not
    for (std::size_t j = 0; j < k; ++j) {
      if (j == i || !selection.may_be_best[j]) continue;
      low = std::min(low, versus[i][j].difference - versus[i][j].margin);
    }
    selection.to_best_other.push_back(
        {.low = std::min(0.0, low), .high = std::max(0.0, k == 1 ? 0.0 : reach[i])});
  }
  return selection;
}

}  // namespace faultline
