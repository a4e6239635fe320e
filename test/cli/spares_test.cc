// `faultline spares`: its answers, its reports and its errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

// ByteRobust plans 4 standbys for 1,024 machines by the 99th percentile of a binomial. By hand, with
// p = 0.1% and about Poisson(1.024): P(more than 3 out) = 2.1%, P(more than 4) = 0.41%.
TEST(SparesCommand, ByteRobustsStandbys) {
  const ProgramResult result = faultline(
      {"spares", "byterobust", "--target", "stockout <= 1%", "--max", "16", "--format", "json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["recommendation"]["spares"], 4);
  EXPECT_EQ(report["recommendation"]["by_chain"], 4);
  EXPECT_EQ(report["chain"]["breaks"], json::array());
  EXPECT_EQ(report["chain"]["out_p99"], 4);
  for (const json& point : report["points"]) {
    if (point["spares"] == 3) {
      EXPECT_NEAR(point["mean"], 0.0205, 0.002);
    }
    if (point["spares"] == 4) {
      EXPECT_NEAR(point["mean"], 0.0041, 0.0008);
    }
    EXPECT_NEAR(point["mean"], point["chain_stockout_ratio"], 0.05 * 0.65);
  }
}

// The scenario replaces no machine, so the question has no answer; the report says why, and what to move.
TEST(SparesCommand, WhereSparesAreNeverUsed) {
  const ProgramResult result =
      faultline({"spares", "rsc1", "--target", "ettr >= 95%", "--reps", "20", "--max", "8"});
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(result.out, StartsWith("rsc1: how many warm spares for `ettr >= 95%`?"));
  EXPECT_THAT(result.out, HasSubstr("No number of spares up to 8 meets `ettr >= 95%`"));
  EXPECT_THAT(result.out, HasSubstr("no node is ever replaced"));
  EXPECT_THAT(result.out, HasSubstr("`workloads[job].checkpoint.every`"));
}

TEST(SparesCommand, AReportReadsWell) {
  const ProgramResult result =
      faultline({"spares", "rsc1-repair", "--target", "ettr >= 90%", "--reps", "20"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("rsc1-repair: how many warm spares for `ettr >= 90%`?"));
  for (const char* text : {"warm spares meet `ettr >= 90%`", "They cost", "The curve", "  > ",
                           "What one more or fewer does", "The Markov chain"}) {
    EXPECT_THAT(result.out, HasSubstr(text));
  }
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.find('`') == std::string::npos) {
      EXPECT_LE(line.size(), 100U) << line;
    }
  }
  EXPECT_EQ(result.out, faultline({"spares", "rsc1-repair", "--target", "ettr >= 90%", "--reps",
                                   "20", "--threads", "1"})
                            .out);
}

// A target that the mean all but meets stays open; the report says for which numbers the cap was spent.
TEST(SparesCommand, AutoStopsWhenItIsDecided) {
  const std::vector<std::string> words{"spares", "byterobust", "--target", "stockout <= 1%",
                                       "--reps", "auto",       "--max",    "16"};
  const ProgramResult result = faultline(words);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("4 warm spares meet `stockout <= 1%`"));
  EXPECT_THAT(result.out, HasSubstr("Every number of spares in the curve is decided, with 100"));
  const TemporaryFolder folder;
  std::vector<std::string> stored = words;
  stored.insert(stored.end(), {"-o", folder.file("results.db")});
  EXPECT_EQ(faultline(stored).out, result.out);
  EXPECT_EQ(faultline(stored).out, result.out);
  std::vector<std::string> close{"spares",     "byterobust", "--target", "stockout <= 2.05%",
                                 "--max",      "3",          "--reps",   "auto",
                                 "--max-reps", "150",        "--format"};
  close.emplace_back("text");
  const ProgramResult capped = faultline(close);
  EXPECT_THAT(capped.out, HasSubstr("Not decided with 150 replications, the most that --max-reps "
                                    "allows, for 3 spares;"));
  close.back() = "json";
  const json report = json::parse(faultline(close).out);
  EXPECT_EQ(report["stopping"], json({{"looks", 2}, {"cap", 150}, {"capped", true}}));
  EXPECT_EQ(report["replications"], nullptr);
}

TEST(SparesCommand, CsvHasALinePerNumberOfSpares) {
  const ProgramResult result =
      faultline({"spares", "rsc1-repair", "--target", "ettr >= 90%", "--reps", "5", "--max", "0",
                 "--format", "csv", "--quiet"});
  EXPECT_EQ(result.code, 1) << "no number up to 0 meets it";
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, StartsWith("spares,verdict,n,mean,ci95_low,ci95_high,bound,"));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 2);
  EXPECT_THAT(result.out, HasSubstr("\n0,misses,5,0."));
}

