#include "sim/lab/experiments/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/lab/stats/paired_difference.h"

namespace faultline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Pairs {
  std::vector<std::vector<double>> a;
  std::vector<std::vector<double>> b;
};

// The replications that both have.
Pairs pairs_of(const Rows& a, const Rows& b) {
  Pairs pairs;
  std::size_t j = 0;
  for (std::size_t i = 0; i < a.finished.size(); ++i) {
    while (j < b.finished.size() && b.finished[j] < a.finished[i]) ++j;
    if (j == b.finished.size() || b.finished[j] != a.finished[i]) continue;
    pairs.a.push_back(a.values[i]);
    pairs.b.push_back(b.values[j]);
  }
  return pairs;
}

bool unknown(const std::vector<double>& values) {
  return values.empty() || std::isnan(values.front());
}

// The difference; its interval comes later, when it is known how many there are.
MeanEstimate difference(const Expression& objective, const Rows& base, const Rows* variant) {
  const Pairs pairs = variant == nullptr ? Pairs{} : pairs_of(base, *variant);
  const std::vector<double> a = objective.values(pairs.a);
  const std::vector<double> b = objective.values(pairs.b);
  if (unknown(a) || unknown(b)) return {.n = a.size(), .mean = kNan, .error = kNan};
  return paired_difference(a, b).difference;
}

bool never_differs(const MeanEstimate& estimate) {
  return estimate.mean == 0 && estimate.error == 0;
}

Effect effect(const MeanEstimate& estimate, double confidence) {
  const bool never = never_differs(estimate);
  return {.n = estimate.n,
          .mean = estimate.mean,
          .interval = never ? Interval{0, 0} : estimate.interval(confidence),
          .never = never};
}

double swing(double low, double high) {
  if (std::isnan(low)) low = 0;
  if (std::isnan(high)) high = 0;
  return std::max({low, high, 0.0}) - std::min({low, high, 0.0});
}

}  // namespace

bool Effect::tested() const { return !std::isnan(interval.low); }

std::vector<Sensitivity> tornado(const Expression& objective, const Rows& base,
                                 const std::vector<VariantRows>& variants, double confidence) {
  std::vector<MeanEstimate> differences;
  std::size_t effects = 0;
  for (const VariantRows& variant : variants) {
    for (const Rows* rows : {variant.low, variant.high}) {
      differences.push_back(difference(objective, base, rows));
      if (!std::isnan(differences.back().mean) && !never_differs(differences.back())) ++effects;
    }
  }
  const double each = 1 - (1 - confidence) / static_cast<double>(std::max<std::size_t>(1, effects));
  std::vector<Sensitivity> all;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    Sensitivity one{.index = i,
                    .low = effect(differences[2 * i], each),
                    .high = effect(differences[2 * i + 1], each)};
    one.low.refused = variants[i].low == nullptr;
    one.high.refused = variants[i].high == nullptr;
    one.swing = swing(one.low.mean, one.high.mean);
    all.push_back(one);
  }
  std::stable_sort(all.begin(), all.end(), [](const Sensitivity& a, const Sensitivity& b) {
    if (a.detectable() != b.detectable()) return a.detectable();
    if (a.tested() != b.tested()) return a.tested();
    return a.swing > b.swing;
  });
  return all;
}

}  // namespace faultline
