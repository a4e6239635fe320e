#include "sim/lab/experiments/compare.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/base/check.h"
#include "sim/lab/experiments/objective.h"
#include "sim/lab/expression/metric_direction.h"

namespace faultline {
namespace {

constexpr std::size_t kMostWorst = 3;

Finding verdict_of(const std::vector<double>& baseline, const std::vector<double>& candidate,
                   const PairedDifference& paired) {
  if (baseline.empty()) return Finding::kUnknown;
  if (baseline == candidate) return Finding::kSame;
  if (baseline.size() < 2) return Finding::kUnknown;
  if (!paired.shown(kCompareConfidence)) return Finding::kUndetected;
  return paired.difference.mean > 0 ? Finding::kHigher : Finding::kLower;
}

// Fewer than two replications say something about a mean over things: its pseudo-values do not
// vary, which is ignorance and not precision.
bool too_few_things(const std::vector<MetricName>& names, const MetricRows& rows, std::size_t m) {
  const auto weight = weight_of(names, m);
  if (!weight) return false;
  return std::count_if(rows.begin(), rows.end(),
                       [&](const std::vector<double>& row) { return row[*weight] > 0; }) < 2;
}

Difference metric_difference(const CommonRows& rows, std::size_t m) {
  Difference result = difference(metric_values(rows.names, rows.rows[0], m),
                                 metric_values(rows.names, rows.rows[1], m));
  if (result.finding != Finding::kSame && (too_few_things(rows.names, rows.rows[0], m) ||
                                           too_few_things(rows.names, rows.rows[1], m))) {
    result.finding = Finding::kUnknown;
  }
  return result;
}

std::vector<std::string> missing(const Point& from, const std::vector<MetricName>& common) {
  std::vector<std::string> texts;
  for (const MetricName& name : from.metrics()) {
    const bool there = std::any_of(common.begin(), common.end(), [&](const MetricName& other) {
      return other.text() == name.text();
    });
    if (!there) texts.push_back(name.text());
  }
  return texts;
}

Hazard hazard(const Comparison& comparison, std::string_view name) {
  const auto& names = comparison.names;
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const MetricName& metric) { return metric.name == name; });
  FAULTLINE_CHECK(found != names.end(), "no metric {}", name);
  Hazard hazard{.metric = static_cast<std::size_t>(found - names.begin())};
  for (std::size_t r = 0; r < comparison.replications.size(); ++r) {
    const double before = comparison.rows.rows[0][r][hazard.metric];
    const double after = comparison.rows.rows[1][r][hazard.metric];
    hazard.baseline_runs += before > 0 ? 1 : 0;
    hazard.candidate_runs += after > 0 ? 1 : 0;
    hazard.baseline_worst = std::max(hazard.baseline_worst, before);
    if (after > hazard.candidate_worst) {
      hazard.candidate_worst = after;
      hazard.worst_replication = comparison.replications[r];
    }
  }
  if (hazard.baseline_runs == 0 && hazard.candidate_runs > 0) {
    hazard.change = Hazard::Change::kNew;
  } else if (comparison.metrics[hazard.metric].finding == Finding::kHigher) {
    hazard.change = Hazard::Change::kGrows;
  }
  return hazard;
}

std::vector<std::size_t> worst_rows(const std::vector<double>& baseline,
                                    const std::vector<double>& candidate, bool larger_is_better) {
  std::vector<std::size_t> order(baseline.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double sign = larger_is_better ? 1 : -1;
  const auto gain = [&](std::size_t r) { return sign * (candidate[r] - baseline[r]); };
  std::erase_if(order, [&](std::size_t r) { return !(gain(r) < 0); });  // (NaN too)
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gain(a) < gain(b); });
  order.resize(std::min(order.size(), kMostWorst));
  return order;
}

std::vector<double> at_rows(const Expression& expression, const MetricRows& rows) {
  std::vector<double> values;
  for (const std::vector<double>& row : rows) values.push_back(expression.at(row));
  return values;
}

