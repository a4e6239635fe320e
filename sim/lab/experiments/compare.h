// A candidate against a baseline under common random numbers: the same faults strike both, so what
// differs is what the change did.
//
// Everything is paired by replication number (paired_difference.h); metrics are matched by name.
// Each interval holds with 95% by itself; with 60 metrics, three differences would show by chance
// if there were none.
//
// Hazards are what a change can do to a cluster although its mean looks well: the safety gate holds
// repairs back, healthy machines are replaced, more nodes are unhealthy at once, jobs wait for
// machines that do not exist. A hazard is new if it happens in some replication of the candidate
// and in none of the baseline, and grows if its paired difference is shown to be above zero.
//
// Thread rule: pure functions of their arguments.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lab/experiments/common_rows.h"
#include "sim/lab/expression/expression.h"
#include "sim/lab/expression/threshold.h"
#include "sim/lab/stats/paired_difference.h"

namespace faultline {

inline constexpr double kCompareConfidence = 0.95;

enum class Finding {
  kUnknown,     // fewer than two replications say something about it
  kSame,        // equal in every replication
  kUndetected,  // the interval of the difference holds zero
  kHigher,      // shown
  kLower,
};
// "same", "undetected", ...
std::string_view to_string(Finding finding);

// Of one quantity, a metric or an expression.
struct Difference {
  MeanEstimate baseline;
  MeanEstimate candidate;
  PairedDifference paired;  // candidate - baseline
  Finding finding = Finding::kUnknown;

  Interval interval() const { return paired.difference.interval(kCompareConfidence); }
};

// One value per replication and point; replications of which one says nothing (NaN) are left out.
Difference difference(const std::vector<double>& baseline, const std::vector<double>& candidate);

struct Hazard {
  enum class Change { kNone, kNew, kGrows };
  std::size_t metric = 0;  // in Comparison::names
  Change change = Change::kNone;
  std::size_t baseline_runs = 0;  // in which it happened at all
  std::size_t candidate_runs = 0;
  double baseline_worst = 0;
  double candidate_worst = 0;
  std::uint32_t worst_replication = 0;  // of the candidate
};

inline constexpr std::array<std::string_view, 5> kHazards{
    "gate_blocked_total", "gate_blocked_seconds", "needless_replacements_total",
    "unhealthy_peak_ratio", "stockout_ratio"};

// A --fail-if for one candidate.
// Fewer replications that all say the same do not show that two candidates are the same (threshold.h).
inline constexpr std::size_t kEnoughToBeTheSame = 30;

struct ThresholdResult {
  Condition condition;
  MeanEstimate estimate;  // of the left side, or of its difference
  Interval interval;      // of that, with kCompareConfidence
  Judgement judgement = Judgement::kOpen;
  bool all_same = false;  // both said the same in every replication (threshold.h)
};

struct Comparison {
  std::vector<std::uint32_t> replications;  // that both have
  std::vector<MetricName> names;            // that both have
  std::vector<Difference> metrics;          // in the order of `names`
  std::vector<std::string> only_baseline;   // metrics of which the other one knows nothing
  std::vector<std::string> only_candidate;
  std::vector<Hazard> hazards;  // in the order of kHazards
  Difference by;                // what points are ranked by
  // Rows in which the candidate does worse than the baseline by `by`, the worst first; at most
  // three.
  std::vector<std::size_t> worst;
  std::vector<double> by_baseline;  // `by`, per row
  std::vector<double> by_candidate;
  CommonRows rows;  // of the baseline, of the candidate
  std::vector<ThresholdResult> thresholds;
};

// What is asked of a pair; expressions in the terms of common_metrics() of the two.
struct Question {
  // The same for both, but for `cost`: what a point pays for depends on the GPUs that it owns.
  Expression by;
  Expression by_baseline;
  bool larger_is_better = true;
  std::vector<Condition> fail_if;
};

// The text of --by and of each --fail-if, read for one pair of points. A single metric is better in
// its own direction (metric_direction.h), an expression where it is larger; `cost` (objective.h), where it is
// smaller. The error is a sentence.
tl::expected<Question, std::string> question(const std::string& by,
                                             const std::vector<std::string>& fail_if,
                                             const Point& baseline, const Point& candidate);

// The text of --by for one of several points, in the terms of `common`, their common_metrics().
tl::expected<Expression, std::string> ranked_by(const std::string& by, const Point& point,
                                                const std::vector<MetricName>& common);

Comparison compare(const Point& baseline, const Rows& baseline_rows, const Point& candidate,
                   const Rows& candidate_rows, const Question& question);

}  // namespace faultline
