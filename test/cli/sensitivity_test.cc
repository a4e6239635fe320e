// `faultline sensitivity`: what it finds in the scenarios of the project.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

json small(std::vector<std::string> more = {}) {
  std::vector<std::string> words{"sensitivity", "small",    "--reps", "30",
                                 "--quiet",     "--format", "json"};
  words.insert(words.end(), more.begin(), more.end());
  const ProgramResult result = faultline(words);
  EXPECT_EQ(result.code, 0) << result.err;
  return json::parse(result.out);
}

const json* find(const json& list, const std::string& path) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const json& each) { return each["path"] == path; });
  return found == list.end() ? nullptr : &*found;
}

TEST(SensitivityTest, FindsWhatMatters) {
  const json report = small();
  EXPECT_EQ(report["schema_version"], 2);
  EXPECT_EQ(report["objective"], "ettr");
  EXPECT_EQ(report["replications"], 30);
  const json* rate = find(report["differences"], "faults.classes[gpu-lost].rate");
  ASSERT_NE(rate, nullptr);
  EXPECT_EQ((*rate)["value"], "6 per 112 node-days");
  EXPECT_EQ((*rate)["low"]["value"], "4.8 per 112 node-days");
  EXPECT_EQ((*rate)["why"], "invented for teaching");
  EXPECT_TRUE((*rate)["detectable"]);
  EXPECT_GT((*rate)["low"]["mean"], 0);  // fewer failures: better
  EXPECT_LT((*rate)["high"]["mean"], 0);
  // A longer checkpoint only costs; the rack of a node matters to no fault of this scenario.
  const json* blocks = find(report["differences"], "workloads[job].checkpoint.blocks");
  ASSERT_NE(blocks, nullptr);
  EXPECT_TRUE((*blocks)["detectable"]);
  const json* racks = find(report["differences"], "fleet.pools[train].nodes_per_rack");
  ASSERT_NE(racks, nullptr);
  EXPECT_EQ((*racks)["swing"], 0);
  EXPECT_FALSE((*racks)["detectable"]);
}

TEST(SensitivityTest, SortedAndSkippedWithReasons) {
  const json report = small();
  double last = 1e9;
  bool detectable = true;
  for (const json& each : report["differences"]) {
    if (each["detectable"] != detectable) {
      EXPECT_TRUE(detectable);
      detectable = false;
      last = 1e9;
    }
    EXPECT_LE(each["swing"], last);
    last = each["swing"];
  }
  // 16 nodes cannot be 13: the job needs them.
  const json* nodes = find(report["skipped"], "fleet.pools[train].nodes");
  ASSERT_NE(nodes, nullptr);
  EXPECT_THAT((*nodes)["reason"].get<std::string>(), StartsWith("cannot become 13: "));
}

TEST(SensitivityTest, TextReadsWell) {
  const ProgramResult result = faultline({"sensitivity", "small", "--reps", "30"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, StartsWith("small: what ettr depends on\n\n  ettr is "));
  for (const char* const section :
       {"What matters", "What to measure first", "No detectable effect", "Skipped",
        "changed nothing in any replication: ", "traces/scenarios/small.yaml:", "|##"}) {
    EXPECT_THAT(result.out, HasSubstr(section));
  }
}

TEST(SensitivityTest, ObjectiveAndStep) {
  const json report = small({"--objective", "replacements", "--by", "50%"});
  EXPECT_EQ(report["by"], 0.5);
  const json* rate = find(report["differences"], "faults.classes[false-alarm].rate");
  ASSERT_NE(rate, nullptr);
  EXPECT_EQ((*rate)["high"]["value"], "18 per 112 node-days");
  EXPECT_GT((*rate)["high"]["mean"], 0);
}

TEST(SensitivityTest, TheSameForEveryNumberOfThreads) {
  EXPECT_EQ(small({"--threads", "1"}), small({"--threads", "2"}));
}

// An interruption in the midst of it: what was not simulated has no effect that is known.
TEST(SensitivityTest, AnInterruptionNamesWhatWasNotTested) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  Program program(
      {"sensitivity", "small", "--reps", "200", "--threads", "1", "--format", "json", "-o", store});
  await_stored(store, 1'200'000);  // 500 to 2,000 of 10,800 replications
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.code, 130) << "the store is not complete";
  const json report = json::parse(result.out);
  EXPECT_THAT(report["remark"].get<std::string>(),
              testing::ContainsRegex("^Interrupted: [0-9,]+ of [0-9,]+ replications are finished"));
  // One of the first, and of the last, neither of which changes anything.
  EXPECT_EQ((*find(report["differences"], "fleet.pools[train].nodes_per_rack"))["swing"], 0);
  const json* late = find(report["differences"], "capacity.terminate");
  ASSERT_NE(late, nullptr);
  EXPECT_TRUE((*late)["swing"].is_null());
  EXPECT_TRUE((*late)["detectable"].is_null());
}

TEST(SensitivityTest, AShareSaysSo) {
  const ProgramResult share = faultline({"sensitivity", "small", "--reps", "8", "--shard", "2/2"});
  EXPECT_EQ(share.code, 0) << share.err;
  EXPECT_THAT(share.out, HasSubstr("  Share 2/2 alone: `faultline merge` joins the shares to the "
                                   "answer.\n  ettr is "));
}

TEST(SensitivityTest, BadUse) {
  const auto error = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"sensitivity", "small"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = faultline(words);
    EXPECT_EQ(result.code, 2);
    return result.err;
  };
  EXPECT_EQ(error({"--objective", "etr"}),
            "faultline sensitivity: --objective: column 1: unknown metric `etr`; did you mean "
            "ettr?\n");
  EXPECT_EQ(error({"--reps", "1"}),
            "faultline sensitivity: --reps: 1 has no spread, so no effect could be told from "
            "chance; at least 2\n");
  EXPECT_EQ(error({"--by", "0%"}),
            "faultline sensitivity: --by: a share between 0% and 100%, such as 20%, is needed\n");
  EXPECT_EQ(error({"--by", "20"}),
            "faultline sensitivity: --by: a ratio is at most 1: write 20% for 20 of 100\n");
  EXPECT_THAT(error({"--set", "horizn=3d"}), HasSubstr("did you mean horizon?"));
  const TemporaryFolder folder;
  // (Written out, a scenario has no comments; this one has no `source: "assumption: ..."` either.)
  std::string text = faultline({"show", "rsc1"}).out;
  const std::size_t word = text.find("assumption: the ratio");
  ASSERT_NE(word, std::string::npos);
  const std::string file = folder.write("plain.yaml", text.replace(word, 10, "measured"));
  const ProgramResult none = faultline({"sensitivity", file});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.err, "faultline sensitivity: no number of `" + file +
                          "` is marked as an assumption: end its line with `# assumption: why`\n");
}

}  // namespace
}  // namespace faultline::test
