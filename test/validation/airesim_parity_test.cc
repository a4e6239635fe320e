// AIReSim's settings, written as scenarios (test/validation/airesim/*.yaml), against what AIReSim itself gives for them
// (reference.csv beside them): all its metrics that exist in both, mean against mean.
//
// Each comparison is z = (our mean - its mean) / sqrt(our variance / our n + its variance / its n). All together are to
// hold with 99%: with C comparisons, |z| at most the normal quantile of 1 - 0.01/(2 C) (Bonferroni). A rate that is 5%
// too high fails by far.
//
// AIReSim lets its repairs run on after the job has ended, and counts them; a run of ours ends with the job. What the
// machines in the shop would still come to is added in expectation: of those in the automatic stage a share
// `escalates` goes on, and each stage mends its share.
//
// `faultline test -V -R airesim_parity` prints the table and the CPU time of its default setting.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/engine/simulation.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

struct Estimate {
  double mean = 0;
  double variance_of_mean = 0;
};
using Metrics = std::map<std::string, Estimate>;

std::string home() {
  const char* const home = std::getenv("FAULTLINE_HOME");
  return home == nullptr ? "." : home;
}
std::string file_of(const std::string& setting) {
  return home() + "/test/validation/airesim/" + setting + ".yaml";
}

std::map<std::string, Metrics> reference() {
  std::ifstream file(home() + "/test/validation/airesim/reference.csv");
  std::map<std::string, Metrics> settings;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#' || line.starts_with("setting,")) continue;
    std::istringstream cells(line);
    std::vector<std::string> cell(5);
    for (std::string& text : cell) std::getline(cells, text, ',');
    const double stdev = std::stod(cell[3]);
    settings[cell[0]][cell[1]] = {.mean = std::stod(cell[2]),
                                  .variance_of_mean = stdev * stdev / std::stod(cell[4])};
  }
  return settings;
}

// AIReSim's metrics of one replication of ours.
std::map<std::string, double> in_its_terms(const Scenario& scenario,
                                           const std::map<std::string, double>& ours) {
  const auto& job = std::get<TrainingConfig>(scenario.workloads[0]);
  const RepairShopConfig& shop = *scenario.capacity.shop;
  const auto lost = [&](const std::string& cause) {
    return ours.at("lost_ratio{cause=\"" + cause + "\"}") * ours.at("completion_seconds") / 60;
  };
  std::map<std::string, double> its;
  const double total = ours.at("completion_seconds") / 60;
  const double selection =
      job.gang->host_selection.seconds() / 60 * ours.at("host_selections_total");
  const double wait = job.gang->preemption.seconds() / 60 * ours.at("preemptions_total");
  const double compute = lost("productive");
  const double recovery = lost("restart") - selection;
  its["total_training_time_min"] = total;
  its["total_compute_time_min"] = compute;
  its["total_recovery_time_min"] = recovery;
  its["total_host_selection_time_min"] = selection;
  its["total_wait_time_min"] = wait;
  its["stall_time_min"] = total - compute - recovery - selection - wait;
  its["effective_training_ratio"] = ours.at("ettr_ratio");
  its["total_failures"] = ours.at("interruptions_total");
  double random = ours.at("interruptions_total{class=\"random\"}");
  double systematic = ours.at("interruptions_total{class=\"systematic\"}");
  if (scenario.faults.classes[0].life_from_restart) {
    // Its lives are those of a bad server's whole rate, 6 r; it calls a failure random with r / 6 r.
    random += systematic / 6;
    systematic *= 5.0 / 6;
  }
  its["random_failures"] = random;
  its["systematic_failures"] = systematic;
  const double visits = ours.at("machines_to_shop_total");
  const double over = ours.at("repairs_mended_total") + ours.at("repairs_failed_total");
  const double in_automatic = visits - ours.at("repairs_automatic_total");
  const double in_manual = ours.at("repairs_automatic_total") - over;
  const double mended = ours.at("repairs_mended_total") + in_manual * shop.manual.success +
                        in_automatic * ((1 - shop.escalates) * shop.automatic.success +
                                        shop.escalates * shop.manual.success);
  its["auto_repairs"] = visits;
  its["manual_repairs"] =
      ours.at("repairs_manual_total") + in_manual + in_automatic * shop.escalates;
  its["successful_repairs"] = mended;
  its["failed_repairs"] = visits - mended;
  its["servers_retired"] = ours.at("machines_retired_total");
  its["preemption_count"] = ours.at("preemptions_total");
  its["host_selection_count"] = ours.at("host_selections_total");
  its["cluster_depleted"] = 1 - ours.at("completed_ratio");
  return its;
}

