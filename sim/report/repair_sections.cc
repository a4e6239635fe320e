#include "sim/report/repair_sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/format.h"

namespace faultline {
namespace {

using Index = MetricIndex;
using Align = Table::Align;

constexpr double kHour = 3600;
constexpr std::size_t kRestartPhase = 5;

std::vector<std::string> quantile_cells(const Histogram& histogram) {
  if (histogram.count() == 0) return {"-", "-", "-"};
  return {brief(histogram.quantile_seconds(0.50)), brief(histogram.quantile_seconds(0.95)),
          brief(histogram.quantile_seconds(0.99))};
}

std::vector<Table::Column> with_quantiles(std::vector<Table::Column> columns) {
  for (const char* title : {"p50", "p95", "p99"}) columns.push_back({title, Align::kRight});
  return columns;
}

std::string gate_text(const RunResults& results) {
  const ControlPlaneFacts& facts = results.plan.control_facts();
  if (facts.gates.empty()) return "This policy has no safety gate.";
  const Gate& gate = facts.gates.front().gate;
  if (gate.kind == Gate::Kind::kOff) return "The gate is off.";
  return fmt::format("No repair while more than {} of a pool's nodes are unhealthy{}.",
                     to_string(gate),
                     !facts.past_the_gate.empty() && results.plan.contract().status_check()
                         ? ", except of impaired instances"
                         : "");
}

Section detection(const RunResults& results, Severity severity, std::string title) {
  Section section{.title = std::move(title)};
  section.table.columns = {{"class", Align::kLeft},   {"reason", Align::kLeft},
                           {"channel", Align::kLeft}, {"seen", Align::kRight},
                           {"p50", Align::kRight},    {"p99", Align::kRight}};
  const SimulationPlan& plan = results.plan;
  FaultClassId previous;
  for (const PooledDurations::Detection& seen : results.table.pooled.detections) {
    const Reason& reason = plan.contract().reason(seen.reason);
    if (reason.severity != severity) continue;
    const bool first = seen.fault_class != previous;
    previous = seen.fault_class;
    const bool ever = seen.since_fault.count() > 0;
    section.table.rows.push_back(
        {first ? plan.classes()[seen.fault_class.index()].config->name : "", reason.name,
         plan.scenario().detectors.channels[reason.channel.index()].name,
         percent(results.published_share(seen), 0),
         ever ? brief(seen.since_fault.quantile_seconds(0.50)) : "-",
         ever ? brief(seen.since_fault.quantile_seconds(0.99)) : "-"});
  }
  return section;
}

}  // namespace

Section repair_phases(const RunResults& results) {
  const std::vector<Histogram>& phases = results.table.pooled.phases;
  Section section{.title = "How long repair took"};
  section.lines = {
      phases.front().count() == 0
          ? "No node with a fault was replaced."
          : "Phases of a replacement, for nodes with a real fault; then the job's own."};
  section.table.columns = with_quantiles({{"phase", Align::kLeft}, {"mean", Align::kRight}});
  for (std::size_t p = 0; p < kRestartPhase + 2; ++p) {
    const Summary& mean = results.mttr(p);
    if (mean.n == 0) continue;
    std::vector<std::string> row{results.table.names[Index::kMttr + p].value, brief(mean.mean)};
    const std::vector<std::string> cells =
        p < phases.size() ? quantile_cells(phases[p]) : std::vector<std::string>(3);
    row.insert(row.end(), cells.begin(), cells.end());
    section.table.rows.push_back(std::move(row));
  }
  return section;
}

Section fault_to_ready(const RunResults& results) {
  Section section{.title =
                      "From the fault to the replacement ready, by the channel that saw it first"};
  section.table.columns = with_quantiles({{"channel", Align::kLeft}, {"a run", Align::kRight}});
  const std::vector<Histogram>& channels = results.table.pooled.fault_to_ready_by_channel;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (channels[c].count() == 0) continue;
    std::vector<std::string> row{results.scenario().detectors.channels[c].name,
                                 number(static_cast<double>(channels[c].count()) /
                                            static_cast<double>(results.replications()),
                                        1)};
    const std::vector<std::string> cells = quantile_cells(channels[c]);
    row.insert(row.end(), cells.begin(), cells.end());
    section.table.rows.push_back(std::move(row));
  }
  return section;
}

