// Every metric of the scenario `small` (seed 1, 20 replications), to the last bit, and a digest of
// the whole journal of replication 0, against what is committed. A change that is meant to change
// results is made together with the file:
//
//   FAULTLINE_UPDATE_GOLDEN=1 ./faultline test -R golden/small_summary
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "sim/engine/simulation.h"
#include "test/support/happening_digest.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

const ReplicationOptions kOptions{.seed = 1, .replications = 20};

std::string number(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{:.17g}", value);
}

std::vector<std::string> summary_of_small() {
  const Scenario scenario = project_scenario("small");
  const SimulationPlan plan(scenario);
  const ReplicationTable table = run_replications(plan, kOptions);
  std::vector<std::string> lines{
      "# scenario small, seed 1, 20 replications: metric, n, mean, ci95 low, ci95 high, p5, p50, "
      "p95"};
  const std::vector<Summary> summaries = table.summaries();
  for (std::size_t m = 0; m < summaries.size(); ++m) {
    const Summary& s = summaries[m];
    lines.push_back(fmt::format("{} {} {} {} {} {} {} {}", table.names[m].text(), s.n,
                                number(s.mean), number(s.ci95_low), number(s.ci95_high),
                                number(s.p5), number(s.p50), number(s.p95)));
  }
  Simulation simulation(plan);
  HappeningDigest journal;
  simulation.run(RandomSource(1, 0), journal);
  lines.push_back(fmt::format("journal of replication 0: {} happenings, digest {:016x}",
                              journal.happenings(), journal.digest()));
  return lines;
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Lines that only one of them has, in the notation of diff.
std::string difference(const std::vector<std::string>& expected,
                       const std::vector<std::string>& got) {
  const auto has = [](const std::vector<std::string>& lines, const std::string& line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  std::string text;
  for (const std::string& line : expected) {
    if (!has(got, line)) text += "- " + line + "\n";
  }
  for (const std::string& line : got) {
    if (!has(expected, line)) text += "+ " + line + "\n";
  }
  return text;
}

TEST(Golden, SmallSummary) {
  const char* const home = std::getenv("FAULTLINE_HOME");
  const std::string path =
      std::string(home == nullptr ? "." : home) + "/test/golden/small_summary.txt";
  const std::vector<std::string> got = summary_of_small();
  if (std::getenv("FAULTLINE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream file(path);
    for (const std::string& line : got) file << line << '\n';
    ASSERT_TRUE(file.flush()) << path;
    GTEST_SKIP() << "written: " << path;
  }
  const std::vector<std::string> expected = read_lines(path);
  ASSERT_FALSE(expected.empty()) << "no " << path;
  EXPECT_TRUE(got == expected) << "- committed, + now:\n" << difference(expected, got);
}

}  // namespace
}  // namespace faultline
