#include "sim/lab/experiments/expectations.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace faultline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Judgement judge_each(const Condition& condition, double confidence,
                     const std::vector<std::vector<double>>& rows) {
  Judgement judgement{.mean = 0, .limits = {kNan, kNan}};
  for (const std::vector<double>& row : rows) {
    const double value = condition.left.at(row);
    if (std::isnan(value)) continue;
    ++judgement.n;
    judgement.mean += value;
    if (!condition.holds(value)) ++judgement.broken;
  }
  judgement.mean /= static_cast<double>(judgement.n);
  if (judgement.n == 0) {
    judgement.why = "no replication says anything about it";
    return judgement;
  }
  judgement.verdict = judgement.broken == 0 ? Verdict::kHolds : Verdict::kFails;
  if (judgement.broken == 0) {
    judgement.break_chance = 1 - std::pow(1 - confidence, 1 / static_cast<double>(judgement.n));
  }
  return judgement;
}

// Why so many replications decide nothing.
std::string rare_text(const MeanLimits& limits, std::size_t n) {
  return fmt::format("{} of {} replications say the same ({:.6g}): too few others for a mean",
                     n - limits.others, n, limits.common);
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return "holds";
    case Verdict::kFails: return "fails";
    case Verdict::kUndecided: return "undecided";
  }
  return "?";
}

bool is_exact(const Condition& condition) {
  return condition.relation == Relation::kEqual || condition.relation == Relation::kNotEqual;
}

Judgement judge(const Condition& condition, double confidence,
                const std::vector<std::vector<double>>& rows, int looks) {
  // Breaking is final and holding is not claimed before the last look: looks cost nothing here.
  if (is_exact(condition)) return judge_each(condition, confidence, rows);
  Judgement judgement{.n = rows.size(), .mean = kNan, .limits = {kNan, kNan}};
  judgement.why = condition.left.undefined(rows);
  if (!judgement.why.empty()) return judgement;
  const std::vector<double> values = condition.left.values(rows);
  judgement.mean = mean_estimate(values).mean;
  if (values.size() < 2) {
    judgement.why = "one replication has no spread";
    return judgement;
  }
  const MeanLimits limits = mean_limits(values, (1 - confidence) / looks, condition.range());
  judgement.limits = limits.ends;
  const bool low = condition.holds(limits.ends.low);
  const bool high = condition.holds(limits.ends.high);
  judgement.verdict = low == high ? (low ? Verdict::kHolds : Verdict::kFails) : Verdict::kUndecided;
  if (std::isinf(limits.ends.low)) {  // rare, and nothing is known of what it can be
    judgement.why = rare_text(limits, values.size());
  }
  return judgement;
}

tl::expected<std::vector<Expected>, std::vector<ExpectationProblem>> read_expectations(
    const Scenario& scenario, const std::vector<MetricName>& metrics) {
  std::vector<Expected> expected;
  std::vector<ExpectationProblem> problems;
  for (std::size_t i = 0; i < scenario.expect.size(); ++i) {
    auto condition = Condition::parse(scenario.expect[i].that, metrics, /*delta_allowed=*/false);
    if (condition) {
      expected.push_back({std::move(*condition), scenario.expect[i].confidence});
    } else {
      problems.push_back({i, std::move(condition.error())});
    }
  }
  if (!problems.empty()) return tl::unexpected(std::move(problems));
  return expected;
}

}  // namespace faultline
