#include "sim/report/tune_report.h"
#include "sim/report/poll_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/format.h"
#include "sim/report/tune_curve.h"
#include "sim/report/tune_map.h"
#include "sim/report/tune_text.h"

namespace faultline {
namespace {

using Align = Table::Align;

constexpr double kConfidence = 0.95;
constexpr double kStepsInTradeOff = 8;
constexpr double kShown = 0.005;  // of a needless replacement

std::string count(double value) { return number(value, 0); }

std::string label(const TuneReport& report, std::size_t i) {
  return report.points[i].point->label();
}

// "5 more", "5 fewer", "as many".
std::string more(double difference) {
  const double size = std::abs(difference);
  if (size < kShown) return "as many";
  return fmt::format("{} {}", number(size, size < 10 ? 1 : 0), difference > 0 ? "more" : "fewer");
}

std::string gpu_hours(const TuneReport& report, const MeanEstimate& estimate) {
  return tune_text::change(estimate, Objective::Unit::kGpuHours,
                           report.results.difference_confidence);
}

std::string behind(const TuneReport& report, const MeanEstimate& estimate) {
  return tune_text::change(estimate, report.objective().unit(),
                           report.results.difference_confidence);
}

// Whether an interval of differences leaves zero out.
bool shown(const TuneReport& report, const MeanEstimate& difference) {
  const Interval ends = difference.interval(report.results.difference_confidence);
  return ends.low > 0 || ends.high < 0;
}

Section head(const TuneReport& report) {
  const TuneResults& results = report.results;
  std::uint32_t least = results.points.front().replications;
  std::uint32_t most = 0;
  for (const TunedPoint& point : results.points) {
    least = std::min(least, point.replications);
    most = std::max(most, point.replications);
  }
  Section section;
  for (const Knob& knob : report.knobs) {
    section.lines.push_back(fmt::format("{}: {} values, {} to {}", knob.path, knob.values.size(),
                                        knob.values.front(), knob.values.back()));
  }
  section.lines.push_back(fmt::format(
      "Objective: {}, the {} the better. Seed {}; {} replications, {} to {} per value, all "
      "values under the same faults.",
      tune_text::title(report.objective()), report.objective().larger_is_better() ? "more" : "less",
      report.seed, count(static_cast<double>(results.replications)), least, most));
  return section;
}

bool in_zone(const TuneResults& results, std::size_t i) {
  return i < results.grid && results.points[i].contest.standing == PointStanding::kContender;
}

// In the zone, the point with the fewest needless replacements.
std::size_t gentlest(const TuneReport& report) {
  const TuneResults& results = report.results;
  std::size_t best = *results.recommended;
  for (std::size_t i = 0; i < results.grid; ++i) {
    const TunedPoint& point = results.points[i];
    const bool in =
        point.contest.standing == PointStanding::kContender && point.feasible == Feasibility::kMet;
    if (in && point.needless < results.points[best].needless - kShown) best = i;
  }
  return best;
}

std::string against_present(const TuneReport& report) {
  const TuneResults& results = report.results;
  const std::size_t present = *results.present;
  const TunedPoint& now = results.points[present];
  if (present == *results.recommended) return "It is the present setting.";
  const std::string what = present < results.grid
                               ? fmt::format("the present setting, {},", label(report, present))
                               : "the present setting, which is none of these values,";
  const std::string worth =
      fmt::format("{} GPU-hours in {} ({} of all that are owned)", gpu_hours(report, now.gpu_hours),
                  to_string(report.scenario().horizon),
                  percent(now.gpu_hours.mean / owned_gpu_hours(*report.points[present].point), 2));
  const std::string needless =
      fmt::format("needless replacements: {}", more(0 - now.more_needless.mean));
  const bool is_cost = report.objective().unit() == Objective::Unit::kGpuHours;
  std::string text;
  const bool is_known_not_best =
      present < results.grid && now.contest.standing == PointStanding::kBeaten;
  if (!shown(report, now.behind) && is_known_not_best) {
    text = fmt::format(
        "The present setting, {}, is not the best (95%), but how far it is behind is open: {}; {}.",
        label(report, present), is_cost ? worth : behind(report, now.behind), needless);
  } else if (!shown(report, now.behind)) {
    text = fmt::format("Against {} no difference is detectable: {}; {}.", what,
                       is_cost ? worth : behind(report, now.behind), needless);
  } else if (is_cost) {
    text = fmt::format("Against {} it saves {}; {}.", what, worth, needless);
  } else {
    text = fmt::format("Against {} it is {} better. Worth {}; {}.", what,
                       behind(report, now.behind), worth, needless);
  }
  if (in_zone(results, present)) text += " Nothing speaks for a change.";
  return text;
}

Section recommendation(const TuneReport& report) {
  const TuneResults& results = report.results;
  Section section{.title = "Recommendation"};
  if (!results.recommended) {
    section.lines.push_back(
        "None: no value is known to meet the conditions (95%). The table says how far off they "
        "are; --reps allows more replications where that is not known.");
    return section;
  }
  const std::size_t best = *results.recommended;
  section.lines.push_back(fmt::format(
      "{}: {} {}", label(report, best), tune_text::title(report.objective()),
      tune_text::level(results.points[best].level, report.objective().unit(), kConfidence)));
  section.lines.push_back(zone_text(report));
  if (const std::size_t gentle = gentlest(report); gentle != best) {
    section.lines.push_back(fmt::format(
        "Of these, {} needs the fewest needless replacements: {} than {}.", label(report, gentle),
        more(results.points[gentle].more_needless.mean), label(report, best)));
  }
  if (results.present) section.lines.push_back(against_present(report));
  for (const Knob& knob : report.knobs) {
    const std::string steps = poll_steps_text(report.points.front().point->plan(), knob);
    if (!steps.empty()) section.lines.push_back(steps);
  }
  return section;
}

Section conditions(const TuneReport& report) {
  const auto& asked = report.points.front().conditions;
  Section section{.title = "Conditions"};
  if (asked.empty()) return section;
  section.table.columns.push_back({"value", Align::kLeft});
  for (const Condition& condition : asked) {
    section.table.columns.push_back({condition.text, Align::kRight});
  }
  section.table.columns.push_back({"met", Align::kLeft});
  for (std::size_t i = 0; i < report.results.points.size(); ++i) {
    const TunedPoint& point = report.results.points[i];
    std::vector<std::string> row{label(report, i)};
    for (std::size_t c = 0; c < asked.size(); ++c) {
      const Expression::Unit unit = asked[c].left.unit();
      row.push_back(tune_text::level(point.conditions[c],
                                     unit == Expression::Unit::kRatio ? Objective::Unit::kRatio
                                     : unit == Expression::Unit::kSeconds
                                         ? Objective::Unit::kSeconds
                                         : Objective::Unit::kPlain,
                                     kConfidence));
    }
    row.emplace_back(point.feasible == Feasibility::kMet      ? "yes"
                     : point.feasible == Feasibility::kFailed ? "no"
                                                              : "not known");
    section.table.rows.push_back(std::move(row));
  }
  return section;
}

Section trade_off(const TuneReport& report) {
  const TuneResults& results = report.results;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < results.grid; ++i) {
    if (results.points[i].pareto) chosen.push_back(i);
  }
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
    return results.points[a].needless > results.points[b].needless;
  });
  Section section{.title = "Trade-off against needless replacements"};
  if (!results.recommended || chosen.size() < 2 ||
      results.points[chosen.front()].needless - results.points[chosen.back()].needless < kShown) {
    return section;
  }
  const bool is_cost = report.objective().unit() == Objective::Unit::kGpuHours;
  section.lines.push_back(
      "The Pareto set: what no other value beats in both. Behind: what is given up against the "
      "recommendation.");
  section.table.columns = {{"value", Align::kLeft},
                           {"needless", Align::kRight},
                           {"", Align::kRight},
                           {"behind", Align::kRight},
                           {is_cost ? "" : "GPU-hours", Align::kRight}};
  // Those that differ enough to be told apart by a person; always the first, the last and the recommendation.
  const double step =
      (results.points[chosen.front()].needless - results.points[chosen.back()].needless) /
      kStepsInTradeOff;
  double last = std::numeric_limits<double>::infinity();
  std::size_t left_out = 0;
  for (const std::size_t i : chosen) {
    const TunedPoint& point = results.points[i];
    const bool best = i == *results.recommended;
    if (!best && i != chosen.back() && point.needless > last - step) {
      ++left_out;
      continue;
    }
    last = point.needless;
    section.table.rows.push_back({label(report, i), number(point.needless, 1),
                                  best ? "recommended" : more(point.more_needless.mean),
                                  best ? "" : behind(report, point.behind),
                                  best || is_cost ? "" : gpu_hours(report, point.gpu_hours)});
  }
  if (left_out > 0) {
    section.notes.push_back(
        fmt::format("{} more between them are in --format json and csv.", left_out));
  }
  return section;
}

