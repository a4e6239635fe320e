#include "sim/lab/experiments/tune.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "models/base/check.h"
#include "sim/lab/experiments/pareto.h"
#include "sim/lab/stats/paired_difference.h"

namespace faultline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Differences are paired, and so far sharper than levels.
constexpr double kTiePerPrecision = 0.2;
constexpr double kHalfOfVariance = 0.70710678118654752;

using MetricRows = std::vector<std::vector<double>>;

// The first n replications; all of them are there.
MetricRows first_rows(const Rows& rows, std::uint32_t n) {
  FAULTLINE_CHECK(rows.finished.size() >= n && (n == 0 || rows.finished[n - 1] == n - 1),
                  "replications are missing");
  return {rows.values.begin(), rows.values.begin() + n};
}

double share_for_conditions(const std::vector<TunePoint>& points) {
  return points.front().conditions.empty() ? 0 : 0.5;
}

Feasibility judged(const Condition& condition, const Interval& interval) {
  const bool low = condition.holds(interval.low);
  const bool high = condition.holds(interval.high);
  const bool inside = interval.low < condition.bound && condition.bound < interval.high;
  if (low && high) return inside ? Feasibility::kUnknown : Feasibility::kMet;  // inside: `!=`
  if (low || high) return Feasibility::kUnknown;
  return inside ? Feasibility::kUnknown : Feasibility::kFailed;  // inside: `==`
}

double half_width(double error, double degrees, double confidence) {
  return error == 0 ? 0 : two_sided_t(confidence, degrees) * error;
}

}  // namespace

Tuning::Tuning(std::vector<TunePoint> points, TunePoint present, TuneRule rule, RowsOf rows)
    : points_(std::move(points)),
      grid_(points_.size()),
      rule_(rule),
      rows_(std::move(rows)),
      ladder_(ladder(rule.first, rule.most)),
      contest_(points_.size(),
               {.confidence = 1 - (1 - rule.confidence) * (1 - share_for_conditions(points_)),
                .ladder = ladder_}) {
  const auto same = std::find_if(points_.begin(), points_.end(), [&](const TunePoint& tuned) {
    return tuned.point->hash() == present.point->hash();
  });
  present_ = static_cast<std::size_t>(same - points_.begin());
  if (same == points_.end()) {
    points_.push_back(std::move(present));
  } else {
    contest_.favour(present_);
  }
  replications_.resize(points_.size());
  wanted_.resize(points_.size());
  values_.resize(points_.size());
  feasible_.assign(points_.size(), Feasibility::kUnknown);
}

std::vector<Runner::Need> Tuning::most() const {
  std::vector<Runner::Need> needs;
  for (const TunePoint& tuned : points_) needs.push_back({tuned.point, ladder_.back()});
  return needs;
}

std::vector<Runner::Need> Tuning::needs() const {
  std::vector<Runner::Need> needs;
  const auto contest = contest_.needed();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (contest) {
      const bool in =
          is_candidate(i) && contest_.contestants()[i].standing == PointStanding::kContender;
      if (in) needs.push_back({points_[i].point, *contest});
    } else if (wanted_[i] > replications_[i]) {
      needs.push_back({points_[i].point, wanted_[i]});
    }
  }
  return needs;
}

std::vector<double> Tuning::values(const Objective& objective, std::size_t i) const {
  return objective.values(first_rows(rows_(*points_[i].point), replications_[i]));
}

std::vector<double> Tuning::column(std::size_t metric, std::size_t i) const {
  const Rows& rows = rows_(*points_[i].point);
  std::vector<double> column;
  for (std::uint32_t r = 0; r < replications_[i]; ++r) column.push_back(rows.values[r][metric]);
  return column;
}

void Tuning::take(std::size_t i, std::uint32_t n) {
  replications_[i] = n;
  values_[i] = values(points_[i].objective, i);
  feasible_[i] = feasibility(i);
}

Feasibility Tuning::feasibility(std::size_t i) const {
  const std::vector<Condition>& conditions = points_[i].conditions;
  if (conditions.empty()) return Feasibility::kMet;
  const auto bounds = static_cast<double>(grid_ * conditions.size() * ladder_.size());
  const double error = (1 - rule_.confidence) * share_for_conditions(points_) / bounds;
  const MetricRows rows = first_rows(rows_(*points_[i].point), replications_[i]);
  Feasibility all = Feasibility::kMet;
  for (const Condition& condition : conditions) {
    const Feasibility one = judged(
        condition, mean_limits(condition.left.values(rows), error / 2, condition.range()).ends);
    if (one == Feasibility::kFailed) return one;
    if (one == Feasibility::kUnknown) all = one;
  }
  return all;
}

void Tuning::look() {
  if (contest_.needed()) {
    look_at_contest();
  } else {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (wanted_[i] > replications_[i]) take(i, wanted_[i]);
    }
  }
  if (!contest_.needed()) plan_levels();
}

void Tuning::look_at_contest() {
  const double sign = points_.front().objective.larger_is_better() ? 1 : -1;
  std::vector<std::vector<double>> signed_values(grid_);
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < grid_; ++i) {
    if (contest_.contestants()[i].standing != PointStanding::kContender) continue;
    take(i, *contest_.needed());
    signed_values[i] = values_[i];
    for (double& value : signed_values[i]) value *= sign;
    const double mean = mean_estimate(signed_values[i]).mean;
    if (mean > best) best = mean;
  }
  // What a relative precision means is settled at the first look.
  if (contest_.looks() == 0) precision_ = rule_.precision.target(best);
  contest_.look(signed_values, {feasible_.begin(), feasible_.begin() + static_cast<long>(grid_)},
                kTiePerPrecision * precision_);
}

