#include "sim/report/sensitivity_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/csv.h"
#include "sim/report/format.h"
#include "sim/report/json_summary.h"
#include "sim/report/quantity_text.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;
using Align = Table::Align;

constexpr int kBarWidth = 10;  // of each side
constexpr std::size_t kMostPlaces = 10;

std::string place(const Assumption& assumption) {
  const Mark& mark = assumption.value.mark;
  return mark.source == nullptr ? "" : fmt::format("{}:{}", mark.source->name, mark.line);
}

std::string effect_text(const Effect& effect, Expression::Unit unit) {
  if (effect.never) return "none";
  return effect.tested() ? difference_text(unit, effect.mean, effect.interval) : "-";
}

// "    ##|#####": how far an assumption pulls the objective down and up.
std::string two_sided_bar(const Sensitivity& one, double largest) {
  const auto part = [&](double share) { return share > 0 ? bar(share / largest, kBarWidth) : ""; };
  const std::string down = part(-std::fmin(one.low.mean, one.high.mean));
  const std::string up = part(std::fmax(one.low.mean, one.high.mean));
  return std::string(kBarWidth - std::min<std::size_t>(kBarWidth, down.size()), ' ') + down + "|" +
         up;
}

// "1." of the next row.
std::string rank(const Table& table) { return fmt::format("{}.", table.rows.size() + 1); }

std::string share(double by) { return fmt::format("{:.6g}%", by * 100); }

Section headline(const SensitivityResults& results) {
  Section section;
  if (!results.remark.empty()) section.lines.push_back(results.remark);
  section.lines.push_back(fmt::format("{} is {} (95% CI, n={}).", results.objective.text(),
                                      estimate_text(results.objective.unit(), results.base),
                                      results.base.n));
  section.lines.push_back(
      fmt::format("Each assumption by {} down and up, everything else as it is. Effects are paired "
                  "differences under common random numbers; with 95% confidence, all of their "
                  "margins hold at once. An effect within its margin may be chance.",
                  share(results.by)));
  return section;
}

Section what_matters(const SensitivityResults& results) {
  Section section{.title = "What matters"};
  section.table.columns = {{"", Align::kRight},
                           {"assumption", Align::kLeft},
                           {"-" + share(results.by), Align::kRight},
                           {"+" + share(results.by), Align::kRight},
                           {"", Align::kLeft}};
  double largest = 0;
  for (const Sensitivity& one : results.tornado) {
    if (one.detectable()) {
      largest = std::fmax(largest, std::fmax(std::abs(one.low.mean), std::abs(one.high.mean)));
    }
  }
  const Expression::Unit unit = results.objective.unit();
  for (const Sensitivity& one : results.tornado) {
    if (!one.detectable()) continue;
    const Assumption& assumption = results.assumptions[one.index];
    section.table.rows.push_back({rank(section.table), assumption.path, effect_text(one.low, unit),
                                  effect_text(one.high, unit), two_sided_bar(one, largest)});
  }
  if (section.table.rows.empty()) {
    section.lines = {
        fmt::format("No assumption has a detectable effect on {}.", results.objective.text())};
  } else {
    section.lines = {"Of each, at least one effect is larger than its margin."};
  }
  return section;
}

// Where the first ones stand, and what is known of them.
Section to_measure(const SensitivityResults& results) {
  Section section{.title = "What to measure first"};
  section.table.columns = {{"", Align::kRight},
                           {"value", Align::kLeft},
                           {"place", Align::kLeft},
                           {"what is known", Align::kLeft}};
  for (const Sensitivity& one : results.tornado) {
    if (!one.detectable() || section.table.rows.size() == kMostPlaces) break;
    const Assumption& assumption = results.assumptions[one.index];
    section.table.rows.push_back({rank(section.table), one_line(assumption.value),
                                  place(assumption),
                                  assumption.why.empty() ? "-" : assumption.why});
  }
  return section;
}

// As far as the scenario allows it.
bool tested_both_ways(const Sensitivity& one) {
  const auto tested = [](const Effect& effect) { return effect.tested() || effect.refused; };
  return tested(one.low) && tested(one.high);
}

Section no_effect(const SensitivityResults& results) {
  Section section{.title = "No detectable effect"};
  section.table.columns = {
      {"assumption", Align::kLeft}, {"value", Align::kRight}, {"at most", Align::kRight}};
  std::vector<std::string> never;
  for (const Sensitivity& one : results.tornado) {
    if (one.detectable() || !one.tested()) continue;
    const Assumption& assumption = results.assumptions[one.index];
    double most = 0;
    for (const Interval& interval : {one.low.interval, one.high.interval}) {
      most = std::fmax(most, std::fmax(std::abs(interval.low), std::abs(interval.high)));
    }
    if (most == 0) {
      if (tested_both_ways(one)) never.push_back(assumption.path);
      continue;
    }
    std::string at_most = change_text(results.objective.unit(), most);
    if (at_most.front() == '+') at_most.erase(0, 1);
    section.table.rows.push_back({assumption.path, one_line(assumption.value), at_most});
  }
  if (!section.table.rows.empty()) {
    section.lines = {
        fmt::format("The noise of {} hides these; `at most` is how far one "
                    "could move {} unseen.",
                    counted(results.base.n, "replication"), results.objective.text())};
  }
  if (!never.empty()) {
    section.notes = {fmt::format("{} changed nothing in any replication: {}.",
                                 never.size() == 1 ? "One" : std::to_string(never.size()),
                                 fmt::join(never, ", "))};
  }
  return section;
}