Section safety_gate(const RunResults& results) {
  Section section{.title = "What the safety gate did", .lines = {gate_text(results)}};
  const Summary& peak = results.of(Index::kUnhealthyPeak);
  section.lines.push_back(
      fmt::format("Most nodes unhealthy at once: {} of the fleet (95% of runs below {}).",
                  percent_with_margin(peak), percent(peak.p95)));
  if (happened(results.of(Index::kGateBlocked))) {
    section.lines.push_back(
        fmt::format("It refused {} times a run and held nodes back for {} node-hours.",
                    with_margin(results.of(Index::kGateBlocked)),
                    number(results.of(Index::kGateSeconds).mean / kHour, 1)));
  } else if (!results.plan.control_facts().gates.empty()) {
    section.lines.push_back("It never held a repair back.");
  }
  return section;
}

Section replacements(const RunResults& results) {
  Section section{.title = "Replacements"};
  const Summary& all = results.of(Index::kReplacements);
  if (happened(all)) {
    section.lines.push_back(fmt::format("{} nodes were replaced a run.", with_margin(all)));
    section.lines.push_back(fmt::format(
        "{} of them needlessly ({}): nothing was wrong, or a mere alarm would have gone by itself.",
        with_margin(results.of(Index::kNeedless)),
        percent(results.of(Index::kNeedless).mean / all.mean)));
  } else {
    section.lines.push_back("No node was replaced.");
  }
  if (happened(results.of(Index::kRegistrationTimeouts))) {
    section.lines.push_back(
        fmt::format("{} new machines a run had not registered in time and were deleted.",
                    with_margin(results.of(Index::kRegistrationTimeouts))));
  }
  if (happened(results.of(Index::kInPlace))) {
    section.lines.push_back(
        fmt::format("{} nodes were mended where they stand, for which jobs waited {} of the time.",
                    with_margin(results.of(Index::kInPlace)),
                    percent_with_margin(results.lost(Account::kProvision))));
  }
  if (happened(results.of(Index::kFailedRestarts))) {
    section.lines.push_back(
        fmt::format("{} container restarts a run met a node that was still sick.",
                    with_margin(results.of(Index::kFailedRestarts))));
  }
  const std::int64_t spares = results.scenario().capacity.warm_spares;
  if (spares > 0) {
    section.lines.push_back(
        fmt::format("Warm spares in use at once: at most {} of {} for each pool.",
                    with_margin(results.of(Index::kSparesMax)), spares));
  }
  if (happened(results.of(Index::kStockout))) {
    section.lines.push_back(fmt::format("Jobs waited {} of the time for a node that did not exist.",
                                        percent_with_margin(results.of(Index::kStockout))));
  }
  return section;
}

Section detection_promises(const RunResults& results) {
  Section section = detection(results, Severity::kFatal,
                              "What detection can promise: from the fault to the condition");
  section.lines = {
      "`seen`: share of the struck nodes on which it changed the condition; a node whose condition "
      "is "
      "bad already, or that is replaced first, does not count."};
  std::vector<std::string> unseen;
  for (std::size_t c = 0; c < results.plan.classes().size(); ++c) {
    const FaultClassConfig& config = *results.plan.classes()[c].config;
    const auto& signals = results.plan.signals(FaultClassId(c));
    const bool sets_condition =
        std::any_of(signals.begin(), signals.end(), [&](const auto& signal) {
          return results.plan.contract().reason(signal.reason).severity == Severity::kFatal;
        });
    const bool of_node = config.unit() != ExposureUnit::kJob;
    if (of_node && !sets_condition && config.effect != FaultEffect::kNone) {
      unseen.push_back(config.name);
    }
  }
  if (!unseen.empty()) {
    section.notes.push_back(fmt::format("No condition ever shows {}.", fmt::join(unseen, ", ")));
  }
  return section;
}

Section detection_warnings(const RunResults& results) {
  return detection(results, Severity::kWarning,
                   "Warnings that no controller acts on: from the fault to the event");
}

}  // namespace faultline