std::uint32_t Tuning::rung_above(std::uint32_t n) const {
  const auto above = std::upper_bound(ladder_.begin(), ladder_.end(), n);
  return above == ladder_.end() ? ladder_.back() : *above;
}

std::size_t Tuning::reference() const {
  if (contest_.leader()) return *contest_.leader();
  // Nobody meets the conditions: whoever has the most replications.
  return static_cast<std::size_t>(
      std::max_element(replications_.begin(), replications_.begin() + static_cast<long>(grid_)) -
      replications_.begin());
}

void Tuning::plan_levels() {
  const std::size_t leader = reference();
  wanted_ = replications_;
  if (replications_[present_] == 0) {
    wanted_[present_] = replications_[leader];
    return;
  }
  const double share = kHalfOfVariance * precision_;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ReferenceLevel level = level_by_reference(values_[i], values_[leader]);
    const double degrees = level.estimate.degrees;
    const auto wide = [&](double error, double limit) {
      return half_width(error, degrees, rule_.confidence) > limit;
    };
    if (!wide(level.estimate.error, precision_)) continue;
    if (wide(level.own_error, share)) wanted_[i] = rung_above(replications_[i]);
    if (wide(level.reference_error, share)) wanted_[leader] = rung_above(replications_[leader]);
  }
  // What the recommendation is worth is told against it.
  wanted_[present_] = std::max(wanted_[present_], wanted_[leader]);
}

MeanEstimate Tuning::to_recommended(const std::vector<double>& point,
                                    const std::vector<double>& recommended) const {
  const std::size_t n = std::min(point.size(), recommended.size());
  const auto common = [&](const std::vector<double>& values) {
    return std::vector<double>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
  };
  return paired_difference(common(recommended), common(point)).difference;
}

double Tuning::difference_confidence() const {
  const std::size_t k = std::max<std::size_t>(points_.size(), 2);
  const auto differences = static_cast<double>(k * (k - 1) / 2 * ladder_.size());
  return 1 - (1 - rule_.confidence) / differences;
}

TunedPoint Tuning::tuned(std::size_t i) const {
  const std::size_t leader = reference();
  const std::vector<double> needless = column(MetricIndex::kNeedless, i);
  const std::vector<double> leader_needless = column(MetricIndex::kNeedless, leader);
  const auto through = [&](std::size_t metric) {
    return level_by_reference(column(metric, i), column(metric, leader)).estimate.mean;
  };
  TunedPoint tuned;
  tuned.feasible = feasible_[i];
  tuned.replications = replications_[i];
  if (is_candidate(i)) tuned.contest = contest_.contestants()[i];
  tuned.level = level_by_reference(values_[i], values_[leader]).estimate;
  tuned.precise =
      half_width(tuned.level.error, tuned.level.degrees, rule_.confidence) <= precision_;
  tuned.behind = to_recommended(values_[i], values_[leader]);
  if (points_.front().objective.larger_is_better()) tuned.behind.mean = 0 - tuned.behind.mean;
  tuned.gpu_hours = to_recommended(values(Objective::cost(*points_[i].point), i),
                                   values(Objective::cost(*points_[leader].point), leader));
  tuned.needless = through(MetricIndex::kNeedless);
  tuned.more_needless = to_recommended(needless, leader_needless);
  tuned.replacements = through(MetricIndex::kReplacements);
  tuned.ettr = through(MetricIndex::kEttr);
  const MetricRows rows = first_rows(rows_(*points_[i].point), replications_[i]);
  for (const Condition& condition : points_[i].conditions) {
    tuned.conditions.push_back(mean_estimate(condition.left.values(rows)));
  }
  return tuned;
}

void Tuning::leave_the_worse(TuneResults& results) {
  for (std::size_t i = 0; i < results.grid; ++i) {
    TunedPoint& point = results.points[i];
    if (point.contest.standing != PointStanding::kContender) continue;
    if (!(point.behind.interval(results.difference_confidence).low > 0)) continue;
    point.contest.standing = PointStanding::kBeaten;
    point.contest.beaten_by = *results.recommended;
  }
}

TuneResults Tuning::results() const {
  FAULTLINE_CHECK(begun(), "nothing was looked at");
  TuneResults results;
  results.grid = grid_;
  results.precision = precision_;
  results.tie = kTiePerPrecision * precision_;
  results.decided = contest_.decided();
  results.finished = needs().empty();
  results.difference_confidence = difference_confidence();
  if (replications_[present_] > 0) results.present = present_;
  const auto leader = contest_.leader();
  if (leader && feasible_[*leader] == Feasibility::kMet) results.recommended = leader;

  std::vector<double> gain;
  std::vector<double> price;
  const double sign = points_.front().objective.larger_is_better() ? 1 : -1;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    results.replications += replications_[i];
    if (replications_[i] == 0) continue;  // the present setting, after an interruption
    results.points.push_back(tuned(i));
    if (!is_candidate(i)) continue;
    const TunedPoint& point = results.points.back();
    const bool may_be_chosen = point.feasible != Feasibility::kFailed;
    gain.push_back(may_be_chosen ? sign * point.level.mean : kNan);
    price.push_back(point.needless);
  }
  if (results.recommended) leave_the_worse(results);
  const std::vector<bool> pareto = pareto_set(gain, price);
  for (std::size_t i = 0; i < grid_; ++i) results.points[i].pareto = pareto[i];
  return results;
}

}  // namespace faultline
