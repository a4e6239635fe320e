// `faultline compare` as a pipeline and a person use it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

using nlohmann::json;

const std::string kNoWindow = "policy.tolerations.AcceleratedHardwareReady=0s";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> compare(std::vector<std::string> more) {
  std::vector<std::string> words{"compare", "small", "--reps", "40", "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CompareTest, TheReportHasEverySection) {
  const ProgramResult result = faultline(compare({"--with", kNoWindow}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  for (const char* part : {"What B changes", "policy.tolerations.AcceleratedHardwareReady", "10m",
                           "What B does", "needless_replacements", "Hazards that B adds", "grows",
                           "Where B does worst against A", "What cost more is repairs: "}) {
    EXPECT_TRUE(has(result.out, part)) << part << "\n" << result.out;
  }
}

TEST(CompareTest, AThresholdThatIsShownToHoldFails) {
  const ProgramResult failed =
      faultline(compare({"--with", kNoWindow, "--fail-if", "needless_replacements.delta > 1",
                         "--fail-if", "ettr.delta < -20pp"}));
  EXPECT_EQ(failed.code, 1);
  EXPECT_TRUE(
      has(failed.err, "failed: small with " + kNoWindow + ": needless_replacements.delta > 1: +"))
      << failed.err;
  EXPECT_FALSE(has(failed.err, "ettr.delta")) << failed.err;
  EXPECT_TRUE(has(failed.out, "passed")) << failed.out;
}

TEST(CompareTest, WhatTheIntervalLeavesOpenFailsOnlyIfAsked) {
  // The two differ by a hair, so the interval of the difference holds zero.
  const std::vector<std::string> words =
      compare({"--with", "workloads[job].checkpoint.every=9m", "--fail-if", "ettr.delta < 0"});
  const ProgramResult open = faultline(words);
  EXPECT_EQ(open.code, 0);
  EXPECT_TRUE(has(open.err, "undecided: ")) << open.err;
  std::vector<std::string> strict = words;
  strict.push_back("--fail-undecided");
  EXPECT_EQ(faultline(strict).code, 1);
}

TEST(CompareTest, JsonOfSeveralCandidates) {
  const ProgramResult result = faultline(compare(
      {"--format", "json", "--candidate", kNoWindow, "--candidate", "policy.gate=off " + kNoWindow,
       "--candidate", "workloads[job].checkpoint.every=2h"}));
  ASSERT_EQ(result.code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["schema_version"], 2);
  EXPECT_EQ(report["scenario"], "small");
  EXPECT_EQ(report["replications"], 40);
  ASSERT_EQ(report["points"].size(), 4u);
  ASSERT_EQ(report["differences"].size(), 3u);
  EXPECT_EQ(report["differences"][1]["changes"].size(), 2u);
  const json& ettr = report["differences"][2]["metrics"]["ettr_ratio"];
  EXPECT_EQ(ettr["verdict"], "lower");
  EXPECT_LT(ettr["ci95"][1], 0);
  EXPECT_NEAR(ettr["candidate"].get<double>() - ettr["baseline"].get<double>(),
              ettr["difference"].get<double>(), 1e-12);
  EXPECT_EQ(report["recommendation"]["ranked"].size(), 4u);
  for (const json& name : report["recommendation"]["best"]) EXPECT_NE(name, "D");
  EXPECT_EQ(report["differences"][0]["worst"].size(), 3u);
}

TEST(CompareTest, CsvHasALinePerCandidateAndMetric) {
  const std::string csv = faultline(compare({"--with", kNoWindow, "--format", "csv"})).out;
  EXPECT_EQ(csv.find("candidate,label,metric,baseline,candidate_mean,difference,"), 0u);
  EXPECT_TRUE(has(csv, "\nB,small with " + kNoWindow + ",ettr_ratio,")) << csv;
  EXPECT_TRUE(has(csv, ",\"lost_ratio{cause=\"\"redo\"\"}\",")) << csv;
}

TEST(CompareTest, TheSameScenarioShowsNothing) {
  const ProgramResult result = faultline(compare({"small"}));
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(has(result.out, "Nothing: both are the same scenario.")) << result.out;
  EXPECT_TRUE(has(result.out, "ettr: the same in every replication")) << result.out;
}

TEST(CompareTest, ABareNumberOfAShareIsDoubted) {
  const ProgramResult result = faultline(compare(
      {"--with", kNoWindow, "--candidate", "policy.gate=off", "--fail-if", "ettr.delta < -0.5"}));
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err,
            "faultline compare: warning: --fail-if 'ettr.delta < -0.5': -0.5 is -50 pp; did you "
            "mean -0.5pp?\n");
}

TEST(CompareTest, AnOutputDoesNotOverwriteTheSecondScenario) {
  const TemporaryFolder folder;
  const std::string second = folder.write("second.yaml", "extends: small\n");
  const ProgramResult result = faultline({"compare", "small", second, "--reps", "2", "-o", second});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err, "faultline compare: -o would overwrite `" + second +
                            "`, which the scenario is read from\n");
}

TEST(CompareTest, OneIsNoPlural) {
  const ProgramResult result =
      faultline({"compare", "small", "small", "--set", "horizon=1d", "--reps", "auto", "--max-reps",
                 "1", "--fail-if", "ettr.delta < 0"});
  EXPECT_TRUE(has(result.out, "Stopped at 1 replication, the most")) << result.out;
  EXPECT_TRUE(has(result.err, "unknown, 1 replication\n")) << result.err;
}

TEST(CompareTest, OneReplicationShowsNothing) {
  const ProgramResult result = faultline(
      {"compare", "small", "--with", "workloads[job].checkpoint.every=9m", "--reps", "1"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(has(result.out, "ettr: nothing can be said")) << result.out;
  EXPECT_TRUE(has(result.out,
                  "What B does\n  One replication has no spread, so nothing can be said of any "
                  "metric.\n"))
      << result.out;
  EXPECT_TRUE(has(result.out,
                  "Hazards that B adds\n  One replication has no spread, so nothing can be said of "
                  "them.\n"))
      << result.out;
}

TEST(CompareTest, AnotherCatalogueIsMatchedByName) {
  const TemporaryFolder folder;
  const std::string file = folder.write("more.yaml", R"(extends: small
scenario: more
faults:
  classes:
    - name: retimer
      rate: 3 per 112 node-days
      effect: crash
      signals:
        - {xid: 79}
      source: "assumption: a guess"
)");
  const ProgramResult result = faultline(compare({file}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(has(result.out, "faults.classes[retimer]")) << result.out;
  EXPECT_TRUE(has(result.out, "Only B has interruptions_total{class=\"retimer\"}")) << result.out;
}

TEST(CompareTest, AutomaticReplicationsReachTheirPrecision) {
  const ProgramResult result = faultline({"compare", "small", "--with", kNoWindow, "--reps", "auto",
                                          "--precision", "0.5pp", "--format", "json", "--quiet"});
  ASSERT_EQ(result.code, 0) << result.err;
  const json report = json::parse(result.out);
  const json& ci = report["differences"][0]["by"]["ci95"];
  EXPECT_LE((ci[1].get<double>() - ci[0].get<double>()) / 2, 0.005);
  EXPECT_TRUE(has(report["stopping"], "Stopped at ")) << report["stopping"];
  const ProgramResult capped = faultline({"compare", "small", "--with", kNoWindow, "--reps", "auto",
                                          "--precision", "0.01pp", "--max-reps", "30", "--quiet"});
  EXPECT_TRUE(has(capped.out, "the most that --max-reps allows")) << capped.out;
}

// A target that 100 replications miss by far: the next look is at four times as many, the cap.
TEST(CompareTest, AutomaticReplicationsGoOnUpToTheirCap) {
  const ProgramResult result =
      faultline({"compare", "small", "--with", kNoWindow, "--reps", "auto", "--precision", "0.02pp",
                 "--max-reps", "400", "--format", "json", "--quiet"});
  ASSERT_EQ(result.code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["replications"], 400);
  EXPECT_EQ(report["differences"][0]["by"]["n"], 400);
  EXPECT_TRUE(has(report["stopping"], "Stopped at 400 replications, the most that --max-reps"))
      << report["stopping"];
}

// A cancelled pipeline must not pass its gate. (By another name a class of faults strikes at other instants as
// often, so the difference is 0 in truth, and open however many replications there are: from 1,000 to 60,000 its
// 95% interval holds 0.)
TEST(CompareTest, AnInterruptionDecidesNothing) {
  ProgramResult result;
  for (const int patience : {500, 2'000, 8'000}) {  // until a slow machine has a pair, too
    Program program({"compare", "small", "--with", "faults.classes[gpu-lost].name=gpu-gone",
                     "--reps", "1000000", "--fail-if", "ettr.delta < 0", "--fail-undecided"});
    std::this_thread::sleep_for(std::chrono::milliseconds(patience));
    program.send(SIGINT);
    result = program.wait();
    EXPECT_EQ(result.code, 130) << result.err;
    if (!result.out.empty()) break;
  }
  EXPECT_TRUE(has(result.out, "\n\n  Interrupted: ")) << result.out;
  EXPECT_TRUE(has(result.out, " of 2,000,000 replications are finished; this is what they say.\n"))
      << result.out;
  EXPECT_TRUE(has(result.out, "undecided")) << result.out;
  EXPECT_FALSE(has(result.out, "It counts as")) << result.out;
}

TEST(CompareTest, InterruptedBeforeAPairThereIsNoReport) {
  Program program({"compare", "small", "--with", kNoWindow, "--set", "horizon=20000d", "--reps",
                   "1000", "--threads", "1"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.code, 130);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(has(result.err, ", before there was anything to report\n")) << result.err;
}

// (A Kubernetes job would run a share again that ends in 1.)
TEST(CompareTest, AShareLeavesTheVerdictToMerge) {
  const TemporaryFolder folder;
  std::vector<std::string> words =
      compare({"--with", kNoWindow, "--fail-if", "needless_replacements.delta > 1"});
  const auto share = [&](const std::string& number) {
    std::vector<std::string> more = words;
    more.insert(more.end(), {"--shard", number + "/2", "-o", folder.file(number + ".db")});
    return faultline(more);
  };
  for (const char* number : {"1", "2"}) {
    const ProgramResult result = share(number);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(has(result.out, "  Share " + std::string(number) +
                                    "/2 alone: `faultline merge` joins the shares to the answer."))
        << result.out;
  }
  const ProgramResult all = faultline({"merge", folder.file("1.db"), folder.file("2.db"), "-o",
                                       folder.file("all.db"), "--format", "text"});
  EXPECT_EQ(all.code, 1) << all.err;
  EXPECT_FALSE(has(all.out, "alone")) << all.out;
}

TEST(CompareTest, AnswersDoNotDependOnTheThreads) {
  const auto report = [](const char* threads) {
    return faultline(compare({"--with", kNoWindow, "--format", "json", "--threads", threads})).out;
  };
  EXPECT_EQ(report("1"), report("3"));
}

TEST(CompareTest, Mistakes) {
  struct Mistake {
    std::vector<std::string> words;
    std::string complaint;
  };
  for (const Mistake& mistake :
       {Mistake{{},
                "faultline compare: there is nothing to compare `small` with: name a second "
                "scenario, or say what changes, --with PATH=VALUE\n"},
        Mistake{
            {"small", "--fail-if", "etr.delta < -0.5pp"},
            "faultline compare: --fail-if: column 1: unknown metric `etr`; did you mean ettr?\n"},
        Mistake{{"small", "rsc1", "--with", "policy.gate=off"},
                "faultline compare: --with changes one candidate, and here are several: write "
                "--candidate 'PATH=VALUE ...' for each\n"},
        Mistake{{"small", "--precision", "1pp"},
                "faultline compare: --precision goes with --reps auto\n"}}) {
    const ProgramResult result = faultline(compare(mistake.words));
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, mistake.complaint);
  }
  const ProgramResult wrong_unit =
      faultline({"compare", "small", "small", "--reps", "auto", "--precision", "30s"});
  EXPECT_EQ(wrong_unit.code, 2);
  EXPECT_EQ(wrong_unit.err,
            "faultline compare: --precision: `30s` is no half-width such as 0.1pp or 1%\n");
  const ProgramResult shards =
      faultline({"compare", "small", "small", "--reps", "auto", "--shard", "1/2"});
  EXPECT_EQ(shards.err,
            "faultline compare: --reps auto looks at all replications, so it does not go with "
            "--shard\n");
  const ProgramResult typo = faultline(compare({"--with", "policy.gat=off"}));
  EXPECT_EQ(typo.code, 2);
  EXPECT_TRUE(has(typo.err, "--with")) << typo.err;
}

TEST(CompareTest, RanksByCost) {
  const std::vector<std::string> words{"compare",     "small",
                                       "--candidate", "capacity.warm_spares=2",
                                       "--candidate", "capacity.warm_spares=6",
                                       "--by",        "cost",
                                       "--reps",      "20"};
  const ProgramResult text = faultline(words);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "Ranked by cost in GPU-hours")) << text.out;
  std::vector<std::string> as_json = words;
  as_json.insert(as_json.end(), {"--format", "json"});
  const json report = json::parse(faultline(as_json).out);
  EXPECT_EQ(report["by"], "cost");
  // 16 nodes of 8 GPUs for a week, and the spares.
  const double goodput = report["differences"][0]["metrics"]["goodput_ratio"]["baseline"];
  EXPECT_NEAR(report["differences"][0]["by"]["baseline"], 16 * 8 * 168 * (1 - goodput), 1e-6);
  as_json.back() = "csv";
  const std::string csv = faultline(as_json).out;
  EXPECT_TRUE(has(csv, "verdict\nB,small with capacity.warm_spares=2,cost,")) << csv;
  EXPECT_TRUE(has(csv, "\nC,small with capacity.warm_spares=6,cost,")) << csv;
}

}  // namespace
}  // namespace faultline::test
