#include "sim/report/compare_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/format.h"
#include "sim/report/quantity_text.h"

namespace faultline {

std::optional<Ranking> rank(const CommonRows& rows, const std::vector<Expression>& by,
                            bool larger_is_better) {
  if (rows.replications.size() < 2) return std::nullopt;
  Ranking ranking{.replications = rows.replications.size()};
  std::vector<std::vector<double>> values;
  for (std::size_t p = 0; p < by.size(); ++p) {
    values.push_back(by[p].values(rows.rows[p]));
    ranking.estimates.push_back(mean_estimate(values.back()));
    if (std::isnan(ranking.estimates.back().mean)) return std::nullopt;
  }
  ranking.selection = select_best(values, kCompareConfidence, larger_is_better);
  return ranking;
}

std::string CompareResults::letter(std::size_t point) {
  std::string text;
  for (std::size_t rest = point + 1; rest > 0; rest = (rest - 1) / 26) {
    text.insert(text.begin(), static_cast<char>('A' + (rest - 1) % 26));
  }
  return text;
}

bool CompareResults::any(Judgement judgement) const {
  return std::any_of(candidates.begin(), candidates.end(), [&](const ComparedCandidate& one) {
    const auto& thresholds = one.comparison.thresholds;
    return std::any_of(thresholds.begin(), thresholds.end(), [&](const ThresholdResult& threshold) {
      return threshold.judgement == judgement;
    });
  });
}

std::string_view outcome(const ThresholdResult& threshold) {
  switch (threshold.judgement) {
    case Judgement::kHolds: return "failed";
    case Judgement::kOpen: return "undecided";
    case Judgement::kDoesNotHold: return "passed";
  }
  return "?";
}

std::string threshold_text(const ThresholdResult& threshold) {
  const Condition& condition = threshold.condition;
  const auto unit = condition.left.unit();
  return fmt::format("{}: {}, 95% interval {}, {}", condition.text,
                     condition.delta ? difference_text(unit, threshold.estimate)
                                     : estimate_text(unit, threshold.estimate),
                     interval_text(unit, threshold.interval, condition.delta),
                     counted(threshold.estimate.n, "replication"));
}

}  // namespace faultline
