#include "sim/report/stall_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/report/charged_noise_text.h"
#include "sim/report/format.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

using Align = Table::Align;
using Json = nlohmann::ordered_json;

constexpr double kHour = 3600;
constexpr int kBarWidth = 20;
constexpr double kLeastShown = 0.005;  // of the hours

constexpr std::array<std::string_view, 6> kKinds{
    "crash", "hang", "flap", "slow computation", "slow communication", "agent noise"};
constexpr std::size_t kAgentNoise = 5;

std::size_t kind_of(const FaultClassConfig& config) {
  switch (config.effect) {
    case FaultEffect::kHang: return 1;
    case FaultEffect::kFlap: return 2;
    case FaultEffect::kSlow: return config.slow_part() == SlowPart::kComputation ? 3 : 4;
    default: return 0;
  }
}

const StallRecords& records(const RunResults& results) { return results.table.pooled.stalls; }

double runs(const RunResults& results) { return static_cast<double>(results.replications()); }

double hours(const TimeSum& sum) { return sum.seconds() / kHour; }

// Of stalls that are somebody's fault.
double all_hours(const RunResults& results) {
  double sum = 0;
  for (const StallRecords::OfClass& of_class : records(results).by_class) {
    sum += hours(of_class.lost);
  }
  return sum;
}

double hang_hours(const RunResults& results) {
  double sum = 0;
  for (const StallKind& kind : stall_kinds(results)) {
    if (kind.name == "hang" || kind.name == "flap") sum += kind.lost_seconds / kHour;
  }
  return sum;
}

// Classes with stalls, by falling hours.
std::vector<std::size_t> classes_by_hours(const RunResults& results) {
  const auto& by_class = records(results).by_class;
  std::vector<std::size_t> classes;
  for (std::size_t c = 0; c < by_class.size(); ++c) {
    if (by_class[c].count > 0) classes.push_back(c);
  }
  std::stable_sort(classes.begin(), classes.end(), [&](std::size_t a, std::size_t b) {
    return by_class[a].lost.seconds() > by_class[b].lost.seconds();
  });
  return classes;
}

