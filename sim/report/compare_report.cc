#include "sim/report/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/lab/expression/metric_direction.h"
#include "sim/lab/expression/metric_reference.h"
#include "sim/report/format.h"
#include "sim/report/quantity_text.h"
#include "sim/report/threshold_section.h"
#include "sim/scenario/suggest.h"

namespace faultline {
namespace {

using Align = Table::Align;

constexpr std::size_t kMostNames = 12;
constexpr std::size_t kLongestValue = 40;
constexpr double kLeastShare = 1e-5;  // a difference below is not worth a line

std::string shortened(const std::optional<std::string>& value) {
  if (!value) return "(not there)";
  if (value->size() <= kLongestValue) return *value;
  return value->substr(0, kLongestValue - 3) + "...";
}

// "better", "worse", or which way it went, where neither is the case.
std::string judged(const Difference& difference, Direction direction) {
  if (difference.finding != Finding::kHigher && difference.finding != Finding::kLower) return "";
  const bool higher = difference.finding == Finding::kHigher;
  if (direction == Direction::kNeither) return higher ? "more" : "fewer";
  return higher == (direction == Direction::kLargerIsBetter) ? "better" : "worse";
}

Direction direction(const Question& question) {
  return question.larger_is_better ? Direction::kLargerIsBetter : Direction::kSmallerIsBetter;
}

std::string verdict_line(const ComparedCandidate& candidate, Expression::Unit unit,
                         const std::string& by) {
  const Difference& difference = candidate.comparison.by;
  const auto change = [&] { return difference_text(unit, difference.paired.difference); };
  switch (difference.finding) {
    case Finding::kUnknown:
      return fmt::format("{}: nothing can be said: too few replications say something about it.",
                         by);
    case Finding::kSame:
      return fmt::format("{}: the same in every replication, {}.", by,
                         estimate_text(unit, difference.baseline));
    case Finding::kUndetected:
      return fmt::format("{}: no detectable difference: {} - A is {} (95% CI, n={}).", by,
                         candidate.name, change(), difference.baseline.n);
    default:
      return fmt::format("{}: {} is {}, {} (95% CI, n={}): {} with A, {} with {}.", by,
                         candidate.name, judged(difference, direction(candidate.question)),
                         change(), difference.baseline.n,
                         value_text(difference.baseline.mean, unit),
                         value_text(difference.candidate.mean, unit), candidate.name);
  }
}

// What the pairing was worth, where it was worth anything.
std::optional<std::string> pairing_line(const Comparison& comparison) {
  const double ratio = comparison.by.paired.variance_ratio;
  if (!(ratio > 0 && ratio < 0.5)) return std::nullopt;
  return fmt::format(
      "The same faults strike both: without that, this interval would take {} times as many "
      "replications.",
      number(1 / ratio, 1 / ratio < 10 ? 1 : 0));
}

Section points(const CompareResults& results) {
  Section section;
  if (!results.remark.empty()) section.lines.push_back(results.remark);
  section.table.columns = {{"", Align::kLeft}, {"", Align::kLeft}};
  for (std::size_t p = 0; p <= results.candidates.size(); ++p) {
    section.table.rows.push_back({CompareResults::letter(p), results.point(p).label()});
  }
  if (results.candidates.size() == 1) {
    const ComparedCandidate& candidate = results.candidates.front();
    section.notes.push_back(verdict_line(candidate, results.unit(), results.title()));
    if (const auto line = pairing_line(candidate.comparison)) section.notes.push_back(*line);
  }
  if (results.stopping) section.notes.push_back(*results.stopping);
  return section;
}

Section ranking(const CompareResults& results, const Ranking& ranking) {
  Section section{.title = fmt::format("Ranked by {}", results.title())};
  section.table.columns = {{"", Align::kLeft},
                           {"point", Align::kLeft},
                           {results.title(), Align::kRight},
                           {"to the best other one", Align::kRight},
                           {"may be the best", Align::kLeft}};
  std::vector<std::string> best;
  for (const std::size_t p : ranking.selection.ranked) {
    const std::string name = CompareResults::letter(p);
    const bool may_be = ranking.selection.may_be_best[p];
    if (may_be) best.push_back(name);
    section.table.rows.push_back(
        {name, results.point(p).label(), estimate_text(results.unit(), ranking.estimates[p]),
         interval_text(results.unit(), ranking.selection.to_best_other[p], true),
         may_be ? "yes" : "no"});
  }
  section.notes.push_back(
      fmt::format("The best is {}, with at least 95% confidence.", join_names(best)));
  section.notes.push_back(fmt::format(
      "Procedure: {}; all intervals hold at once; above 0 is better.", kSelectionProcedure));
  return section;
}

Section what_changes(const ComparedCandidate& candidate) {
  Section section{.title = fmt::format("What {} changes", candidate.name)};
  if (candidate.changes.empty()) {
    section.lines = {"Nothing: both are the same scenario."};
    return section;
  }
  section.table.columns = {
      {"field", Align::kLeft}, {"A", Align::kLeft}, {candidate.name, Align::kLeft}};
  for (const FieldChange& change : candidate.changes) {
    section.table.rows.push_back({change.path, shortened(change.from), shortened(change.to)});
  }
  return section;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

// Why so few replications show nothing, if they are too few.
std::optional<std::string> too_few(const Comparison& comparison) {
  switch (comparison.replications.size()) {
    case 0: return "No replication of both is there, so nothing can be said";
    case 1: return "One replication has no spread, so nothing can be said";
    default: return std::nullopt;
  }
}

Section what_it_does(const ComparedCandidate& candidate) {
  const Comparison& comparison = candidate.comparison;
  Section section{.title = fmt::format("What {} does", candidate.name)};
  if (const auto why = too_few(comparison)) {
    section.lines = {*why + " of any metric."};
    return section;
  }
  section.table.columns = {{"metric", Align::kLeft},
                           {"A", Align::kRight},
                           {candidate.name, Align::kRight},
                           {candidate.name + " - A", Align::kRight},
                           {"", Align::kLeft}};
  std::vector<std::string> undetected;
  std::vector<std::string> invisible;
  std::size_t same = 0;
  for (std::size_t m = 0; m < comparison.metrics.size(); ++m) {
    const Difference& difference = comparison.metrics[m];
    const std::string name = short_name(comparison.names[m], comparison.names);
    if (difference.finding == Finding::kUndetected) undetected.push_back(name);
    if (difference.finding == Finding::kSame) ++same;
    const std::string word = judged(difference, direction_of(comparison.names[m]));
    if (word.empty()) continue;
    const Expression::Unit unit = unit_of(comparison.names[m]);
    if (unit == Expression::Unit::kRatio &&
        std::abs(difference.paired.difference.mean) < kLeastShare) {
      invisible.push_back(name);
      continue;
    }
    section.table.rows.push_back({name, value_text(difference.baseline.mean, unit),
                                  value_text(difference.candidate.mean, unit),
                                  difference_text(unit, difference.paired.difference), word});
  }
  if (section.table.rows.empty()) {
    section.table.columns.clear();
    section.lines.push_back("No metric shows a difference.");
  }
  if (!invisible.empty()) {
    section.notes.push_back(fmt::format("Less than 0.001 pp in {}.", listed(invisible)));
  }
  if (!undetected.empty()) {
    section.notes.push_back(fmt::format("No detectable difference in {}.", listed(undetected)));
  }
  if (same > 0) {
    section.notes.push_back(fmt::format("{} metric{} the same in every replication.", same,
                                        same == 1 ? " is" : "s are"));
  }
  const std::size_t compared = comparison.metrics.size() - same;
  if (compared >= 20) {
    section.notes.push_back(fmt::format(
        "Each interval holds with 95% by itself: if nothing differed in {} metrics, about {} would "
        "show by chance.",
        compared, number(0.05 * static_cast<double>(compared), 0)));
  }
  for (const auto& [names, whose] : {std::pair{&comparison.only_baseline, std::string("A")},
                                     {&comparison.only_candidate, candidate.name}}) {
    if (!names->empty()) {
      section.notes.push_back(fmt::format("Only {} has {}.", whose, listed(*names)));
    }
  }
  return section;
}

Section hazards(const ComparedCandidate& candidate) {
  const Comparison& comparison = candidate.comparison;
  Section section{.title = fmt::format("Hazards that {} adds", candidate.name)};
  section.table.columns = {{"hazard", Align::kLeft},      {"", Align::kLeft},
                           {"in runs, A", Align::kRight}, {candidate.name, Align::kRight},
                           {"mean, A", Align::kRight},    {candidate.name, Align::kRight},
                           {"worst, A", Align::kRight},   {candidate.name, Align::kRight},
                           {"in run", Align::kRight}};
  for (const Hazard& hazard : comparison.hazards) {
    if (hazard.change == Hazard::Change::kNone) continue;
    const MetricName& name = comparison.names[hazard.metric];
    const Expression::Unit unit = unit_of(name);
    const Difference& difference = comparison.metrics[hazard.metric];
    section.table.rows.push_back(
        {short_name(name, comparison.names),
         hazard.change == Hazard::Change::kNew ? "new" : "grows",
         std::to_string(hazard.baseline_runs), std::to_string(hazard.candidate_runs),
         value_text(difference.baseline.mean, unit), value_text(difference.candidate.mean, unit),
         value_text(hazard.baseline_worst, unit), value_text(hazard.candidate_worst, unit),
         std::to_string(hazard.worst_replication)});
  }
  if (section.table.rows.empty()) {
    section.table.columns.clear();
    const auto why = too_few(comparison);
    section.lines = {why ? *why + " of them."
                         : "None that shows: gate blocks, needless replacements, the most nodes "
                           "unhealthy at once "
                           "and stock-outs do not grow."};
  }
  return section;
}

Section worst(const CompareResults& results, const ComparedCandidate& candidate) {
  const Comparison& comparison = candidate.comparison;
  Section section{.title = fmt::format("Where {} does worst against A", candidate.name)};
  if (comparison.worst.empty()) {
    section.lines = {fmt::format("In no replication is {} worse than A by {}.", candidate.name,
                                 results.title())};
  }
  for (std::size_t i = 0; i < comparison.worst.size(); ++i) {
    const std::size_t row = comparison.worst[i];
    const double before = comparison.by_baseline[row];
    const double after = comparison.by_candidate[row];
    section.lines.push_back(fmt::format(
        "Replication {}: {} {} with A, {} with {} ({}). {}", comparison.replications[row],
        results.title(), value_text(before, results.unit()), value_text(after, results.unit()),
        candidate.name, change_text(results.unit(), after - before), candidate.stories[i]));
  }
  return section;
}

}  // namespace

Document compare_report(const CompareResults& results) {
  Document document{.title =
                        fmt::format("{} compared with {}", results.baseline->label(),
                                    results.candidates.size() == 1
                                        ? results.candidates.front().point->label()
                                        : fmt::format("{} candidates", results.candidates.size()))};
  const auto add = [&](Section section) { document.sections.push_back(std::move(section)); };
  add(points(results));
  if (results.ranking) add(ranking(results, *results.ranking));
  if (!results.candidates.front().comparison.thresholds.empty()) add(threshold_section(results));
  for (const ComparedCandidate& candidate : results.candidates) {
    add(what_changes(candidate));
    if (candidate.changes.empty()) continue;
    Section differences = what_it_does(candidate);
    if (results.candidates.size() > 1) {
      differences.lines.insert(differences.lines.begin(),
                               verdict_line(candidate, results.unit(), results.title()));
    }
    add(std::move(differences));
    add(hazards(candidate));
    add(worst(results, candidate));
  }
  return document;
}

}  // namespace faultline