// What an interruption left out.
Section not_tested(const SensitivityResults& results) {
  std::vector<std::string> neither;
  std::vector<std::string> not_down;
  std::vector<std::string> not_up;
  for (const Sensitivity& one : results.tornado) {
    const std::string& path = results.assumptions[one.index].path;
    if (!one.tested()) {
      neither.push_back(path);
    } else if (!tested_both_ways(one)) {
      (one.low.tested() ? not_up : not_down).push_back(path);
    }
  }
  Section section{.title = "Not tested"};
  const auto tell = [&](const char* what, const std::vector<std::string>& paths) {
    if (!paths.empty()) {
      section.lines.push_back(fmt::format("{}: {}.", what, fmt::join(paths, ", ")));
    }
  };
  tell("Fewer than two replications say anything, so nothing is known of", neither);
  tell("The same, moved down, of", not_down);
  tell("The same, moved up, of", not_up);
  return section;
}

Section skipped(const SensitivityResults& results) {
  Section section{.title = "Skipped"};
  section.table.columns = {{"assumption", Align::kLeft}, {"reason", Align::kLeft}};
  for (const auto& [assumption, reason] : results.skipped) {
    section.table.rows.push_back(
        {assumption.path, fmt::format("{} {}", one_line(assumption.value), reason)});
  }
  return section;
}

Json json_of(const Effect& effect, const Tree& value) {
  return {{"value", one_line(value)},
          {"mean", effect.mean},
          {"interval", {effect.interval.low, effect.interval.high}},
          {"n", effect.n}};
}

std::string detectable_text(const Sensitivity& one) {
  if (!one.tested()) return "";
  return one.detectable() ? "true" : "false";
}

}  // namespace

bool SensitivityResults::anything() const {
  return std::any_of(tornado.begin(), tornado.end(),
                     [](const Sensitivity& one) { return one.tested(); });
}

Document sensitivity_report(const SensitivityResults& results) {
  Document document{
      .title = fmt::format("{}: what {} depends on", results.scenario, results.objective.text())};
  document.sections = {headline(results), what_matters(results)};
  for (Section section :
       {to_measure(results), no_effect(results), not_tested(results), skipped(results)}) {
    if (!section.lines.empty() || !section.table.rows.empty() || !section.notes.empty()) {
      document.sections.push_back(std::move(section));
    }
  }
  return document;
}

std::string sensitivity_json(const SensitivityResults& results) {
  Json differences = Json::array();
  for (const Sensitivity& one : results.tornado) {
    const Assumption& assumption = results.assumptions[one.index];
    differences.push_back({{"path", assumption.path},
                           {"place", place(assumption)},
                           {"why", assumption.why},
                           {"value", one_line(assumption.value)},
                           {"swing", one.tested() ? Json(one.swing) : Json(nullptr)},
                           {"detectable", one.tested() ? Json(one.detectable()) : Json(nullptr)},
                           {"low", json_of(one.low, assumption.low)},
                           {"high", json_of(one.high, assumption.high)}});
  }
  Json skipped = Json::array();
  for (const auto& [assumption, reason] : results.skipped) {
    skipped.push_back({{"path", assumption.path},
                       {"place", place(assumption)},
                       {"value", one_line(assumption.value)},
                       {"reason", reason}});
  }
  const Interval interval = results.base.interval(results.confidence);
  const Json report = {
      {"schema_version", kJsonSchemaVersion},
      {"tool", "faultline"},
      {"experiment", "sensitivity"},
      {"scenario", results.scenario},
      {"seed", results.seed},
      {"replications", results.replications},
      {"remark", text_unless_empty(results.remark)},
      {"objective", results.objective.text()},
      {"by", results.by},
      {"confidence", results.confidence},
      {"base", {{"mean", results.base.mean}, {"ci95", {interval.low, interval.high}}}},
      {"differences", std::move(differences)},
      {"skipped", std::move(skipped)}};
  return json_text(report);
}

std::string sensitivity_csv(const SensitivityResults& results) {
  std::string csv =
      csv_row({"path", "place", "value", "low_value", "high_value", "low_mean", "low_interval_low",
               "low_interval_high", "high_mean", "high_interval_low", "high_interval_high", "swing",
               "detectable", "skipped"});
  for (const Sensitivity& one : results.tornado) {
    const Assumption& assumption = results.assumptions[one.index];
    csv += csv_row({assumption.path, place(assumption), one_line(assumption.value),
                    one_line(assumption.low), one_line(assumption.high), csv_number(one.low.mean),
                    csv_number(one.low.interval.low), csv_number(one.low.interval.high),
                    csv_number(one.high.mean), csv_number(one.high.interval.low),
                    csv_number(one.high.interval.high), one.tested() ? csv_number(one.swing) : "",
                    detectable_text(one), ""});
  }
  for (const auto& [assumption, reason] : results.skipped) {
    csv += csv_row({assumption.path, place(assumption), one_line(assumption.value), "", "", "", "",
                    "", "", "", "", "", "", reason});
  }
  return csv;
}

}  // namespace faultline
