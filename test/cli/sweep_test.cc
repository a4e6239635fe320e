// `faultline sweep`, and what every experiment has in common: formats, result stores, dry runs, early ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> kSweep{"sweep",  "small",
                                      "--vary", "policy.gate=off,10%..30%/20%",
                                      "--vary", "capacity.warm_spares=0..4/4",
                                      "--reps", "6"};

ProgramResult sweep(std::vector<std::string> more) {
  more.insert(more.begin(), kSweep.begin(), kSweep.end());
  return faultline(more);
}

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(SweepTest, TextHasALinePerPoint) {
  const ProgramResult result = sweep({});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("small: a sweep\n"));
  EXPECT_THAT(result.out, HasSubstr("6 points, 6 replications each, seed 1"));
  EXPECT_THAT(result.out, HasSubstr("`capacity.warm_spares` is varied"));
  for (const char* row : {"off +0 ", "off +4 ", "10% +0 ", "30% +4 "}) {
    EXPECT_THAT(result.out, ContainsRegex(row));
  }
  EXPECT_THAT(result.err, ContainsRegex("^36 replications of small, seed 1, in "));
  EXPECT_THAT(sweep({"--format", "md"}).out, HasSubstr("| gate | warm\\_spares | ettr |"));
}

// Every experiment refuses that, as `run` does (there with all the ways in which a path can be the same).
TEST(SweepTest, TheReportDoesNotOverwriteTheScenario) {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("mine.yaml", "extends: small\n");
  const ProgramResult result = faultline(
      {"sweep", scenario, "--vary", "policy.gate=off,20%", "--reps", "2", "-o", scenario});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, testing::StartsWith("faultline sweep: -o would overwrite `"));
  EXPECT_EQ(read_file(scenario), "extends: small\n");
}

TEST(SweepTest, CsvIsLong) {
  const ProgramResult result = sweep({"--format", "csv"});
  EXPECT_THAT(result.out,
              StartsWith("policy.gate,capacity.warm_spares,metric,mean,ci95_low,ci95_high,p5,p50,"
                         "p95,n\noff,0,ettr_ratio,0."));
  EXPECT_THAT(result.out, HasSubstr("\n30%,4,\"lost_ratio{cause=\"\"redo\"\"}\","));
  const json report = json::parse(sweep({"--format", "json"}).out);
  EXPECT_EQ(count_lines(result.out), 1 + 6 * report["points"][0]["metrics"].size());
}

TEST(SweepTest, APointIsARunOfThatScenario) {
  const json report = json::parse(sweep({"--format", "json"}).out);
  EXPECT_EQ(report["schema_version"], 2);
  EXPECT_EQ(report["experiment"], "sweep");
  EXPECT_EQ(report["replications"], 6);
  const json& point = report["points"][3];
  EXPECT_EQ(point["label"], "gate=10% warm_spares=4");
  EXPECT_EQ(point["settings"]["capacity.warm_spares"], "4");
  const json run =
      json::parse(faultline({"run", "small", "--set", "policy.gate=10%", "--set",
                             "capacity.warm_spares=4", "--reps", "6", "--format", "json"})
                      .out);
  EXPECT_EQ(point["metrics"], run["metrics"]);
}

TEST(SweepTest, ChosenMetricsHaveTheirSpread) {
  const ProgramResult result =
      sweep({"--metric", "ettr", "--metric", "lost{redo} + lost{restart}"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("lost{redo} + lost{restart}"));
  EXPECT_THAT(result.out, ContainsRegex("gate +warm_spares +mean +p5 +p50 +p95 +p50 is in +n"));
  const ProgramResult csv = sweep({"--metric", "ettr", "--format", "csv"});
  EXPECT_EQ(count_lines(csv.out), 7U);
  EXPECT_THAT(csv.out, HasSubstr("\noff,4,ettr,0."));
}

TEST(SweepTest, WithoutKnobsItIsOnePoint) {
  const ProgramResult result = faultline({"sweep", "small", "--reps", "3"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("as it is +[0-9]"));
}

TEST(SweepTest, ThreadsDoNotMatter) {
  for (const char* format : {"text", "json", "csv", "md"}) {
    EXPECT_EQ(sweep({"--format", format, "--threads", "1"}).out,
              sweep({"--format", format, "--threads", "2"}).out);
  }
}

TEST(SweepTest, AStoreIsContinued) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  const std::string plain = sweep({"--format", "csv"}).out;
  ProgramResult result = sweep({"--format", "csv", "--shard", "2/3", "-o", store});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, StartsWith("12 replications of small"));
  result = sweep({"--format", "csv", "-o", store});
  EXPECT_EQ(result.out, plain);
  EXPECT_THAT(result.err, StartsWith("24 replications of small"));
  EXPECT_THAT(result.err, HasSubstr("(12 more from `" + store + "`)"));
  result = sweep({"--format", "csv", "-o", store, "-o", folder.file("report.csv"), "--quiet"});
  EXPECT_EQ(read_file(folder.file("report.csv")), plain);
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_THAT(sweep({"--stored", "-o", store}).err, StartsWith("0 replications of small"));
}