Section how(const TuneReport& report) {
  const TuneResults& results = report.results;
  Section section{.title = "How sure"};
  section.lines.push_back(
      fmt::format("Procedure: {}. The true best of the grid is in the zone with 95% confidence; "
                  "intervals of differences hold for all pairs of values at once, whichever is "
                  "recommended; bands for each value alone.",
                  kEliminationProcedure));
  if (!results.finished) {
    section.lines.push_back(
        "Stopped early: this is what was known after the last complete look at all values.");
  } else if (results.recommended && !results.decided) {
    section.lines.push_back(fmt::format(
        "Not decided to within {} after the most replications that were allowed; --reps allows "
        "more.",
        tune_text::change({.n = 1, .mean = results.tie, .error = std::nan("")},
                          report.objective().unit(), kConfidence)));
  }
  std::size_t wide = 0;
  double widest = 0;
  for (const TunedPoint& point : results.points) {
    if (point.precise) continue;
    ++wide;
    widest = std::max(widest, point.level.interval(kConfidence).half_width());
  }
  if (wide > 0) {
    section.lines.push_back(fmt::format(
        "The bands of {} of {} values are wider than +-{}, the widest is +-{}.", wide,
        results.points.size(), tune_text::width(results.precision, report.objective().unit()),
        tune_text::width(widest, report.objective().unit())));
  }
  return section;
}

}  // namespace

Document tune_document(const TuneReport& report) {
  Document document{
      .title = fmt::format("{}: tuning {}", report.scenario().name, report.knobs.front().name())};
  for (std::size_t k = 1; k < report.knobs.size(); ++k) {
    document.title += " and " + report.knobs[k].name();
  }
  document.sections = {head(report),
                       recommendation(report),
                       report.knobs.size() == 1 ? tune_curve(report) : tune_map(report),
                       conditions(report),
                       trade_off(report),
                       how(report)};
  std::erase_if(document.sections, [](const Section& section) {
    return section.lines.empty() && section.table.rows.empty();
  });
  return document;
}

}  // namespace faultline
