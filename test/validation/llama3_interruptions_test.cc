// How often each cause interrupts Llama 3 405B: 54 days on 2,048 nodes against the counts of Table
// 5 (arXiv 2407.21783): 419 unexpected interruptions in 18 classes, and 47 planned ones. The rates
// are made from these counts, so this checks the exposure, the arrivals and the counting, not the
// world.
//
// Exposure is the wall clock, as the catalogue defines it: a fault that meets the job down already
// is an interruption too.
//
// Statistics. n = 200 replications, seed 1, no retries. The number of interruptions of a class,
// summed over the replications, is Poisson with mean 200 x count. Checks:
//   - total: mean within 1.5% of 419, 4.3 standard errors (sqrt(419/200) = 1.45): alpha = 1.4e-5;
//   - each class: the exact (Garwood) 99% interval of the sum holds 200 x count: alpha = 1% per
//     class. That is sharper by sqrt(200) than to ask whether the mean lies in the interval of the
//     one count of the table, which is checked too.
// Mutant: every rate x 1.05. The total moves by 14 standard errors, and so do the classes that are
// frequent enough for 5% to be seen in 10,000 events and more (148, 72, 54); for the planned
// interruptions it is 4.8.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "models/analytic/poisson.h"
#include "test/support/estimate.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

const ReplicationOptions kOptions{.seed = 1, .replications = 200};
constexpr double kReplications = 200;

struct Cause {
  const char* name;  // in the catalogue
  double count;      // in Table 5
};
constexpr std::array kCauses{Cause{"faulty-gpu", 148},
                             Cause{"hbm3-memory", 72},
                             Cause{"software-bug", 54},
                             Cause{"network-switch-cable", 35},
                             Cause{"host-maintenance", 32},
                             Cause{"sram-memory", 19},
                             Cause{"gpu-system-processor", 17},
                             Cause{"nic", 7},
                             Cause{"nccl-watchdog-timeout", 7},
                             Cause{"silent-data-corruption", 6},
                             Cause{"thermal-interface-sensor", 6},
                             Cause{"ssd", 3},
                             Cause{"power-supply", 3},
                             Cause{"server-chassis", 2},
                             Cause{"io-expansion-board", 2},
                             Cause{"dependency", 2},
                             Cause{"cpu", 2},
                             Cause{"system-memory", 2}};
constexpr double kUnexpected = 419;
constexpr double kPlanned = 47;

const ReplicationTable& llama3() {
  static const ReplicationTable table = run_scenario(project_scenario("llama3"), kOptions);
  return table;
}

const ReplicationTable& mutant() {
  static const ReplicationTable table = [] {
    Scenario scenario = project_scenario("llama3");
    for (FaultClassConfig& fault_class : scenario.faults.classes) fault_class.rate->count *= 1.05;
    return run_scenario(scenario, kOptions);
  }();
  return table;
}

double mean(const ReplicationTable& table, const std::string& metric) {
  return sum(column(table, metric)) / kReplications;
}

bool total_agrees(const ReplicationTable& table) {
  return std::abs(mean(table, "interruptions_total") / kUnexpected - 1) <= 0.015;
}

// Whether the exact 99% interval of the sum over the replications holds its expected value.
bool agrees(const ReplicationTable& table, const std::string& metric, double count) {
  const auto events = static_cast<std::int64_t>(std::lround(sum(column(table, metric))));
  return analytic::poisson_interval(events, 0.99).holds(kReplications * count);
}

std::string interruptions_of(const Cause& cause) {
  return "interruptions_total{class=\"" + std::string(cause.name) + "\"}";
}

TEST(Llama3Interruptions, TheTotalIs419) {
  EXPECT_TRUE(total_agrees(llama3())) << mean(llama3(), "interruptions_total");
  EXPECT_FALSE(total_agrees(mutant())) << mean(mutant(), "interruptions_total");
}

TEST(Llama3Interruptions, EachClassHasItsCount) {
  double total = 0;
  for (const Cause& cause : kCauses) {
    total += cause.count;
    const double simulated = mean(llama3(), interruptions_of(cause));
    EXPECT_TRUE(agrees(llama3(), interruptions_of(cause), cause.count))
        << cause.name << ": " << simulated << " instead of " << cause.count;
    const auto one_count = static_cast<std::int64_t>(cause.count);
    EXPECT_TRUE(analytic::poisson_interval(one_count, 0.99).holds(simulated)) << cause.name;
    if (cause.count >= 54) {
      EXPECT_FALSE(agrees(mutant(), interruptions_of(cause), cause.count)) << cause.name;
    }
  }
  EXPECT_EQ(total, kUnexpected);
}

TEST(Llama3Interruptions, FortySevenArePlanned) {
  EXPECT_TRUE(agrees(llama3(), "planned_interruptions_total", kPlanned))
      << mean(llama3(), "planned_interruptions_total");
  EXPECT_FALSE(agrees(mutant(), "planned_interruptions_total", kPlanned));
}

// No class that only alarms interrupts the job by itself.
TEST(Llama3Interruptions, OnlyTheseClassesInterrupt) {
  std::map<std::string, double> counts;
  for (const MetricName& name : llama3().names) {
    if (name.name != "interruptions_total" || name.label.empty()) continue;
    counts[name.value] = mean(llama3(), name.text());
  }
  for (const Cause& cause : kCauses) EXPECT_EQ(counts.erase(cause.name), 1U) << cause.name;
  for (const auto& [name, count] : counts) EXPECT_EQ(count, 0) << name;
}

// Poisson arrivals see time averages: the share of the interruptions that meet the job down is the
// share of time that it is down. The `restart` account holds both the time down before a restart
// (tear-down, back-off) and the restart itself, so the time down lies between the sums without it
// and with it. (A rough check: faults that hold the job do not strike its absent nodes, and a hang
// counts when it ends.)
TEST(Llama3Interruptions, TheShareThatMeetsTheJobDownIsTheTimeDown) {
  double down = 0;
  for (const char* cause :
       {"detect", "tolerate", "gate", "drain", "provision", "no_capacity", "planned"}) {
    down += mean(llama3(), "lost_ratio{cause=\"" + std::string(cause) + "\"}");
  }
  const double with_restart = down + mean(llama3(), "lost_ratio{cause=\"restart\"}");
  const double share =
      mean(llama3(), "interruptions_while_down_total") / mean(llama3(), "interruptions_total");
  EXPECT_GT(share, down - 0.01);
  EXPECT_LT(share, with_restart + 0.01);
  RecordProperty("share_while_down", std::to_string(share));
  RecordProperty("time_down", std::to_string(down));
  RecordProperty("time_down_and_restart", std::to_string(with_restart));
}

TEST(Llama3Interruptions, TheAccountsSumToOneInEveryReplication) {
  ASSERT_EQ(llama3().values.size(), 200U);
  for (const std::vector<double>& row : llama3().values) {
    double total = 0;
    int accounts = 0;
    for (std::size_t m = 0; m < row.size(); ++m) {
      if (llama3().names[m].name != "lost_ratio") continue;
      EXPECT_GE(row[m], 0) << llama3().names[m].text();
      total += row[m];
      ++accounts;
    }
    EXPECT_EQ(accounts, 15);
    EXPECT_NEAR(total, 1, 1e-9);
  }
}

}  // namespace
}  // namespace faultline