TEST(SweepTest, StoredSaysWhatIsMissing) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  EXPECT_EQ(sweep({"--shard", "2/3", "-o", store}).code, 0);
  const ProgramResult result = sweep({"--stored", "-o", store});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "faultline sweep: `" + store +
                            "` lacks 24 replications\n"
                            "  share 1/3: 12 replications, it is not here at all\n"
                            "  share 3/3: 12 replications, it is not here at all\n"
                            "To simulate them here:\n"
                            "  faultline sweep small --reps=6 "
                            "--vary=policy.gate=off,10%..30%/20% "
                            "--vary=capacity.warm_spares=0..4/4 -o " +
                            store + "\n");
}

TEST(SweepTest, StoredMakesNoFile) {
  const TemporaryFolder folder;
  const std::string typo = folder.file("typo.db");
  const ProgramResult result = sweep({"--stored", "-o", typo});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "faultline sweep: there is no file `" + typo + "`\n");
  EXPECT_FALSE(std::filesystem::exists(typo));
}

TEST(SweepTest, DryRunSaysWhatWouldRun) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  ProgramResult result = sweep({"--dry-run", "--threads", "2", "-o", store});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              ContainsRegex("^6 points, 36 replications in all\n36 to run: about [0-9a-z.]+ on 2 "
                            "threads\n$"));
  EXPECT_FALSE(std::filesystem::exists(store));
  sweep({"--shard", "1/3", "-o", store});
  result = sweep({"--dry-run", "--shard", "2/2", "-o", store});
  // Of 0 ... 5, the first of three has 0 and 3, the second of two 1, 3 and 5.
  EXPECT_THAT(result.out, HasSubstr("\n12 in `" + store + "` already\n12 to run in share 2/2: "));
  sweep({"-o", store});
  EXPECT_THAT(sweep({"--dry-run", "-o", store}).out, testing::EndsWith("\n0 to run\n"));
}

TEST(SweepTest, InterruptKeepsAndReportsWhatIsFinished) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  Program program({"sweep", "small", "--vary", "policy.gate=off,20%", "--reps", "1000000",
                   "--format", "json", "-o", store});
  await_stored(store, 300'000);  // a few batches
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.code, 130) << "the store is not complete";
  EXPECT_THAT(result.err, StartsWith("interrupted after "));
  const json report = json::parse(result.out);
  const std::size_t finished = report["points"][0]["replications"].get<std::size_t>() +
                               report["points"][1]["replications"].get<std::size_t>();
  EXPECT_GT(finished, 0U);
  const ProgramResult exported = faultline({"export", store});
  std::size_t rows = 0;
  for (std::size_t at = exported.out.find(",ettr_ratio,"); at != std::string::npos;
       at = exported.out.find(",ettr_ratio,", at + 1)) {
    ++rows;
  }
  EXPECT_EQ(rows, finished);
}

TEST(SweepTest, InterruptedWhileItLoads) {
  Program program({"sweep", "small", "--vary", "capacity.warm_spares=0..9999/1", "--reps", "1"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto asked = std::chrono::steady_clock::now();
  program.send(SIGTERM);
  const ProgramResult result = program.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(10));
  EXPECT_EQ(result.code, 130);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, ContainsRegex("^interrupted with [0-9]+ of 10000 points loaded, nothing "
                                        "was simulated\n$"));
}

TEST(SweepTest, ASecondProcessSaysWhoHoldsTheStore) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  Program first({"sweep", "small", "--reps", "1000000", "-o", store, "--quiet"});
  while (!std::filesystem::exists(store + "-wal")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const ProgramResult second = faultline({"export", store});
  first.send(SIGINT);
  first.wait();
  EXPECT_EQ(second.code, 3);
  EXPECT_THAT(
      second.err,
      ContainsRegex("^faultline export: `.*` is in use by (process [0-9]+ \\(faultline[^ ]* "
                    "sweep small --reps 1000000 |another process)"));
}

TEST(SweepTest, UnknownFieldsLookLikeThoseOfSet) {
  const ProgramResult result = faultline({"sweep", "small", "--vary", "policy.gaet=10%,20%"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, StartsWith("--vary policy.gaet=10%: policy.gaet: unknown key; did you "
                                     "mean gate?\n"));
}

}  // namespace
}  // namespace faultline::test
