// The commands apart from `run`, as a user calls them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

TEST(CommandsTest, VersionAndHelpGoToStdout) {
  EXPECT_THAT(faultline({"--version"}).out, StartsWith("faultline 0."));
  EXPECT_EQ(faultline({"--version"}).code, 0);
  const ProgramResult help = faultline({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("Examples:"));
  EXPECT_EQ(help.err, "");
  for (const char* command : {"run", "validate", "show", "explain", "list", "why", "collectives",
                              "schema", "reference"}) {
    const ProgramResult of_command = faultline({command, "--help"});
    EXPECT_EQ(of_command.code, 0) << command;
    EXPECT_THAT(of_command.out, HasSubstr(std::string("Usage: faultline ") + command));
  }
}

TEST(CommandsTest, ValidateListsEveryErrorOfEveryFile) {
  const TemporaryFolder folder;
  const std::string bad = folder.write("bad.yaml",
                                       "extends: small\n"
                                       "horizon: 10\n"
                                       "capacity: {lanch: 90s}\n");
  const ProgramResult result = faultline({"validate", "small", bad});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "small: ok\n");
  EXPECT_THAT(result.err, HasSubstr("bad.yaml:2:10: horizon: "));
  EXPECT_THAT(result.err,
              HasSubstr("bad.yaml:3:12: capacity.lanch: unknown key; did you mean launch?"));

  EXPECT_EQ(faultline({"validate", "small", "rsc1", "rsc2", "llama3"}).code, 0);
  EXPECT_EQ(faultline({"validate", folder.file("missing.yaml")}).code, 2);
}

TEST(CommandsTest, WhatShowPrintsLoadsToTheSame) {
  const TemporaryFolder folder;
  for (const char* scenario : {"small", "llama3", "rsc2"}) {
    for (const bool full : {false, true}) {
      std::vector<std::string> words{"show", scenario, "--set", "policy.blocked_requeue=7m"};
      if (std::string(scenario) == "rsc2") words = {"show", scenario};
      if (full) words.emplace_back("--full");
      const ProgramResult shown = faultline(words);
      ASSERT_EQ(shown.code, 0) << shown.err;
      std::vector<std::string> again{"show", folder.write("shown.yaml", shown.out)};
      if (full) again.emplace_back("--full");
      EXPECT_EQ(faultline(again).out, shown.out) << scenario;
    }
  }
}

TEST(CommandsTest, ExplainTellsWhatAFieldMeans) {
  const ProgramResult result = faultline({"explain", "policy.tolerations"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("how long it may be False"));
  EXPECT_THAT(faultline({"explain"}).out, HasSubstr("horizon"));
  EXPECT_THAT(faultline({"explain", "workloads.checkpoint", "--recursive"}).out,
              HasSubstr("verified_every"));
}

TEST(CommandsTest, SchemaIsJsonAndReferenceIsMarkdown) {
  const ProgramResult schema = faultline({"schema"});
  EXPECT_EQ(schema.code, 0);
  EXPECT_TRUE(nlohmann::json::parse(schema.out).contains("properties"));
  EXPECT_THAT(faultline({"reference"}).out, HasSubstr("| "));
}

TEST(CommandsTest, ListsNameWhatThereIs) {
  EXPECT_THAT(faultline({"list", "scenarios"}).out,
              ContainsRegex("  llama3 +54 days of Llama 3 405B"));
  EXPECT_THAT(faultline({"list", "policies"}).out, HasSubstr("  !karpenter "));
  EXPECT_THAT(faultline({"list", "faults"}).out, HasSubstr("traces/llama3-2024.yaml"));
  EXPECT_THAT(faultline({"list", "detectors"}).out, HasSubstr("models/detectors/eks-nma.yaml"));
  EXPECT_THAT(faultline({"list", "faults", "small"}).out, HasSubstr("6 per 112 node-days"));
  EXPECT_THAT(faultline({"list", "detectors", "small"}).out, HasSubstr("NvidiaXID79Error"));
}

TEST(CommandsTest, WhyWalksAJournal) {
  const TemporaryFolder folder;
  const std::string journal = folder.file("run.jsonl");
  ASSERT_EQ(faultline({"run", "small", "--reps", "1", "--journal", journal}).code, 0);
  const ProgramResult result = faultline({"why", "--journal", journal, "job"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out, "");

  EXPECT_EQ(faultline({"why", "--journal", journal, "nobody"}).code, 2);
  const ProgramResult missing = faultline({"why", "--journal", folder.file("none"), "job"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.err, HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace faultline::test
