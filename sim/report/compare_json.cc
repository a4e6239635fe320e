#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/compare_report.h"
#include "sim/report/csv.h"
#include "sim/report/json_summary.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const MeanEstimate& estimate) {
  return {{"mean", estimate.mean},
          {"ci95", json_of(estimate.interval(kCompareConfidence))},
          {"n", estimate.n}};
}

Json json_of(const Difference& difference) {
  return {{"baseline", difference.baseline.mean},
          {"candidate", difference.candidate.mean},
          {"difference", difference.paired.difference.mean},
          {"ci95", json_of(difference.interval())},
          {"n", difference.baseline.n},
          {"variance_ratio", difference.paired.variance_ratio},
          {"verdict", to_string(difference.finding)}};
}

Json text_or_null(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json(nullptr);
}

Json point_of(const CompareResults& results, std::size_t p) {
  const Point& point = results.point(p);
  // A metric's estimate is the same in every pair, as long as the pairs have the same replications.
  const Comparison& comparison = results.candidates[p == 0 ? 0 : p - 1].comparison;
  Json metrics = Json::object();
  for (std::size_t m = 0; m < comparison.names.size(); ++m) {
    const Difference& difference = comparison.metrics[m];
    metrics[comparison.names[m].text()] =
        json_of(p == 0 ? difference.baseline : difference.candidate);
  }
  return {{"name", CompareResults::letter(p)},
          {"label", point.label()},
          {"scenario", point.scenario().name},
          {"settings", point.settings()},
          {"hash", point.hash()},
          {"metrics", metrics}};
}

std::string_view to_string(Hazard::Change change) {
  switch (change) {
    case Hazard::Change::kNone: return "none";
    case Hazard::Change::kNew: return "new";
    case Hazard::Change::kGrows: return "grows";
  }
  return "?";
}

Json hazards_of(const Comparison& comparison) {
  Json hazards = Json::array();
  for (const Hazard& hazard : comparison.hazards) {
    hazards.push_back(
        {{"metric", comparison.names[hazard.metric].text()},
         {"change", to_string(hazard.change)},
         {"baseline_runs", hazard.baseline_runs},
         {"candidate_runs", hazard.candidate_runs},
         {"baseline_worst", hazard.baseline_worst},
         {"candidate_worst", hazard.candidate_worst},
         {"worst_replication",
          hazard.candidate_worst > 0 ? Json(hazard.worst_replication) : Json(nullptr)}});
  }
  return hazards;
}

Json worst_of(const ComparedCandidate& candidate) {
  const Comparison& comparison = candidate.comparison;
  Json worst = Json::array();
  for (std::size_t i = 0; i < comparison.worst.size(); ++i) {
    const std::size_t row = comparison.worst[i];
    const double before = comparison.by_baseline[row];
    const double after = comparison.by_candidate[row];
    worst.push_back({{"replication", comparison.replications[row]},
                     {"baseline", before},
                     {"candidate", after},
                     {"difference", after - before},
                     {"reason", candidate.stories[i]}});
  }
  return worst;
}

Json thresholds_of(const Comparison& comparison) {
  Json thresholds = Json::array();
  for (const ThresholdResult& threshold : comparison.thresholds) {
    thresholds.push_back({{"condition", threshold.condition.text},
                          {"value", threshold.estimate.mean},
                          {"ci95", json_of(threshold.interval)},
                          {"outcome", outcome(threshold)}});
  }
  return thresholds;
}

Json difference_of(const ComparedCandidate& candidate) {
  const Comparison& comparison = candidate.comparison;
  Json changes = Json::array();
  for (const FieldChange& change : candidate.changes) {
    changes.push_back({{"path", change.path},
                       {"from", text_or_null(change.from)},
                       {"to", text_or_null(change.to)}});
  }
  Json metrics = Json::object();
  for (std::size_t m = 0; m < comparison.names.size(); ++m) {
    metrics[comparison.names[m].text()] = json_of(comparison.metrics[m]);
  }
  return {{"name", candidate.name},
          {"replications", comparison.replications.size()},
          {"changes", changes},
          {"by", json_of(comparison.by)},
          {"metrics", metrics},
          {"only_baseline", comparison.only_baseline},
          {"only_candidate", comparison.only_candidate},
          {"hazards", hazards_of(comparison)},
          {"worst", worst_of(candidate)},
          {"thresholds", thresholds_of(comparison)}};
}

Json recommendation_of(const CompareResults& results) {
  if (!results.ranking) return nullptr;
  const Selection& selection = results.ranking->selection;
  Json best = Json::array();
  Json ranked = Json::array();
  for (const std::size_t p : selection.ranked) {
    const MeanEstimate& estimate = results.ranking->estimates[p];
    if (selection.may_be_best[p]) best.push_back(CompareResults::letter(p));
    ranked.push_back({{"name", CompareResults::letter(p)},
                      {"mean", estimate.mean},
                      {"ci95", json_of(estimate.interval(kCompareConfidence))},
                      {"may_be_best", bool(selection.may_be_best[p])},
                      {"to_best_other", json_of(selection.to_best_other[p])}});
  }
  return {{"procedure", kSelectionProcedure}, {"best", best}, {"ranked", ranked}};
}

}  // namespace

std::string compare_json(const CompareResults& results) {
  Json points = Json::array();
  for (std::size_t p = 0; p <= results.candidates.size(); ++p) {
    points.push_back(point_of(results, p));
  }
  Json differences = Json::array();
  std::size_t replications = results.requested;
  for (const ComparedCandidate& candidate : results.candidates) {
    replications = std::min(replications, candidate.comparison.replications.size());
    differences.push_back(difference_of(candidate));
  }
  const Json report = {{"schema_version", kJsonSchemaVersion},
                       {"tool", "faultline"},
                       {"experiment", "compare"},
                       {"scenario", results.baseline->scenario().name},
                       {"seed", results.seed},
                       {"replications", replications},
                       {"requested", results.requested},
                       {"remark", text_unless_empty(results.remark)},
                       {"stopping", text_or_null(results.stopping)},
                       {"by", results.by()},
                       {"confidence", kCompareConfidence},
                       {"points", points},
                       {"differences", differences},
                       {"recommendation", recommendation_of(results)}};
  return json_text(report);
}

std::string compare_csv(const CompareResults& results) {
  std::string text =
      "candidate,label,metric,baseline,candidate_mean,difference,ci95_low,ci95_high,n,"
      "variance_ratio,verdict\n";
  for (const ComparedCandidate& candidate : results.candidates) {
    const Comparison& comparison = candidate.comparison;
    const auto row = [&](const std::string& name, const Difference& difference) {
      const Interval interval = difference.interval();
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{}\n", candidate.name, csv_text(candidate.point->label()),
          csv_text(name), csv_number(difference.baseline.mean),
          csv_number(difference.candidate.mean), csv_number(difference.paired.difference.mean),
          csv_number(interval.low), csv_number(interval.high), difference.baseline.n,
          csv_number(difference.paired.variance_ratio), to_string(difference.finding));
    };
    if (!candidate.question.by.metric()) row(results.by(), comparison.by);
    for (std::size_t m = 0; m < comparison.names.size(); ++m) {
      row(comparison.names[m].text(), comparison.metrics[m]);
    }
  }
  return text;
}

}  // namespace faultline