bool of_one_node(const FaultClass& fault_class) {
  return fault_class.unit == ExposureUnit::kGpu || fault_class.unit == ExposureUnit::kNode;
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace

std::string_view stall_kind(const FaultClassConfig& config) { return kKinds[kind_of(config)]; }

std::vector<StallKind> stall_kinds(const RunResults& results) {
  std::vector<StallKind> kinds;
  const double noise = results.stall(2).mean * runs(results);
  if (!records(results).any() && !(noise > 0)) return kinds;
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    StallKind kind{.name = kKinds[k], .lengths = {}};
    for (std::size_t c = 0; c < records(results).by_class.size(); ++c) {
      if (kind_of(*results.plan.classes()[c].config) != k) continue;
      const StallRecords::OfClass& of_class = records(results).by_class[c];
      kind.count += of_class.count;
      kind.lost_seconds += of_class.lost.seconds();
      kind.lengths.add(of_class.lengths);
    }
    if (k == kAgentNoise) kind.lost_seconds = noise;
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

double slow_inflation(const RunResults& results) {
  return 1 / (1 - results.lost(Account::kStraggler).mean);
}

double share_of_one_node(const RunResults& results) {
  double one_node = 0;
  for (std::size_t c = 0; c < records(results).by_class.size(); ++c) {
    if (of_one_node(results.plan.classes()[c]))
      one_node += hours(records(results).by_class[c].lost);
  }
  return share(one_node, all_hours(results));
}

Section nccl_stalls(const RunResults& results) {
  Section section{.title = "NCCL stalls"};
  section.table.columns = {{"kind", Align::kLeft},          {"hours a run", Align::kRight},
                           {"stalls a run", Align::kRight}, {"p50", Align::kRight},
                           {"p90", Align::kRight},          {"p99", Align::kRight},
                           {"max", Align::kRight}};
  for (const StallKind& kind : stall_kinds(results)) {
    if (kind.count == 0 && !(kind.lost_seconds > 0)) continue;
    const auto quantile = [&](double q) {
      return kind.count == 0 ? "-" : brief(kind.lengths.quantile_seconds(q));
    };
    section.table.rows.push_back({std::string(kind.name),
                                  number(kind.lost_seconds / kHour / runs(results), 2),
                                  number(static_cast<double>(kind.count) / runs(results), 1),
                                  quantile(0.50), quantile(0.90), quantile(0.99), quantile(1)});
  }
  if (section.table.rows.empty()) return {.title = section.title, .lines = {"None."}};
  section.lines = {
      "Time in which every rank waits for one. A crash stalls until its error has reached every "
      "rank, a hang until it is over or a watchdog ends it, a flap until the link is back or the "
      "transport gives up. Of a slow-down and of agent noise, the extra time of the steps counts."};
  if (happened(results.lost(Account::kStraggler))) {
    section.notes = {fmt::format(
        "Slow-downs made the jobs take {} times as long; {} of their time "
        "was wasted on them.",
        number(slow_inflation(results), 3), percent(results.lost(Account::kStraggler).mean))};
  }
  for (const SimulationPlan::Job& job : results.plan.jobs()) {
    if (!job.noise.at_full_speed) continue;
    const AcrossNodes across = results.scenario().detectors.monitoring->across_nodes;
    if (const auto caveat = charged_noise_caveat(*job.noise.at_full_speed, across)) {
      section.notes.push_back(
          fmt::format("Agent noise of {}: {}", printable(job.config->name), *caveat));
    }
  }
  return section;
}

Section stalls_by_class(const RunResults& results) {
  Section section{.title = "Who was to blame for the stalls"};
  section.table.columns = {{"class", Align::kLeft},
                           {"kind", Align::kLeft},
                           {"hours a run", Align::kRight},
                           {"share", Align::kRight},
                           {"", Align::kLeft}};
  const std::vector<std::size_t> classes = classes_by_hours(results);
  const double all = all_hours(results);
  double rest = 0;  // of classes with hardly any share
  for (const std::size_t c : classes) {
    const FaultClassConfig& config = *results.plan.classes()[c].config;
    const double of_class = share(hours(records(results).by_class[c].lost), all);
    if (of_class < kLeastShown) {
      rest += of_class;
      continue;
    }
    const double largest = share(hours(records(results).by_class[classes.front()].lost), all);
    section.table.rows.push_back({config.name, std::string(stall_kind(config)),
                                  number(of_class * all / runs(results), 2), percent(of_class),
                                  bar(share(of_class, largest), kBarWidth)});
  }
  if (rest > 0) {
    section.table.rows.push_back(
        {"others", "", number(rest * all / runs(results), 2), percent(rest), ""});
  }
  if (!classes.empty()) {
    section.notes.push_back(
        fmt::format("{} of these hours are faults of one node each (not always the same one); the "
                    "rest are faults of a rack or of the job itself.",
                    percent(share_of_one_node(results))));
  }
  return section;
}

Section stall_savings(const RunResults& results) {
  Section section{.title = "What would have ended hangs and flaps sooner"};
  section.table.columns = {{"setting", Align::kLeft},       {"hours saved", Align::kRight},
                           {"of all", Align::kRight},       {"regained", Align::kRight},
                           {"ended sooner", Align::kRight}, {"cut in vain", Align::kRight}};
  const double all = hang_hours(results);
  if (all == 0) return section;
  const auto a_run = [&](double value, int digits) {
    return number(value / runs(results), digits);
  };
  for (std::size_t l = 0; l < kStallLimits.size(); ++l) {
    const StallRecords::Saving& saving = records(results).savings[l];
    section.table.rows.push_back(
        {std::string(kStallLimits[l].setting), a_run(hours(saving.saved), 2),
         percent(share(hours(saving.saved), all)), a_run(hours(saving.regained), 2),
         a_run(static_cast<double>(saving.shortened), 1),
         a_run(static_cast<double>(saving.cut), 1)});
  }
  section.lines = {
      "From the lengths of these very stalls, per run. `regained`: no node held the job "
      "afterwards, "
      "so it is back so much earlier; otherwise it waits for a repair all the same. `cut in vain`: "
      "stalls that would have gone over, and cost a restart. What strikes at another instant "
      "because "
      "of it is not in here: `compare` is exact."};
  return section;
}

Json stalls_json(const RunResults& results) {
  const auto a_run = [&](double value) { return value / runs(results); };
  Json kinds = Json::array();
  for (const StallKind& kind : stall_kinds(results)) {
    const auto quantile = [&](double q) {
      return kind.count == 0 ? Json(nullptr) : Json(kind.lengths.quantile_seconds(q));
    };
    kinds.push_back({{"kind", kind.name},
                     {"n", kind.count},
                     {"lost_seconds", a_run(kind.lost_seconds)},
                     {"p50_seconds", quantile(0.50)},
                     {"p90_seconds", quantile(0.90)},
                     {"p99_seconds", quantile(0.99)},
                     {"max_seconds", quantile(1)}});
  }
  Json classes = Json::array();
  for (const std::size_t c : classes_by_hours(results)) {
    const StallRecords::OfClass& of_class = records(results).by_class[c];
    classes.push_back({{"class", results.plan.classes()[c].config->name},
                       {"kind", stall_kind(*results.plan.classes()[c].config)},
                       {"n", of_class.count},
                       {"lost_seconds", a_run(of_class.lost.seconds())},
                       {"share", share(hours(of_class.lost), all_hours(results))}});
  }
  Json limits = Json::array();
  for (std::size_t l = 0; l < kStallLimits.size(); ++l) {
    const StallRecords::Saving& saving = records(results).savings[l];
    limits.push_back({{"setting", kStallLimits[l].setting},
                      {"saved_seconds", a_run(saving.saved.seconds())},
                      {"saved_share", share(hours(saving.saved), hang_hours(results))},
                      {"regained_seconds", a_run(saving.regained.seconds())},
                      {"ended_sooner", a_run(static_cast<double>(saving.shortened))},
                      {"cut_in_vain", a_run(static_cast<double>(saving.cut))}});
  }
  return {{"kinds", kinds},
          {"classes", classes},
          {"slow_inflation", slow_inflation(results)},
          {"one_node_share", share_of_one_node(results)},
          {"limits", limits}};
}

}  // namespace faultline
