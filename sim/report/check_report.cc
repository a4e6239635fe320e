#include "sim/report/check_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/csv.h"
#include "sim/report/format.h"
#include "sim/report/json_summary.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;
using Align = Table::Align;

// "2 hold, 1 fails"; verdicts that nobody got are left out.
std::string verdicts(const std::vector<Judgement>& judgements) {
  std::string text;
  for (const Verdict verdict : {Verdict::kHolds, Verdict::kFails, Verdict::kUndecided}) {
    std::size_t n = 0;
    for (const Judgement& judgement : judgements) n += judgement.verdict == verdict ? 1 : 0;
    if (n == 0) continue;
    std::string word(to_string(verdict));
    if (n > 1 && verdict != Verdict::kUndecided) word.pop_back();
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, word);
  }
  return text.empty() ? "nothing is expected" : text;
}

// What stands behind a verdict.
std::string evidence(const Condition& condition, const Judgement& judgement) {
  if (!judgement.why.empty()) return judgement.why;
  if (is_exact(condition)) {
    if (judgement.broken > 0) {
      return fmt::format("broken by {} of {}", number(static_cast<double>(judgement.broken), 0),
                         number(static_cast<double>(judgement.n), 0));
    }
    return fmt::format("kept by all {}; at most {} break it",
                       number(static_cast<double>(judgement.n), 0),
                       percent(judgement.break_chance, 2));
  }
  const Expression::Unit unit = condition.left.unit();
  const std::string low = value_text(judgement.limits.low, unit);
  const std::string high = value_text(judgement.limits.high, unit);
  if (judgement.verdict == Verdict::kUndecided) return fmt::format("from {} to {}", low, high);
  const bool wants_more =
      condition.relation == Relation::kGreaterEqual || condition.relation == Relation::kGreater;
  const bool low_decides = wants_more == (judgement.verdict == Verdict::kHolds);
  return low_decides ? "at least " + low : "at most " + high;
}

}  // namespace

std::size_t CheckResults::count(Verdict verdict) const {
  std::size_t n = 0;
  for (const CheckedScenario& scenario : scenarios) {
    for (const Judgement& judgement : scenario.judgements) n += judgement.verdict == verdict;
  }
  return n;
}

Document check_report(const CheckResults& results) {
  std::vector<Judgement> all;
  for (const CheckedScenario& scenario : results.scenarios) {
    all.insert(all.end(), scenario.judgements.begin(), scenario.judgements.end());
  }
  Document document{.title = "Expectations: " + verdicts(all)};
  if (!results.remark.empty())
    document.sections.push_back({.title = "", .lines = {results.remark}});
  for (const CheckedScenario& scenario : results.scenarios) {
    Section section{.title = fmt::format("{}: {}", scenario.name, verdicts(scenario.judgements))};
    if (scenario.expected.empty()) {
      section.lines = {"The scenario has no `expect:` block."};
      document.sections.push_back(std::move(section));
      continue;
    }
    section.table.columns = {{"verdict", Align::kLeft},
                             {"expectation", Align::kLeft},
                             {"confidence", Align::kRight},
                             {"mean", Align::kRight},
                             {"", Align::kLeft}};
    for (std::size_t i = 0; i < scenario.expected.size(); ++i) {
      const auto& [condition, confidence] = scenario.expected[i];
      const Judgement& judgement = scenario.judgements[i];
      section.table.rows.push_back({std::string(to_string(judgement.verdict)), condition.text,
                                    fmt::format("{:.6g}%", confidence * 100),
                                    value_text(judgement.mean, condition.left.unit()),
                                    evidence(condition, judgement)});
    }
    section.notes.push_back(
        fmt::format("{}, seed {}.", counted(scenario.replications, "replication"), results.seed));
    document.sections.push_back(std::move(section));
  }
  if (results.count(Verdict::kUndecided) > 0) {
    document.sections.push_back(
        {.title = "",
         .lines = {"Undecided: the bound lies within the noise of the mean. More replications "
                   "(--reps) narrow it; an undecided expectation counts as not kept."}});
  }
  return document;
}

std::string check_json(const CheckResults& results) {
  Json points = Json::array();
  for (const CheckedScenario& scenario : results.scenarios) {
    Json expectations = Json::array();
    for (std::size_t i = 0; i < scenario.expected.size(); ++i) {
      const auto& [condition, confidence] = scenario.expected[i];
      const Judgement& judgement = scenario.judgements[i];
      Json entry = {{"that", condition.text},
                    {"confidence", confidence},
                    {"verdict", to_string(judgement.verdict)},
                    {"n", judgement.n},
                    {"mean", judgement.mean}};
      if (is_exact(condition)) {
        entry["broken"] = judgement.broken;
        entry["break_chance"] =
            judgement.verdict == Verdict::kHolds ? Json(judgement.break_chance) : Json(nullptr);
      } else {
        entry["limits"] = {judgement.limits.low, judgement.limits.high};
      }
      if (!judgement.why.empty()) entry["why"] = judgement.why;
      expectations.push_back(std::move(entry));
    }
    points.push_back({{"scenario", scenario.name},
                      {"replications", scenario.replications},
                      {"expectations", std::move(expectations)}});
  }
  const Json report = {{"schema_version", kJsonSchemaVersion},
                       {"tool", "faultline"},
                       {"experiment", "check"},
                       {"seed", results.seed},
                       {"remark", text_unless_empty(results.remark)},
                       {"holds", results.count(Verdict::kHolds)},
                       {"fails", results.count(Verdict::kFails)},
                       {"undecided", results.count(Verdict::kUndecided)},
                       {"points", std::move(points)}};
  return json_text(report);
}

std::string check_csv(const CheckResults& results) {
  std::string csv = csv_row({"scenario", "that", "confidence", "verdict", "n", "mean", "low",
                             "high", "broken", "break_chance"});
  for (const CheckedScenario& scenario : results.scenarios) {
    for (std::size_t i = 0; i < scenario.expected.size(); ++i) {
      const auto& [condition, confidence] = scenario.expected[i];
      const Judgement& judgement = scenario.judgements[i];
      const bool exact = is_exact(condition);
      const bool kept = exact && judgement.verdict == Verdict::kHolds;
      csv +=
          csv_row({scenario.name, condition.text, csv_number(confidence),
                   std::string(to_string(judgement.verdict)), std::to_string(judgement.n),
                   csv_number(judgement.mean), csv_number(judgement.limits.low),
                   csv_number(judgement.limits.high), exact ? std::to_string(judgement.broken) : "",
                   kept ? csv_number(judgement.break_chance) : ""});
    }
  }
  return csv;
}

}  // namespace faultline
