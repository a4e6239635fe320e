#include "sim/report/run_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/csv.h"
#include "sim/report/format.h"
#include "sim/report/repair_sections.h"
#include "sim/report/shop_sections.h"
#include "sim/report/stall_sections.h"
#include "sim/report/step_sections.h"
#include "sim/report/stopping_text.h"

namespace faultline {
namespace {

using Index = MetricIndex;
using Align = Table::Align;

constexpr double kHour = 3600;
constexpr int kBarWidth = 40;

Section headline(const RunResults& results) {
  const Summary& ettr = results.of(Index::kEttr);
  const double stops = results.of(Index::kInterruptions).mean;
  Section section;
  section.table.columns = {{"", Align::kLeft}, {"", Align::kLeft}, {"", Align::kLeft}};
  section.table.rows = {
      {"ETTR", percent_with_margin(ettr),
       ettr.n == 1 ? "of the jobs' time was kept work (one run)"
                   : fmt::format("of the jobs' time was kept work (95% CI, n={}; runs: {} to {})",
                                 ettr.n, percent(ettr.p5), percent(ettr.p95))},
      {"Goodput", percent_with_margin(results.of(Index::kGoodput)),
       "of all GPU time owned, spares included"},
      {"Interruptions", with_margin(results.of(Index::kInterruptions)),
       stops > 0 ? fmt::format("unexpected, one every {}", brief(results.run_seconds() / stops))
                 : "unexpected"}};
  if (happened(results.of(Index::kWhileDown))) {
    section.table.rows.push_back({"", with_margin(results.of(Index::kWhileDown)),
                                  "of these met a job that was down already"});
  }
  if (happened(results.of(Index::kPlanned))) {
    section.table.rows.push_back(
        {"", with_margin(results.of(Index::kPlanned)), "more were planned maintenance"});
  }
  if (happened(results.of(Index::kByRepair))) {
    section.table.rows.push_back({"", with_margin(results.of(Index::kByRepair)),
                                  "more were repairs that took a node from a running job"});
  }
  if (happened(results.of(Index::kEvictions))) {
    section.table.rows.push_back(
        {"", with_margin(results.of(Index::kEvictions)),
         "more were evictions from nodes that were unreachable for too long"});
  }
  if (results.replications() < results.table.requested && !results.table.stopping) {
    section.notes.push_back(fmt::format("{} of {} replications are here.",
                                        number(static_cast<double>(results.replications()), 0),
                                        number(static_cast<double>(results.table.requested), 0)));
  }
  if (results.replications() == 1) {
    section.notes.push_back("One replication gives no confidence interval: use --reps.");
  }
  if (const auto& stopping = results.table.stopping) {
    section.notes.push_back(stopping_text(*stopping, "ETTR", Expression::Unit::kRatio));
  }
  return section;
}

Section where_the_time_went(const RunResults& results) {
  Section section{.title = "Where the time went"};
  section.table.columns = {{"account", Align::kLeft},
                           {"share", Align::kRight},
                           {"hours", Align::kRight},
                           {"", Align::kLeft}};
  double largest = 0;
  for (std::size_t a = 1; a < kAccounts; ++a) {
    largest = std::max(largest, results.lost(static_cast<Account>(a)).mean);
  }
  for (std::size_t a = 0; a < kAccounts; ++a) {
    const Summary& share = results.lost(static_cast<Account>(a));
    const bool kept = static_cast<Account>(a) == Account::kProductive;
    if (!kept && !happened(share)) continue;
    const double hours = share.mean * results.run_seconds() / kHour;
    section.table.rows.push_back(
        {std::string(kAccountNames[a]), percent_with_margin(share),
         number(hours, hours < 1 ? 2 : 1),
         kept ? fmt::format("of {}", number(results.run_seconds() / kHour, 1))
              : bar(share.mean / largest, kBarWidth)});
  }
  return section;
}

std::string title_of(const FaultClassConfig& config) {
  return config.title.empty() ? config.name : config.title;
}

std::string expected_text(const std::optional<double>& expected) {
  return expected ? number(*expected, 1) : "-";
}

// Classes that a predicate chooses, by falling `size`; equal ones in the order of the catalogue.
template <class Chosen, class Size>
std::vector<FaultClassId> classes_by(const RunResults& results, Chosen chosen, Size size) {
  std::vector<FaultClassId> classes;
  for (std::size_t c = 0; c < results.plan.classes().size(); ++c) {
    if (chosen(FaultClassId(c))) classes.emplace_back(c);
  }
  std::stable_sort(classes.begin(), classes.end(),
                   [&](FaultClassId a, FaultClassId b) { return size(a) > size(b); });
  return classes;
}

bool is_planned(const RunResults& results, FaultClassId id) {
  return results.plan.classes()[id.index()].config->effect == FaultEffect::kPlanned;
}

Section what_failed(const RunResults& results) {
  Section section{
      .title = "What failed",
      .lines = {"Interruptions of jobs by cause; `expected` is the catalogue's number of "
                "faults for this fleet and time."}};
  section.table.columns = {{"cause", Align::kLeft},
                           {"interruptions", Align::kRight},
                           {"faults", Align::kRight},
                           {"expected", Align::kRight},
                           {"", Align::kLeft}};
  const auto size = [&](FaultClassId id) { return results.interruptions(id).mean; };
  const auto classes = classes_by(
      results, [&](FaultClassId id) { return size(id) > 0 && !is_planned(results, id); }, size);
  double faults = 0;
  std::optional<double> expected = 0.0;
  for (const FaultClassId id : classes) {
    const auto of_class = results.expected_faults(id);
    faults += results.faults(id).mean;
    expected = expected && of_class ? std::optional(*expected + *of_class) : std::nullopt;
    section.table.rows.push_back({title_of(*results.plan.classes()[id.index()].config),
                                  with_margin(results.interruptions(id)),
                                  number(results.faults(id).mean, 1), expected_text(of_class),
                                  bar(size(id) / size(classes.front()), kBarWidth / 2)});
  }
  if (classes.empty()) return {.title = section.title, .lines = {"Nothing interrupted a job."}};
  section.table.rows.push_back({"all", with_margin(results.of(Index::kInterruptions)),
                                number(faults, 1), expected_text(expected), ""});
  for (std::size_t c = 0; c < results.plan.classes().size(); ++c) {
    if (!is_planned(results, FaultClassId(c))) continue;
    section.notes.push_back(fmt::format("Planned maintenance, `{}`: {} a run, expected {}.",
                                        results.plan.classes()[c].config->name,
                                        with_margin(results.faults(FaultClassId(c))),
                                        expected_text(results.expected_faults(FaultClassId(c)))));
  }
  return section;
}

Section alarms(const RunResults& results) {
  Section section{.title = "What only raised alarms, or slowed the work"};
  section.table.columns = {{"class", Align::kLeft},
                           {"effect", Align::kLeft},
                           {"faults", Align::kRight},
                           {"expected", Align::kRight}};
  const auto classes = classes_by(
      results,
      [&](FaultClassId id) {
        return happened(results.faults(id)) && !happened(results.interruptions(id)) &&
               !is_planned(results, id);
      },
      [&](FaultClassId id) { return results.faults(id).mean; });
  for (const FaultClassId id : classes) {
    const FaultClassConfig& config = *results.plan.classes()[id.index()].config;
    section.table.rows.push_back(
        {title_of(config),
         config.false_alarm ? "none, a false alarm" : std::string(enum_name(config.effect)),
         with_margin(results.faults(id)), expected_text(results.expected_faults(id))});
  }
  return section;
}

Section hints(const RunResults& results) {
  return {.title = "What to try", .lines = run_hints(results)};
}

}  // namespace

Document run_report(const RunResults& results) {
  const Scenario& scenario = results.scenario();
  Document document{.title = scenario.description.empty()
                                 ? scenario.name
                                 : fmt::format("{}: {}", scenario.name, scenario.description)};
  const auto add = [&](Section section) { document.sections.push_back(std::move(section)); };
  const auto add_unless_empty = [&](Section section) {
    if (!section.table.rows.empty() || (section.table.columns.empty() && !section.lines.empty())) {
      add(std::move(section));
    }
  };
  add(headline(results));
  add(where_the_time_went(results));
  add_unless_empty(work_and_gang(results));
  add_unless_empty(training_step(results));
  add_unless_empty(degraded_parts(results));
  add(what_failed(results));
  add_unless_empty(alarms(results));
  add(repair_phases(results));
  add_unless_empty(fault_to_ready(results));
  add(safety_gate(results));
  add(nccl_stalls(results));
  add_unless_empty(stalls_by_class(results));
  add_unless_empty(stall_savings(results));
  add(replacements(results));
  add_unless_empty(repair_shop(results));
  add_unless_empty(detection_promises(results));
  add_unless_empty(detection_warnings(results));
  add_unless_empty(hints(results));
  return document;
}

std::string run_csv(const RunResults& results) {
  std::string text = csv_summary_columns();
  for (std::size_t m = 0; m < results.summaries.size(); ++m) {
    text += csv_summary(results.table.names[m].text(), results.summaries[m]);
  }
  return text;
}

}  // namespace faultline