TEST(SparesCommand, ColdOnesComeFromTheStock) {
  const ProgramResult result =
      faultline({"spares", "rsc1-repair", "--target", "stockout <= 5%", "--cold", "--set",
                 "capacity.launch=20m", "--reps", "20"});
  EXPECT_EQ(result.code, 1) << "none up to a sixteenth of the pool is enough";
  EXPECT_THAT(result.out, StartsWith("rsc1-repair: how many cold spares for `stockout <= 5%`?"));
}

TEST(SparesCommand, ABareOneIsDoubted) {
  const ProgramResult result = faultline({"spares", "rsc1-repair", "--target", "stockout <= 1",
                                          "--reps", "4", "--max", "2", "--quiet"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err,
            "faultline spares: warning: --target 'stockout <= 1': 1 is 100%; did you mean 1%?\n");
}

// A share cannot tell; the whole may.
TEST(SparesCommand, AShareLeavesTheAnswerToMerge) {
  const TemporaryFolder folder;
  const std::string store = folder.file("1.db");
  const ProgramResult share = faultline({"spares", "rsc1", "--target", "ettr >= 95%", "--reps", "4",
                                         "--max", "0", "--shard", "1/1", "-o", store});
  EXPECT_EQ(share.code, 1) << "one of one is the whole";
  const ProgramResult half =
      faultline({"spares", "rsc1", "--target", "ettr >= 95%", "--reps", "4", "--max", "0",
                 "--shard", "1/2", "-o", folder.file("half.db")});
  EXPECT_EQ(half.code, 0) << half.err;
  EXPECT_THAT(half.out, HasSubstr("Share 1/2 alone"));
}

TEST(SparesCommand, AnInterruptionIsNoAnswer) {
  Program program({"spares", "rsc1-repair", "--target", "ettr >= 90%", "--reps", "100000"});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.code, 130) << result.out << result.err;
}

TEST(SparesCommand, TellsWhatWouldRun) {
  const ProgramResult result = faultline(
      {"spares", "byterobust", "--target", "stockout <= 1%", "--reps", "10", "--dry-run"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("replications"));
}

struct Mistake {
  std::vector<std::string> words;
  std::string text;
};

TEST(SparesCommand, MistakesAreExplained) {
  const std::vector<Mistake> mistakes{
      {{"--target", "etr >= 95%"},
       "faultline spares: --target: column 1: unknown metric `etr`; did you mean ettr?\n"},
      {{"--target", "ettr == 95%"},
       "faultline spares: --target: `ettr == 95%` is no limit: write it with <, <=, > or >=\n"},
      {{"--target", "ettr >= 95%", "--confidence", "50%"},
       "faultline spares: --confidence: 50% is not between 50% and 100%, both excluded\n"},
      {{"--target", "ettr >= 95%", "--confidence", "sure"}, "faultline spares: --confidence: "},
      {{"--target", "ettr >= 95%", "--reps", "auto", "--precision", "1%"},
       "faultline spares: no option `--precision`"},
      {{"--target", "ettr >= 95%", "--max-reps", "50"},
       "faultline spares: --max-reps goes with --reps auto\n"},
      {{"--target", "ettr >= 95%", "--max", "-1"},
       "faultline spares: --max: `-1` is not a whole number from 0 to 100000\n"},
      {{"--target", "ettr >= 95%", "--set", "capacity.warm_spares=4"},
       "faultline spares: --set capacity.warm_spares: that is what is looked for; limit it with "
       "--max\n"},
      {{"--target", "ettr >= 95%", "--set", "capacity.worm_spares=4"},
       "--set capacity.worm_spares=4"},
      {{}, "--target"},
  };
  for (const auto& [words, text] : mistakes) {
    std::vector<std::string> all{"spares", "rsc1"};
    all.insert(all.end(), words.begin(), words.end());
    const ProgramResult result = faultline(all);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(text));
    EXPECT_EQ(result.out, "");
  }
}

TEST(SparesCommand, AFullDiskIsAnError) {
  const ProgramResult result = faultline({"spares", "rsc1", "--target", "ettr >= 95%", "--reps",
                                          "2", "--max", "0", "-o", "/dev/full"});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("/dev/full"));
}

}  // namespace
}  // namespace faultline::test
