// AIReSim's settings, written as scenarios (test/validation/airesim/*.yaml), against what AIReSim
// itself gives for them (reference.csv beside them): all its metrics that exist in both, mean
// against mean.
//
//   z = (our mean - its mean) / sqrt(our variance / our n + its variance / its n)
//
// All comparisons together are to hold with 99%: of C comparisons, each |z| is at most the normal
// quantile of 1 - 0.01/(2 C) (Bonferroni).
//
// AIReSim lets its repairs run on after the job has ended, and counts them; a run of ours ends with
// the job. What the machines in the shop would still come to is added in expectation: of those in
// the automatic stage a share `escalates` goes on, and each stage mends its share.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "test/support/run_scenario.h"

namespace faultline::airesim {

struct Estimate {
  double mean = 0;
  double variance_of_mean = 0;
};
using Metrics = std::map<std::string, Estimate>;

inline std::string home() {
  const char* const home = std::getenv("FAULTLINE_HOME");
  return home == nullptr ? "." : home;
}
inline std::string file_of(const std::string& setting) {
  return home() + "/test/validation/airesim/" + setting + ".yaml";
}

inline std::map<std::string, Metrics> reference() {
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
inline std::map<std::string, double> in_its_terms(const Scenario& scenario,
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

inline Metrics simulate(const Scenario& scenario, std::uint32_t replications) {
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
inline double z_of(const Estimate& ours, const Estimate& its) {
  const double difference = ours.mean - its.mean;
  if (std::abs(difference) <= 1e-6 * std::max(1.0, std::abs(its.mean))) return 0;
  return difference / std::sqrt(ours.variance_of_mean + its.variance_of_mean);
}

inline double limit(std::size_t comparisons) {
  const boost::math::normal normal;
  return boost::math::quantile(normal, 1 - 0.01 / (2 * static_cast<double>(comparisons)));
}

inline std::uint32_t replications_of(const std::string& setting) {
  return setting.front() == 's' ? 1000 : setting.front() == 'm' ? 400 : 200;
}

// Compares every metric of the chosen settings, and prints the table.
inline void compare(const std::function<bool(const std::string&)>& chosen, std::size_t expected) {
  std::map<std::string, Metrics> settings = reference();
  std::erase_if(settings, [&](const auto& setting) { return !chosen(setting.first); });
  ASSERT_EQ(settings.size(), expected);
  std::size_t comparisons = 0;
  for (const auto& [setting, metrics] : settings) comparisons += metrics.size();
  const double most = limit(comparisons);
  double worst = 0;
  fmt::print("{:<24} {:<30} {:>14} {:>14} {:>7}\n", "setting", "metric", "AIReSim", "faultline",
             "z");
  for (const auto& [setting, its] : settings) {
    const Metrics ours = simulate(project_scenario(file_of(setting)), replications_of(setting));
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

}  // namespace faultline::airesim