ThresholdResult judge_threshold(const Condition& condition, const CommonRows& rows) {
  std::vector<double> values = condition.left.values(rows.rows[1]);
  if (condition.delta) {
    const std::vector<double> baseline = condition.left.values(rows.rows[0]);
    for (std::size_t r = 0; r < values.size(); ++r) values[r] -= baseline[r];
  }
  const bool same = condition.delta && values.size() >= kEnoughToBeTheSame &&
                    std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
  const Interval interval =
      same ? Interval{0, 0}
           : mean_limits(values, (1 - kCompareConfidence) / 2, condition.range()).ends;
  return {.condition = condition,
          .estimate = mean_estimate(values),
          .interval = interval,
          .judgement = judge(condition, interval),
          .all_same = same};
}

}  // namespace

std::string_view to_string(Finding finding) {
  switch (finding) {
    case Finding::kUnknown: return "unknown";
    case Finding::kSame: return "same";
    case Finding::kUndetected: return "undetected";
    case Finding::kHigher: return "higher";
    case Finding::kLower: return "lower";
  }
  return "?";
}

Difference difference(const std::vector<double>& baseline, const std::vector<double>& candidate) {
  std::vector<double> before;
  std::vector<double> after;
  for (std::size_t r = 0; r < baseline.size(); ++r) {
    if (std::isnan(baseline[r]) || std::isnan(candidate[r])) continue;
    before.push_back(baseline[r]);
    after.push_back(candidate[r]);
  }
  Difference result{.baseline = mean_estimate(before),
                    .candidate = mean_estimate(after),
                    .paired = paired_difference(before, after)};
  result.finding = verdict_of(before, after, result.paired);
  return result;
}

tl::expected<Expression, std::string> ranked_by(const std::string& by, const Point& point,
                                                const std::vector<MetricName>& common) {
  // (Goodput is one of the metrics that every point has, in one place.)
  if (by == "cost") return cost_expression(point);
  auto expression = Expression::parse(by, common);
  if (!expression) return tl::unexpected("--by: " + expression.error());
  return expression;
}

tl::expected<Question, std::string> question(const std::string& by,
                                             const std::vector<std::string>& fail_if,
                                             const Point& baseline, const Point& candidate) {
  const std::vector<MetricName> common = common_metrics({&baseline, &candidate});
  auto of_baseline = ranked_by(by, baseline, common);
  if (!of_baseline) return tl::unexpected(of_baseline.error());
  Question result{.by = *ranked_by(by, candidate, common), .by_baseline = std::move(*of_baseline)};
  if (by == "cost") result.larger_is_better = false;
  if (const auto metric = result.by.metric()) {
    result.larger_is_better = direction_of(common[*metric]) != Direction::kSmallerIsBetter;
  }
  for (const std::string& text : fail_if) {
    auto condition = Condition::parse(text, common, /*delta_allowed=*/true);
    if (!condition) return tl::unexpected("--fail-if: " + condition.error());
    result.fail_if.push_back(std::move(*condition));
  }
  return result;
}

Comparison compare(const Point& baseline, const Rows& baseline_rows, const Point& candidate,
                   const Rows& candidate_rows, const Question& question) {
  Comparison result;
  result.rows = common_rows({&baseline, &candidate}, {&baseline_rows, &candidate_rows});
  result.replications = result.rows.replications;
  result.names = result.rows.names;
  result.only_baseline = missing(baseline, result.names);
  result.only_candidate = missing(candidate, result.names);
  for (std::size_t m = 0; m < result.names.size(); ++m) {
    result.metrics.push_back(metric_difference(result.rows, m));
  }
  for (const std::string_view name : kHazards) result.hazards.push_back(hazard(result, name));
  result.by = difference(question.by_baseline.values(result.rows.rows[0]),
                         question.by.values(result.rows.rows[1]));
  result.by_baseline = at_rows(question.by_baseline, result.rows.rows[0]);
  result.by_candidate = at_rows(question.by, result.rows.rows[1]);
  result.worst = worst_rows(result.by_baseline, result.by_candidate, question.larger_is_better);
  for (const Condition& condition : question.fail_if) {
    result.thresholds.push_back(judge_threshold(condition, result.rows));
  }
  return result;
}

}  // namespace faultline
