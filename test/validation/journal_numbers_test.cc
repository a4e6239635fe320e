// Every number of a report is a pure function of the journal: replication 0 of every shipped scenario is
// written to a file and read back, and what its happenings come to is compared with what the run itself
// has counted: every metric, every account of every job, every pooled duration, bit by bit.
//
// Bit by bit, because the same happenings are added up in the same order; a NaN (the mean of nothing)
// equals itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/engine/metrics.h"
#include "sim/engine/simulation.h"
#include "sim/lab/durations_text.h"
#include "sim/report/journal.h"
#include "sim/report/journal_reader.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

std::vector<std::string> shipped_scenarios() {
  const char* const home = std::getenv("FAULTLINE_HOME");
  const std::filesystem::path folder =
      std::filesystem::path(home == nullptr ? "." : home) / "traces" / "scenarios";
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".yaml") names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

struct Counted {
  explicit Counted(const SimulationPlan& plan) : pooled(plan), metrics(plan, pooled) {
    metrics.begin();
  }
  PooledDurations pooled;
  RunMetrics metrics;
};

class JournalNumbers : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Shipped, JournalNumbers, testing::ValuesIn(shipped_scenarios()),
                         test_name);

TEST_P(JournalNumbers, AreThoseOfTheRun) {
  const Scenario scenario = project_scenario(GetParam());
  const SimulationPlan plan(scenario);
  Counted live(plan);
  Simulation simulation(plan);
  simulation.run(RandomSource(1, 0), live.metrics);

  const std::string path = testing::TempDir() + "journal-numbers-" + GetParam() + ".jsonl";
  std::ofstream out(path);
  JournalWriter writer(plan, out, 1, 0);
  simulation.run(RandomSource(1, 0), writer);
  ASSERT_TRUE(writer.finish()) << path;
  out.close();

  std::ifstream in(path);
  const auto journal = read_journal(in);
  std::filesystem::remove(path);
  ASSERT_TRUE(journal) << journal.error();
  ASSERT_TRUE(journal->names == HappeningNames(plan));
  Counted read(plan);
  for (const Happening& happening : journal->happenings) read.metrics.on(happening);

  const std::vector<MetricName> names = metric_names(plan);
  ASSERT_EQ(read.metrics.values().size(), names.size());
  for (std::size_t m = 0; m < names.size(); ++m) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read.metrics.values()[m]),
              std::bit_cast<std::uint64_t>(live.metrics.values()[m]))
        << names[m].text() << ": " << read.metrics.values()[m] << " and "
        << live.metrics.values()[m];
  }
  for (std::size_t job = 0; job < plan.jobs().size(); ++job) {
    EXPECT_EQ(read.metrics.ledger().accounts(JobId(job)),
              live.metrics.ledger().accounts(JobId(job)));
  }
  EXPECT_EQ(durations_to_text(read.pooled), durations_to_text(live.pooled));
}

// The test above sees what a journal leaves out only where it happens: together the scenarios have stalls
// of every kind.
TEST(JournalNumbersOfAll, HaveCrashesThatSurfaceHangsAndSlowDowns) {
  bool surfaces = false;
  bool hangs = false;
  bool slows = false;
  for (const std::string& name : shipped_scenarios()) {
    const Scenario scenario = project_scenario(name);
    const SimulationPlan plan(scenario);
    Counted live(plan);
    Simulation(plan).run(RandomSource(1, 0), live.metrics);
    for (std::size_t c = 0; c < plan.classes().size(); ++c) {
      if (live.pooled.stalls.by_class[c].count == 0) continue;
      const FaultEffect effect = plan.classes()[c].config->effect;
      surfaces = surfaces || effect == FaultEffect::kCrash;
      hangs = hangs || effect == FaultEffect::kHang;
      slows = slows || effect == FaultEffect::kSlow;
    }
  }
  EXPECT_TRUE(surfaces && hangs && slows);
}

}  // namespace
}  // namespace faultline
