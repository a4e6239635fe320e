#include "sim/report/spares_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/format.h"
#include "sim/report/quantity_text.h"
#include "sim/report/spares_ceiling.h"
#include "sim/report/spares_text.h"

namespace faultline {
namespace {

using Align = Table::Align;

const char* kind_of(const SparesAnswer& answer) {
  return answer.question.kind == SpareKind::kWarm ? "warm" : "cold";
}

std::string spares_text(const SparesAnswer& answer, std::int64_t spares) {
  return fmt::format("{} {} spare{}", spares, kind_of(answer), spares == 1 ? "" : "s");
}

std::string verdict_text(SparesVerdict verdict) {
  switch (verdict) {
    case SparesVerdict::kMeets: return "met";
    case SparesVerdict::kMisses: return "missed";
    case SparesVerdict::kOpen: return "not shown";
  }
  return {};
}

std::string cost(const SparesAnswer& answer, std::int64_t spares) {
  return number(static_cast<double>(spares) * answer.gpu_hours_per_spare, 0);
}

Expression::Unit unit_of(const SparesAnswer& answer) { return answer.question.target.left.unit(); }

Table curve(const SparesAnswer& answer) {
  const std::string& subject = answer.question.target.left.text();
  const bool is_stockout = subject == "stockout" || subject == "stockout_ratio";
  Table table;
  table.columns = {{"spares", Align::kRight}, {subject, Align::kRight}, {"target", Align::kLeft}};
  if (!is_stockout) table.columns.push_back({"stock-out", Align::kRight});
  table.columns.push_back({"by the chain", Align::kRight});
  table.columns.push_back({"runs with one", Align::kRight});
  table.columns.push_back({"GPU-hours", Align::kRight});
  for (const SparesPoint& point : answer.curve) {
    std::vector<std::string> row{
        fmt::format("{}{}", answer.fewest == point.spares ? "> " : "", point.spares),
        estimate_text(unit_of(answer), point.value), verdict_text(point.verdict)};
    if (!is_stockout) row.push_back(estimate_text(Expression::Unit::kRatio, point.stockout));
    row.push_back(point.chain ? percent(point.chain->shares.stockout, 3) : "-");
    row.push_back(fmt::format("{} of {}", point.stockouts, point.value.n));
    row.push_back(cost(answer, point.spares));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Section curve_section(const SparesAnswer& answer) {
  return {.title = "The curve",
          .lines = {fmt::format(
              "Means and their 95% intervals; `met` takes the one-sided bound at {}. stock-out: "
              "share of "
              "the jobs' time that they wait for a machine. GPU-hours: what the spares cost a run.",
              quantity_text(answer.question.confidence, Expression::Unit::kRatio))},
          .table = curve(answer),
          .notes = {}};
}

std::string gpu_hours_text(const MeanEstimate& hours) {
  return (hours.mean > 0 ? "+" : "") +
         with_margin(hours.mean, hours.interval(0.95).half_width(), "", 0);
}

Section steps_section(const SparesAnswer& answer) {
  Section section{.title = "What one more or fewer does",
                  .lines = {"Differences of the same replications under the same faults."}};
  section.table.columns = {{"spares", Align::kLeft},
                           {answer.question.target.left.text(), Align::kRight},
                           {"kept work, GPU-hours", Align::kRight},
                           {"cost, GPU-hours", Align::kRight}};
  for (const SparesStep& step : answer.steps) {
    section.table.rows.push_back({fmt::format("{} -> {}", step.from, step.to),
                                  difference_text(unit_of(answer), step.value),
                                  gpu_hours_text(step.gpu_hours), number(step.cost_gpu_hours, 0)});
  }
  return section;
}

std::string crews_text(Limit crews) {
  if (crews.unlimited()) return "unlimited crews";
  return fmt::format("{} crew{}", crews.count, crews.count == 1 ? "" : "s");
}

std::string pool_text(const analytic::SparePool& pool) {
  std::string text =
      fmt::format("{} nodes at work; one is lost every {} per node{}",
                  number(static_cast<double>(pool.nodes), 0), brief(1 / pool.failures_per_second),
                  pool.idle_failures_per_second > 0 ? ", idle ones too" : ", idle ones never");
  if (pool.cold_spares.unlimited()) {
    return text +
           fmt::format("; a replacement is there after {} on average.", brief(pool.lead.seconds()));
  }
  text += fmt::format("; a stock of {}, {} away; repair takes {} on average, {}",
                      pool.cold_spares.count, brief(pool.lead.seconds()),
                      brief(pool.repair.seconds()), crews_text(pool.crews));
  if (pool.manual_share > 0) {
    text += fmt::format("; {} go on to a second stage of {}, {}", percent(pool.manual_share, 0),
                        brief(pool.manual.seconds()), crews_text(pool.manual_crews));
  }
  return text + ".";
}

std::string machines_are(std::int64_t n) {
  return fmt::format("{} {}", counted(static_cast<std::size_t>(n), "machine"),
                     n == 1 ? "is" : "are");
}

Section chain_section(const SparesAnswer& answer) {
  Section section{.title = "The Markov chain"};
  const auto& chain = answer.main().chain;
  if (!chain) {
    section.lines = {fmt::format("There is nothing to compare with: {}.", chain.error())};
    return section;
  }
  section.lines = {fmt::format("The machine repair model, fed with what was simulated: {}",
                               pool_text(chain->pool))};
  if (answer.by_chain) {
    section.lines.push_back(
        fmt::format("It says {}{}.", spares_text(answer, *answer.by_chain),
                    answer.by_chain == answer.fewest ? ", as the simulation does" : ""));
  }
  section.lines.push_back(fmt::format("99% of the time, no more than {} out by it.",
                                      machines_are(chain->shares.quantile(0.99))));
  if (!chain->breaks.empty()) {
    section.notes.push_back(
        "WARNING: the scenario breaks assumptions of the chain; where they differ, "
        "trust the simulation:");
    for (const std::string& text : chain->breaks) section.notes.push_back("- " + text);
  }
  for (const std::string& note : chain->notes) section.notes.push_back("Note: " + note + ".");
  return section;
}

std::string horizon_text(const Scenario& scenario) { return brief(scenario.horizon.seconds()); }

std::string of_confidence(const SparesAnswer& answer) {
  return quantity_text(answer.question.confidence, Expression::Unit::kRatio);
}

// What --reps auto came to.
std::string how_many(const SparesAnswer& answer) {
  std::size_t least = answer.curve.front().value.n;
  std::size_t most = 0;
  std::vector<std::string> open;
  for (const SparesPoint& point : answer.curve) {
    if (point.verdict == SparesVerdict::kOpen) {
      open.push_back(std::to_string(point.spares));
      continue;
    }
    least = std::min(least, point.value.n);
    most = std::max(most, point.value.n);
  }
  const std::string range =
      least < most ? fmt::format("{} to {}", least, most) : std::to_string(most);
  if (open.empty()) {
    return fmt::format("Every number of spares in the curve is decided, with {} {}.", range,
                       range == "1" ? "replication" : "replications");
  }
  const std::string others = most > 0 ? fmt::format("; the others took {}", range) : "";
  return fmt::format("Not decided {}, for {} {}{}.",
                     after_how_many(answer.question, answer.question.cap), fmt::join(open, ", "),
                     open == std::vector<std::string>{"1"} ? "spare" : "spares", others);
}

void tell_the_fewest(const SparesAnswer& answer, const Scenario& scenario,
                     std::vector<std::string>& lines) {
  const SparesPoint& point = *answer.at(*answer.fewest);
  const auto unit = unit_of(answer);
  lines.push_back(fmt::format(
      "{} {} `{}`: {}, {} {} with {} confidence (n={}).", spares_text(answer, point.spares),
      point.spares == 1 ? "meets" : "meet", answer.question.target.text,
      estimate_text(unit, point.value), answer.question.at_least() ? "at least" : "at most",
      quantity_text(point.bound, unit), of_confidence(answer), point.value.n));
  if (point.spares == 0) {
    lines.push_back("No spare is needed.");
  } else {
    lines.push_back(fmt::format("They cost {} GPU-hours in {}.", cost(answer, point.spares),
                                horizon_text(scenario)));
  }
  for (auto below = answer.curve.rbegin(); below != answer.curve.rend(); ++below) {
    if (below->spares >= point.spares || below->verdict != SparesVerdict::kOpen) continue;
    lines.push_back(fmt::format(
        "With {} it is {}: too close to call {}. More of them ({}) may find that {} are enough.",
        below->spares, estimate_text(unit, below->value),
        after_how_many(answer.question, below->value.n),
        answer.question.cap > 0 ? "--max-reps" : "--reps", below->spares));
    break;
  }
  if (point.rare) {
    lines.push_back(
        fmt::format("Rare: few of the {} runs say anything but the most common value. The bound is "
                    "what so few allow, "
                    "whatever the next ones say.",
                    point.value.n));
  }
}

}  // namespace

std::string_view verdict_name(SparesVerdict verdict) {
  switch (verdict) {
    case SparesVerdict::kMeets: return "meets";
    case SparesVerdict::kMisses: return "misses";
    case SparesVerdict::kOpen: return "open";
  }
  return {};
}

std::vector<std::string> SparesReport::verdict() const {
  std::vector<std::string> lines;
  if (!remark.empty()) lines.push_back(remark);
  if (!answer.complete) {
    lines.push_back(fmt::format("Interrupted: this is what was finished{}.",
                                answer.fewest ? "" : ", and no answer yet"));
  }
  if (answer.fewest) {
    tell_the_fewest(answer, scenario, lines);
  } else if (answer.complete) {
    tell_the_ceiling(answer, scenario, lines);
  }
  if (answer.question.cap > 0 && answer.complete) lines.push_back(how_many(answer));
  if (answer.worse) {
    lines.push_back(fmt::format(
        "Beware: more is not always better here. From {} to {} spares the subject changes by {}; a "
        "smaller "
        "number than the answer was not looked for beyond the curve below.",
        answer.worse->from, answer.worse->to,
        difference_text(unit_of(answer), answer.worse->value)));
  }
  return lines;
}

Document SparesReport::document() const {
  Document document{.title = fmt::format("{}: how many {} spares for `{}`?", scenario.name,
                                         kind_of(answer), answer.question.target.text),
                    .sections = {{.title = "", .lines = verdict(), .table = {}, .notes = {}}}};
  if (answer.curve.empty()) return document;
  document.sections.push_back(curve_section(answer));
  if (!answer.steps.empty()) document.sections.push_back(steps_section(answer));
  document.sections.push_back(chain_section(answer));
  return document;
}

std::string SparesReport::csv() const {
  std::string text =
      "spares,verdict,n,mean,ci95_low,ci95_high,bound,ettr_ratio,stockout_ratio,runs_with_stockout,"
      "spares_used_max,chain_stockout_ratio,cost_gpu_hours\n";
  for (const SparesPoint& point : answer.curve) {
    const Interval ends = point.value.interval(0.95);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", point.spares,
                        verdict_name(point.verdict), point.value.n, point.value.mean, ends.low,
                        ends.high, point.bound, point.ettr.mean, point.stockout.mean,
                        point.stockouts, point.used_max.mean,
                        point.chain ? fmt::format("{}", point.chain->shares.stockout) : "",
                        static_cast<double>(point.spares) * answer.gpu_hours_per_spare);
  }
  return text;
}

}  // namespace faultline
