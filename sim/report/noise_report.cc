#include "sim/report/noise_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/report/charged_noise_text.h"
#include "sim/report/csv.h"
#include "sim/report/format.h"
#include "sim/report/json_summary.h"
#include "sim/report/quantity_text.h"

namespace faultline {
namespace {

using Align = Table::Align;
using Json = nlohmann::ordered_json;
using Unit = Expression::Unit;

constexpr double kConfidence = 0.95;

Duration work_of(const NoiseSettings& settings) {
  return Duration::nanoseconds(settings.gang.step.ns() / settings.gang.meetings);
}

// A margin that is too narrow to show says less than the digits of a small number.
std::string replayed_text(const MeanEstimate& slowdown) {
  constexpr double kSmall = 0.001;
  return slowdown.mean < kSmall ? slowdown_text(slowdown.mean)
                                : estimate_text(Unit::kRatio, slowdown);
}

std::string plural(std::int64_t count, const char* singular, const char* plural) {
  return fmt::format("{} {}", number(static_cast<double>(count), 0),
                     count == 1 ? singular : plural);
}

Section head(const NoiseResults& results) {
  const NoiseSettings& s = results.comparison.settings;
  const NoiseRow& present = results.comparison.present();
  Section section;
  section.lines.push_back(fmt::format(
      "{}: {} meet every {} of work. On each, {} of the agent {} {} for {} every {}; {} no "
      "rank.",
      results.job, plural(s.gang.nodes, "node", "nodes"), to_string(work_of(s)),
      plural(s.monitoring.tasks, "task", "tasks"), s.monitoring.tasks == 1 ? "takes" : "take",
      s.monitoring.tasks == 1 ? plural(s.monitoring.cores, "core", "cores")
                              : plural(s.monitoring.cores, "core each", "cores each"),
      to_string(s.monitoring.burst), to_string(s.monitoring.period),
      plural(s.monitoring.spare_cores, "core there serves", "cores there serve")));
  section.lines.push_back(
      fmt::format("At present, {} inside a node and {} across nodes, steps are {} longer: {} "
                  "GPU-hours are lost a day.",
                  enum_name(s.inside), enum_name(s.across), slowdown_text(present.charged.slowdown),
                  number(results.comparison.gpu_hours_a_day(present.charged.slowdown), 0)));
  return section;
}

Section arrangements(const NoiseResults& results) {
  const NoiseComparison& comparison = results.comparison;
  Section section{.title = "The six arrangements"};
  section.table.columns = {{"inside a node"},
                           {"across nodes"},
                           {"slowdown", Align::kRight},
                           {"closed form", Align::kRight},
                           {"replayed", Align::kRight},
                           {"GPU-hours a day", Align::kRight},
                           {"bursts at once", Align::kRight},
                           {""}};
  for (const NoiseRow& row : comparison.rows) {
    const noise::NoiseArrangement& one = row.arrangement;
    const noise::ChargedNoise& charged = row.charged;
    section.table.rows.push_back(
        {std::string(enum_name(one.inside)), std::string(enum_name(one.across)),
         slowdown_text(charged.slowdown),
         slowdown_text(charged.form) + (charged.refuted ? " *" : ""), replayed_text(row.replayed),
         number(comparison.gpu_hours_a_day(charged.slowdown), 0),
         value_text(one.at_once, Unit::kPlain), row.present ? "<- present" : ""});
  }
  section.notes.push_back(fmt::format(
      "slowdown: what a run charges to `agent_noise`, which is the closed form unless a replay of "
      "the run's own refutes it. replayed: the gang walked through the bursts of all of its nodes, "
      "{} sets of phases (95% CI). bursts at once: on all nodes, as whoever collects feels them; "
      "the most if aligned (jittered: at least), the mean if independent.",
      comparison.settings.sets));
  for (const std::string& note : noise_caveats(results)) section.notes.push_back(note);
  return section;
}

}  // namespace

std::vector<std::string> noise_caveats(const NoiseResults& results) {
  std::vector<std::string> caveats;
  for (const NoiseRow& row : results.comparison.rows) {
    const noise::NoiseArrangement& one = row.arrangement;
    if (const auto caveat = charged_noise_caveat(row.charged, one.across)) {
      caveats.push_back(fmt::format("{}{}, {}: {}", row.charged.refuted ? "* " : "",
                                    enum_name(one.inside), enum_name(one.across), *caveat));
    }
  }
  return caveats;
}

Document noise_report(const NoiseResults& results) {
  return {.title = fmt::format("{}: agent noise", results.scenario),
          .sections = {head(results),
                       arrangements(results),
                       {.title = "What to do", .lines = noise_advice(results)}}};
}

std::string noise_json(const NoiseResults& results) {
  const NoiseComparison& comparison = results.comparison;
  const NoiseSettings& s = comparison.settings;
  Json rows = Json::array();
  for (const NoiseRow& row : comparison.rows) {
    const double slowdown = row.charged.slowdown;
    rows.push_back({{"inside_node", enum_name(row.arrangement.inside)},
                    {"across_nodes", enum_name(row.arrangement.across)},
                    {"present", row.present},
                    {"slowdown", slowdown},
                    {"charged", charged_noise_json(row.charged)},
                    {"gpu_hours_a_day", comparison.gpu_hours_a_day(slowdown)},
                    {"bursts_at_once", row.arrangement.at_once},
                    {"replayed",
                     {{"slowdown", row.replayed.mean},
                      {"error", row.replayed.error},
                      {"ci95", json_of(row.replayed.interval(kConfidence))},
                      {"sets", row.replayed.n}}}});
  }
  return json_text({{"schema_version", kJsonSchemaVersion},
                    {"tool", "faultline"},
                    {"experiment", "noise"},
                    {"scenario", results.scenario},
                    {"job", results.job},
                    {"seed", s.seed},
                    {"gang",
                     {{"nodes", s.gang.nodes},
                      {"gpus", s.gpus},
                      {"work_seconds", work_of(s).seconds()},
                      {"spare_cores", s.monitoring.spare_cores},
                      {"saturating_nodes", comparison.saturating_nodes}}},
                    {"monitoring",
                     {{"tasks", s.monitoring.tasks},
                      {"period_seconds", s.monitoring.period.seconds()},
                      {"burst_seconds", s.monitoring.burst.seconds()},
                      {"cores", s.monitoring.cores}}},
                    {"arrangements", rows},
                    {"half_burst",
                     {{"slowdown", comparison.shorter_burst},
                      {"gpu_hours_a_day", comparison.gpu_hours_a_day(comparison.shorter_burst)}}},
                    {"caveats", noise_caveats(results)},
                    {"advice", noise_advice(results)}});
}

std::string noise_csv(const NoiseResults& results) {
  std::string text =
      "inside_node,across_nodes,present,slowdown,closed_form,gpu_hours_a_day,bursts_at_once,"
      "replayed,replayed_low,replayed_high,sets\n";
  for (const NoiseRow& row : results.comparison.rows) {
    const Interval interval = row.replayed.interval(kConfidence);
    text += csv_row({std::string(enum_name(row.arrangement.inside)),
                     std::string(enum_name(row.arrangement.across)), row.present ? "true" : "false",
                     csv_number(row.charged.slowdown), csv_number(row.charged.form),
                     csv_number(results.comparison.gpu_hours_a_day(row.charged.slowdown)),
                     csv_number(row.arrangement.at_once), csv_number(row.replayed.mean),
                     csv_number(interval.low), csv_number(interval.high),
                     fmt::format("{}", row.replayed.n)});
  }
  return text;
}

}  // namespace faultline
