// `faultline check`: verdicts, exit codes and where it complains.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

// `small` with other expectations.
std::vector<std::string> check(const std::string& expect, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"check", "small", "--set", "expect=" + expect, "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CheckTest, TheExampleOfTheProjectHolds) {
  const ProgramResult result = faultline({"check", "small"});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("Expectations: "));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("fail")));
  EXPECT_THAT(result.err, HasSubstr("100 replications, seed 1, in "));
}

TEST(CheckTest, EveryScenarioOfTheProjectKeepsItsOwn) {
  const ProgramResult result =
      faultline({"check", "agent-noise", "llama3", "llama3-fabric", "--quiet"});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
}

TEST(CheckTest, AFailedExpectationEndsInOne) {
  const ProgramResult result = faultline(check("[ettr >= 50%, ettr >= 99%, replacements == 0]"));
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, StartsWith("Expectations: 1 holds, 2 fail\n\nsmall: 1 holds, 2 fail\n"));
  EXPECT_THAT(result.out,
              HasSubstr("  fails    ettr >= 99%               95%  95.5%  at most 95.7%"));
  EXPECT_THAT(result.out, HasSubstr("broken by 100 of 100"));
}

TEST(CheckTest, AShareLeavesTheVerdictToMerge) {
  const TemporaryFolder folder;
  std::vector<std::string> stores;
  for (const char* number : {"1", "2"}) {
    stores.push_back(folder.file(number + std::string(".db")));
    const ProgramResult share =
        faultline(check("[ettr >= 99%]", {"--reps", "20", "--shard", number + std::string("/2"),
                                          "-o", stores.back()}));
    EXPECT_EQ(share.code, 0) << share.err;
    EXPECT_THAT(share.out, StartsWith("Expectations: 1 fails\n\n  Share " + std::string(number) +
                                      "/2 alone: `faultline merge` joins the shares to the "
                                      "answer.\n\nsmall: "));
  }
  const ProgramResult all = faultline({"merge", stores[0], stores[1], "-o", folder.file("all.db")});
  EXPECT_EQ(all.code, 1) << all.err;
  EXPECT_THAT(all.out, StartsWith("Expectations: 1 fails\n\nsmall: "));
}

// One replication, which takes some seconds, is finished: it has no spread, so nothing is decided.
TEST(CheckTest, AnInterruptionDecidesNothing) {
  Program program({"check", "llama3", "--set", "expect=[ettr >= 50%]", "--set", "horizon=40000d",
                   "--reps", "100", "--threads", "1"});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.code, 130) << result.err << result.out;
  EXPECT_THAT(result.out,
              HasSubstr("\n\n  Interrupted: 1 of 100 replications are finished; this is what they "
                        "say.\n"));
  EXPECT_THAT(result.out, HasSubstr("undecided"));
}

TEST(CheckTest, MoreReplicationsUntilItIsDecided) {
  // The mean of `small` to two digits: 100 replications cannot tell, and no number of them will for long.
  const json first =
      json::parse(faultline(check("[ettr >= 0]", {"--reps", "400", "--format", "json"})).out);
  const double mean = first["points"][0]["expectations"][0]["mean"];
  const std::string close = "[ettr >= " + std::to_string(mean) + "]";
  const ProgramResult fixed = faultline(check(close, {"--reps", "400"}));
  EXPECT_EQ(fixed.code, 1);
  EXPECT_THAT(fixed.out, HasSubstr("undecided"));
  EXPECT_THAT(fixed.out, HasSubstr("400 replications, seed 1."));
  const json more = json::parse(faultline(check(close, {"--format", "json"})).out);
  EXPECT_GT(more["points"][0]["replications"], 400);
}

TEST(CheckTest, TheSameForEveryNumberOfThreads) {
  const auto text = [](const char* threads) {
    return faultline(check("[ettr >= 80%, gate_blocked_total == 0]",
                           {"--threads", threads, "--format", "json"}))
        .out;
  };
  EXPECT_EQ(text("1"), text("2"));
}

TEST(CheckTest, MistakesNameTheirPlace) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "mine.yaml",
      "extends: small\nexpect:\n  - ettr >= 85\n  - {that: etr > 0, confidence: 90%}\n");
  const ProgramResult result = faultline({"check", file});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, file +
                            ":3:5: expect[0]: column 9: ettr is a share of 1: write 85%\n"
                            "      - ettr >= 85\n"
                            "        ^~~~~~~~~~\n" +
                            file +
                            ":4:12: expect[1]: column 1: unknown metric `etr`; did you mean ettr?\n"
                            "      - {that: etr > 0, confidence: 90%}\n"
                            "               ^~~~~~~\n");
  const ProgramResult validated = faultline({"validate", file});
  EXPECT_EQ(validated.code, 2);
  EXPECT_EQ(validated.err, result.err);
}

TEST(CheckTest, BadUse) {
  const auto error = [](const std::vector<std::string>& words) {
    const ProgramResult result = faultline(words);
    EXPECT_EQ(result.code, 2);
    return result.err;
  };
  EXPECT_EQ(
      error({"check", "rsc1"}),
      "faultline check: `rsc1` expects nothing: add a block such as `expect: [ettr >= 85%]`\n");
  EXPECT_EQ(
      error({"check", "small", "--shard", "1/2"}),
      "faultline check: --reps auto looks at all replications, so it does not go with --shard\n");
  EXPECT_THAT(error({"check", "smal"}), HasSubstr("did you mean small?"));
  EXPECT_THAT(error({"check"}), HasSubstr("FILE"));
  EXPECT_THAT(error({"check", "small", "--precision", "1%"}), HasSubstr("--precision"));
  EXPECT_EQ(error(check("[]")),
            "faultline check: `small` expects nothing: add a block such as `expect: [ettr >= "
            "85%]`\n");
}

TEST(CheckTest, AReportDoesNotOverwriteAnyOfTheScenarios) {
  const TemporaryFolder folder;
  const std::string mine = folder.write("mine.yaml", "extends: small\n");
  const ProgramResult result = faultline({"check", "small", mine, "-o", mine});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err, "faultline check: -o would overwrite `" + mine +
                            "`, which the scenario is read from\n");
}

TEST(CheckTest, SeveralScenarios) {
  const ProgramResult result = faultline({"check", "small", "rsc1", "--format", "csv", "--quiet"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("scenario,that,confidence,verdict,"));
  const ProgramResult text = faultline({"check", "small", "rsc1", "--quiet"});
  EXPECT_THAT(text.out, HasSubstr("rsc1: nothing is expected\n"));
}

TEST(CheckTest, ExpectationsChangeNoResult) {
  const auto run = [](const std::string& expect) {
    return faultline({"run", "small", "--reps", "5", "--set", "expect=" + expect}).out;
  };
  EXPECT_EQ(run("[]"), run("[ettr >= 99%]"));
}

TEST(CheckTest, DryRunAndFullDisk) {
  const ProgramResult dry = faultline({"check", "small", "--dry-run"});
  EXPECT_EQ(dry.code, 0);
  EXPECT_THAT(dry.out, StartsWith("1 point, 6,400 replications in all\n"));
  EXPECT_EQ(faultline({"check", "small", "-o", "/dev/full"}).code, 3);
  const ProgramResult fewer = faultline({"check", "small", "--max-reps", "250", "--dry-run"});
  EXPECT_THAT(fewer.out, StartsWith("1 point, 250 replications in all\n"));
}

}  // namespace
}  // namespace faultline::test