Metrics simulate(const Scenario& scenario, std::uint32_t replications) {
  const ReplicationTable table =
      run_scenario(scenario, {.seed = 2603'07041, .replications = replications});
  std::map<std::string, std::vector<double>> columns;
  for (const std::vector<double>& row : table.values) {
    std::map<std::string, double> ours;
    for (std::size_t m = 0; m < row.size(); ++m) ours[table.names[m].text()] = row[m];
    for (const auto& [metric, value] : in_its_terms(scenario, ours)) {
      columns[metric].push_back(value);
    }
  }
  Metrics metrics;
  for (const auto& [metric, values] : columns) {
    const Summary summary = summarise(values);
    double squares = 0;
    for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
    const auto n = static_cast<double>(values.size());
    metrics[metric] = {.mean = summary.mean, .variance_of_mean = squares / (n - 1) / n};
  }
  return metrics;
}

// Numbers that do not vary agree up to rounding.
double z_of(const Estimate& ours, const Estimate& its) {
  const double difference = ours.mean - its.mean;
  if (std::abs(difference) <= 1e-6 * std::max(1.0, std::abs(its.mean))) return 0;
  return difference / std::sqrt(ours.variance_of_mean + its.variance_of_mean);
}

double limit(std::size_t comparisons) {
  const boost::math::normal normal;
  return boost::math::quantile(normal, 1 - 0.01 / (2 * static_cast<double>(comparisons)));
}

std::uint32_t replications_of(const std::string& setting) {
  return setting.front() == 's' ? 1000 : setting.front() == 'm' ? 400 : 200;
}

TEST(AIReSimParity, EveryMetricOfEverySetting) {
  const std::map<std::string, Metrics> settings = reference();
  ASSERT_EQ(settings.size(), 14U);
  std::size_t comparisons = 0;
  for (const auto& [setting, metrics] : settings) comparisons += metrics.size();
  const double most = limit(comparisons);
  double worst = 0;
  fmt::print("{:<24} {:<30} {:>14} {:>14} {:>7}\n", "setting", "metric", "AIReSim", "faultline",
             "z");
  for (const auto& [setting, its] : settings) {
    const Scenario scenario = project_scenario(file_of(setting));
    const Metrics ours = simulate(scenario, replications_of(setting));
    for (const auto& [metric, estimate] : its) {
      ASSERT_TRUE(ours.contains(metric)) << metric;
      const double z = z_of(ours.at(metric), estimate);
      worst = std::max(worst, std::abs(z));
      fmt::print("{:<24} {:<30} {:>14.4f} {:>14.4f} {:>7.2f}\n", setting, metric, estimate.mean,
                 ours.at(metric).mean, z);
      EXPECT_LE(std::abs(z), most) << setting << ": " << metric;
    }
  }
  fmt::print("{} comparisons, largest |z| {:.2f}, allowed {:.2f}\n", comparisons, worst, most);
}

// All rates x 1.05. Failures of M1: 419.6 +- 1.4 (one standard error) against 440.6 +- 1.0: z = 12.
TEST(AIReSimParity, ARateFivePercentTooHighFails) {
  const std::map<std::string, Metrics> settings = reference();
  Scenario scenario = project_scenario(file_of("m1_llama3_like"));
  for (FaultClassConfig& fault_class : scenario.faults.classes) fault_class.rate->count *= 1.05;
  const Metrics ours = simulate(scenario, 400);
  EXPECT_GT(z_of(ours.at("total_failures"), settings.at("m1_llama3_like").at("total_failures")),
            limit(14 * 18));
}

// CPU time of one replication of its default setting, on one thread. AIReSim needs 10.9 CPU s (one core of a shared
// AMD EPYC, Zen 4, 2.6 GHz, Python 3.11). Figures mean something in a release build only; nothing is asserted.
TEST(AIReSimParity, CpuTimePerReplication) {
  const Scenario scenario = project_scenario(file_of("l1_paper_default"));
  const SimulationPlan plan(scenario);
  Simulation simulation(plan);
  PooledDurations pooled(plan);
  RunMetrics metrics(plan, pooled);
  const auto run = [&](std::uint32_t replication) {
    metrics.begin();
    return simulation.run(RandomSource(1, replication), metrics);
  };
  for (std::uint32_t r = 0; r < 5; ++r) run(r);
  double best = 1e9;
  double failures = 0;
  std::uint64_t events = 0;
  for (std::uint32_t r = 0; r < 40; ++r) {
    const std::clock_t begin = std::clock();
    events = run(r);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (seconds < best) failures = metrics.values()[MetricIndex::kInterruptions];
    best = std::min(best, seconds);
  }
  fmt::print(
      "AIReSim's default setting: {:.3f} ms of CPU per replication (the best of 40), {} events, "
      "{:.0f} ns per "
      "failure; AIReSim 10.9 s: {:.0f} times as long\n",
      best * 1e3, events, best * 1e9 / failures, 10.9 / best);
}

}  // namespace
}  // namespace faultline
