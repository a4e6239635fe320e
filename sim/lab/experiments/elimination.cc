#include "sim/lab/experiments/elimination.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/base/check.h"
#include "sim/lab/stats/mean_estimate.h"
#include "sim/lab/stats/paired_difference.h"

namespace faultline {

std::vector<std::uint32_t> ladder(std::uint32_t first, std::uint32_t most) {
  std::vector<std::uint32_t> rungs{std::min(first, most)};
  while (rungs.back() < most) rungs.push_back(std::min(rungs.back() + rungs.back() / 2, most));
  return rungs;
}

Elimination::Elimination(std::size_t points, EliminationRule rule)
    : rule_(std::move(rule)), contestants_(points) {
  FAULTLINE_CHECK(points > 0, "nothing to choose from");
  FAULTLINE_CHECK(!rule_.ladder.empty() && rule_.ladder.front() >= 2, "no spread is known");
}

std::vector<std::size_t> Elimination::contenders() const {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < contestants_.size(); ++i) {
    if (contestants_[i].standing == PointStanding::kContender) chosen.push_back(i);
  }
  return chosen;
}

std::optional<std::uint32_t> Elimination::needed() const {
  if (decided_ || looks_ == rule_.ladder.size()) return std::nullopt;
  return rule_.ladder[looks_];
}

double Elimination::bound_per_error(std::uint32_t n) const {
  const auto others = static_cast<double>(std::max<std::size_t>(contestants_.size(), 2) - 1);
  const double error = (1 - rule_.confidence) / (others * static_cast<double>(rule_.ladder.size()));
  return two_sided_t(1 - 2 * error, n - 1);  // leaves `error` above it
}

void Elimination::look(const std::vector<std::vector<double>>& values,
                       const std::vector<Feasibility>& feasible, double tie) {
  FAULTLINE_CHECK(needed().has_value(), "the contest is over");
  for (const std::size_t i : contenders()) {
    FAULTLINE_CHECK(values[i].size() == *needed(), "{} values of point {}", values[i].size(), i);
    contestants_[i].replications = *needed();
    const bool undefined =
        std::any_of(values[i].begin(), values[i].end(), [](double y) { return std::isnan(y); });
    if (undefined) contestants_[i].standing = PointStanding::kUndefined;
    if (feasible[i] == Feasibility::kFailed) contestants_[i].standing = PointStanding::kInfeasible;
  }
  const double t = bound_per_error(*needed());
  const auto ahead = [&](std::size_t of, std::size_t i) {
    return paired_difference(values[i], values[of]).difference;
  };
  const std::vector<std::size_t> field = contenders();
  // Everybody is compared with everybody who was there when the look began.
  for (const std::size_t i : field) {
    for (const std::size_t j : field) {
      if (i == j || feasible[j] != Feasibility::kMet) continue;
      const MeanEstimate by = ahead(j, i);
      if (!(by.mean > t * by.error)) continue;
      contestants_[i].standing = PointStanding::kBeaten;
      contestants_[i].beaten_by = j;
      break;
    }
  }
  ++looks_;

  std::vector<std::size_t> left = contenders();
  std::stable_partition(left.begin(), left.end(), [&](std::size_t i) { return i == favoured_; });
  leader_.reset();
  for (const bool must_be_met : {true, false}) {
    double best = 0;
    for (const std::size_t i : left) {
      if (must_be_met && feasible[i] != Feasibility::kMet) continue;
      const double mean = mean_estimate(values[i]).mean;
      if (leader_ && !(mean > best)) continue;
      leader_ = i;
      best = mean;
    }
    if (leader_) break;
  }
  const bool may_be_chosen = leader_ && feasible[*leader_] == Feasibility::kMet;
  decided_ =
      left.empty() || (may_be_chosen && std::all_of(left.begin(), left.end(), [&](std::size_t i) {
                         if (i == *leader_) return true;
                         const MeanEstimate by = ahead(i, *leader_);
                         return by.mean + t * by.error <= tie;
                       }));
}

}  // namespace faultline
