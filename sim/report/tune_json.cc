#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/report/csv.h"
#include "sim/report/json_summary.h"
#include "sim/report/tune_report.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kConfidence = 0.95;

Json json_of(const MeanEstimate& estimate, double confidence) {
  return {{"mean", estimate.mean}, {"ci95", json_of(estimate.interval(confidence))}};
}

const char* unit_name(Objective::Unit unit) {
  switch (unit) {
    case Objective::Unit::kRatio: return "ratio";
    case Objective::Unit::kSeconds: return "seconds";
    case Objective::Unit::kGpuHours: return "gpu_hours";
    case Objective::Unit::kPlain: break;
  }
  return "";
}

const char* feasible_name(Feasibility feasible) {
  switch (feasible) {
    case Feasibility::kMet: return "yes";
    case Feasibility::kFailed: return "no";
    case Feasibility::kUnknown: break;
  }
  return "unknown";
}

// The settings of a point of the grid; of the present setting: none.
std::vector<std::size_t> combination(const TuneReport& report, std::size_t i) {
  return i < report.results.grid ? grid(report.knobs)[i] : std::vector<std::size_t>{};
}

Json settings_of(const TuneReport& report, const std::vector<std::size_t>& values) {
  Json settings = Json::object();
  for (std::size_t k = 0; k < values.size(); ++k) {
    settings[report.knobs[k].path] = report.knobs[k].values[values[k]];
  }
  return settings;
}

Json differences_of(const TuneReport& report, std::size_t i) {
  const TunedPoint& point = report.results.points[i];
  const double confidence = report.results.difference_confidence;
  return {{"behind", json_of(point.behind, confidence)},
          {"more_gpu_hours", json_of(point.gpu_hours, confidence)},
          {"more_needless_replacements", json_of(point.more_needless, confidence)}};
}

Json point_of(const TuneReport& report, std::size_t i, const std::vector<std::size_t>& values) {
  const TunedPoint& point = report.results.points[i];
  Json json = {{"label", report.points[i].point->label()},
               {"settings", settings_of(report, values)},
               {"standing", standing_name(report.results, i)},
               {"feasible", feasible_name(point.feasible)},
               {"pareto", point.pareto},
               {"n", point.replications},
               {"objective", json_of(point.level, kConfidence)},
               {"precise", point.precise}};
  json.update(differences_of(report, i));
  json["metrics"] = {{"ettr_ratio", point.ettr},
                     {"replacements_total", point.replacements},
                     {"needless_replacements_total", point.needless}};
  json["conditions"] = Json::array();
  for (const MeanEstimate& left : point.conditions) {
    json["conditions"].push_back(json_of(left, kConfidence));
  }
  return json;
}

Json recommendation_of(const TuneReport& report) {
  if (!report.results.recommended) return nullptr;
  const std::size_t best = *report.results.recommended;
  Json zone = Json::array();
  for (std::size_t i = 0; i < report.results.grid; ++i) {
    if (report.results.points[i].contest.standing == PointStanding::kContender) {
      zone.push_back(report.points[i].point->label());
    }
  }
  return {{"label", report.points[best].point->label()},
          {"settings", settings_of(report, combination(report, best))},
          {"decided", report.results.decided},
          {"zone", std::move(zone)}};
}

}  // namespace

std::string tune_json(const TuneReport& report) {
  const TuneResults& results = report.results;
  Json knobs = Json::array();
  for (const Knob& knob : report.knobs) {
    knobs.push_back({{"path", knob.path}, {"values", knob.values}});
  }
  Json subject_to = Json::array();
  for (const Condition& condition : report.points.front().conditions) {
    subject_to.push_back(condition.text);
  }
  Json points = Json::array();
  const auto combinations = grid(report.knobs);
  for (std::size_t i = 0; i < results.grid; ++i) {
    points.push_back(point_of(report, i, combinations[i]));
  }
  Json present = nullptr;
  if (results.present) {
    present = {{"label", report.points[*results.present].point->label()}};
    present.update(differences_of(report, *results.present));
  }
  const Objective& objective = report.objective();
  const Json json = {{"schema_version", kJsonSchemaVersion},
                     {"tool", "faultline"},
                     {"experiment", "tune"},
                     {"scenario", report.scenario().name},
                     {"seed", report.seed},
                     {"replications", results.replications},
                     {"finished", results.finished},
                     {"objective",
                      {{"text", objective.text()},
                       {"goal", objective.larger_is_better() ? "max" : "min"},
                       {"unit", unit_name(objective.unit())}}},
                     {"precision", results.precision},
                     {"knobs", std::move(knobs)},
                     {"subject_to", std::move(subject_to)},
                     {"points", std::move(points)},
                     {"recommendation", recommendation_of(report)},
                     {"differences", {{"present", std::move(present)}}},
                     {"procedure", kEliminationProcedure}};
  return json_text(json);
}

std::string tune_csv(const TuneReport& report) {
  std::vector<std::string> names;
  for (const Knob& knob : report.knobs) names.push_back(csv_text(knob.path));
  for (const char* name : {"n", "objective", "objective_low", "objective_high", "standing",
                           "feasible", "pareto", "behind", "more_gpu_hours", "ettr_ratio",
                           "replacements_total", "needless_replacements_total"}) {
    names.emplace_back(name);
  }
  std::string csv = fmt::format("{}\n", fmt::join(names, ","));
  const auto combinations = grid(report.knobs);
  for (std::size_t i = 0; i < report.results.grid; ++i) {
    const TunedPoint& point = report.results.points[i];
    const Interval band = point.level.interval(kConfidence);
    std::vector<std::string> row;
    for (std::size_t k = 0; k < report.knobs.size(); ++k) {
      row.push_back(csv_text(report.knobs[k].values[combinations[i][k]]));
    }
    row.push_back(std::to_string(point.replications));
    for (const double value : {point.level.mean, band.low, band.high}) {
      row.push_back(csv_number(value));
    }
    row.emplace_back(standing_name(report.results, i));
    row.emplace_back(feasible_name(point.feasible));
    row.emplace_back(point.pareto ? "yes" : "no");
    for (const double value : {point.behind.mean, point.gpu_hours.mean, point.ettr,
                               point.replacements, point.needless}) {
      row.push_back(csv_number(value));
    }
    csv += fmt::format("{}\n", fmt::join(row, ","));
  }
  return csv;
}

}  // namespace faultline
