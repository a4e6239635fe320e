// `faultline run`: where results go, what they hold, and how a run ends early.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

TEST(RunTest, ReportGoesToStdoutAndTalkToStderr) {
  const ProgramResult result = faultline({"run", "small", "--reps", "5"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, StartsWith("small: 16 nodes for a week"));
  for (const char* section :
       {"ETTR", "Where the time went", "What failed", "How long repair took",
        "What the safety gate did", "NCCL stalls", "Replacements", "What detection can promise"}) {
    EXPECT_THAT(result.out, HasSubstr(section));
  }
  EXPECT_THAT(result.out, testing::Not(HasSubstr("Stalls, by kind")));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("\x1b")));
  EXPECT_THAT(result.err, StartsWith("5 replications of small, seed 1, in "));
  EXPECT_EQ(faultline({"run", "small", "--reps", "5", "--quiet"}).err, "");
}

// A class that had no fault in the run raised no alarm.
TEST(RunTest, ClassesWithoutAFaultRaisedNoAlarm) {
  const std::string text = faultline({"run", "small", "--reps", "1", "--set", "horizon=1s"}).out;
  EXPECT_THAT(text, testing::Not(HasSubstr("What only raised alarms")));
  EXPECT_THAT(faultline({"run", "small", "--reps", "5"}).out,
              HasSubstr("What only raised alarms, or slowed the work"));
}

TEST(RunTest, TextFitsInto100Columns) {
  std::istringstream lines(faultline({"run", "llama3", "--reps", "3"}).out);
  for (std::string line; std::getline(lines, line);) {
    // (A setting to copy is never broken.)
    if (line.find('`') != std::string::npos) continue;
    EXPECT_LE(line.size(), 100U) << line;
  }
}

// Neither the scenario nor what it includes is written over, whatever its path looks like.
TEST(RunTest, AnOutputDoesNotOverwriteAnInput) {
  const TemporaryFolder folder;
  const std::string text = "extends: small\nfaults: {extends: more.yaml}\n";
  const std::string faults = "name: more\nsource: \"assumption: mine\"\nclasses: []\n";
  const std::string scenario = folder.write("mine.yaml", text);
  const std::string included = folder.write("more.yaml", faults);
  const std::string linked = folder.file("link.yaml");
  std::filesystem::create_symlink(scenario, linked);
  for (const char* option : {"-o", "--journal", "--timeline"}) {
    for (const std::string& path : {scenario, included, linked, folder.file("./mine.yaml")}) {
      const ProgramResult result = faultline({"run", scenario, "--reps", "1", option, path});
      EXPECT_EQ(result.code, 2) << result.err;
      EXPECT_EQ(result.err, std::string("faultline run: ") + option + " would overwrite `" +
                                path.substr(0, 60) + (path.size() > 60 ? "..." : "") +
                                "`, which the scenario is read from\n");
      EXPECT_EQ(result.out, "");
      EXPECT_EQ(read_file(scenario), text);
      EXPECT_EQ(read_file(included), faults);
    }
  }
  EXPECT_EQ(faultline({"run", scenario, "--reps", "1", "-o", folder.file("new.txt")}).code, 0);
}

TEST(RunTest, MarkdownSaysTheSame) {
  const ProgramResult result = faultline({"run", "small", "--reps", "5", "--format", "md"});
  EXPECT_THAT(result.out, StartsWith("# small: 16 nodes for a week"));
  EXPECT_THAT(result.out, HasSubstr("## Where the time went\n\n| account | share | hours |"));
  EXPECT_THAT(result.out, HasSubstr("| --- | ---: | ---: |"));
}

TEST(RunTest, JsonHoldsEveryMetricByName) {
  const ProgramResult result =
      faultline({"run", "small", "--reps", "20", "--seed", "7", "--format", "json"});
  const json report = json::parse(result.out);
  EXPECT_EQ(report["schema_version"], 2);
  EXPECT_EQ(report["tool"], "faultline");
  EXPECT_EQ(report["scenario"], "small");
  EXPECT_EQ(report["seed"], 7);
  EXPECT_EQ(report["replications"], 20);
  EXPECT_EQ(report["requested"], 20);
  EXPECT_EQ(report["horizon_seconds"], 7 * 86400.0);
  const json& metrics = report["metrics"];
  double sum = 0;
  for (const auto& [name, metric] : metrics.items()) {
    EXPECT_EQ(metric["ci95"].size(), 2U) << name;
    if (name.starts_with("lost_ratio{")) sum += metric["mean"].get<double>();
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(metrics["ettr_ratio"]["n"], 20);
  EXPECT_TRUE(metrics.contains("interruptions_total{class=\"gpu-lost\"}"));

  // Exposure: 112 node-days x 6 per 112 node-days.
  const json& exposure = report["exposure"][0];
  EXPECT_EQ(exposure["class"], "gpu-lost");
  EXPECT_EQ(exposure["unit"], "node");
  EXPECT_EQ(exposure["units"], 16);
  EXPECT_NEAR(exposure["expected_events"].get<double>(), 6, 1e-12);
  EXPECT_NEAR(exposure["rate_per_unit"].get<double>() * 16 * 7 * 86400, 6, 1e-12);

  const json& detection = report["detection"][0];
  EXPECT_EQ(detection["reason"], "NvidiaXID79Error");
  EXPECT_EQ(detection["condition"], "AcceleratedHardwareReady");
  EXPECT_EQ(detection["severity"], "fatal");
  EXPECT_GT(detection["p99_seconds"], detection["p50_seconds"]);
  EXPECT_GT(report["repair"]["phase_seconds"]["tolerate"]["p50"], 0);
  EXPECT_GT(report["repair"]["fault_to_ready_seconds"]["by_channel"]["dcgm-policy"]["n"], 0);
}

TEST(RunTest, ReportsDoNotDependOnThreads) {
  for (const char* format : {"json", "text", "md", "csv"}) {
    const auto with_threads = [&](const char* threads) {
      return faultline({"run", "small", "--reps", "40", "--format", format, "--threads", threads})
          .out;
    };
    EXPECT_EQ(with_threads("1"), with_threads("2")) << format;
  }
}

TEST(RunTest, WritesFiles) {
  const TemporaryFolder folder;
  const ProgramResult result =
      faultline({"run", "small", "--reps", "3", "--format", "json", "-o", folder.file("report"),
                 "--journal", folder.file("journal"), "--timeline", folder.file("timeline"),
                 "--journal-replication", "2"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(json::parse(read_file(folder.file("report")))["replications"], 3);
  EXPECT_TRUE(json::accept(read_file(folder.file("timeline"))));
  std::istringstream journal(read_file(folder.file("journal")));
  std::string first;
  std::getline(journal, first);
  EXPECT_EQ(json::parse(first)["replication"], 2);
}

TEST(RunTest, UnwritableOutputFailsBeforeTheRun) {
  for (const char* option : {"-o", "--journal", "--timeline"}) {
    // A million replications take minutes; the error comes at once.
    const ProgramResult result =
        faultline({"run", "small", "--reps", "1000000", option, "/nonexistent/file"});
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(result.err,
              "faultline run: cannot write to `/nonexistent/file`: No such file or directory\n");
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(faultline({"run", "small", "-o", "/"}).code, 3);
}

TEST(RunTest, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  for (const char* option : {"-o", "--journal", "--timeline"}) {
    const ProgramResult result = faultline({"run", "small", "--reps", "2", option, "/dev/full"});
    EXPECT_EQ(result.code, 3) << option;
    EXPECT_THAT(result.err, HasSubstr("faultline run: cannot write to `/dev/full`")) << option;
  }
  const ProgramResult to_stdout = faultline({"run", "small", "--reps", "2"}, "/dev/full");
  EXPECT_EQ(to_stdout.code, 3);
  EXPECT_EQ(to_stdout.err, "faultline run: cannot write to stdout: No space left on device\n");
  for (const char* command : {"schema", "reference", "explain", "--help"}) {
    EXPECT_EQ(faultline({command}, "/dev/full").code, 3) << command;
  }
}

TEST(RunTest, OneReplicationHasNoInterval) {
  const ProgramResult text = faultline({"run", "small", "--reps", "1"});
  EXPECT_THAT(text.out, HasSubstr("One replication gives no confidence interval"));
  const json report =
      json::parse(faultline({"run", "small", "--reps", "1", "--format", "json"}).out);
  EXPECT_TRUE(report["metrics"]["ettr_ratio"]["ci95"][0].is_null());
}

TEST(RunTest, InterruptReportsWhatIsFinished) {
  for (const int signal : {SIGINT, SIGTERM}) {
    ProgramResult result;
    for (const int patience : {1, 4, 16}) {  // seconds, until a slow machine has a replication, too
      Program program({"run", "small", "--reps", "1000000", "--format", "json"});
      std::this_thread::sleep_for(std::chrono::seconds(patience));
      program.send(signal);
      result = program.wait();
      if (result.code != 130) break;
    }
    EXPECT_EQ(result.code, 0);
    std::smatch numbers;
    const std::regex text("interrupted after ([0-9,]+) replication");
    ASSERT_TRUE(std::regex_search(result.err, numbers, text)) << result.err;
    const json report = json::parse(result.out);
    EXPECT_EQ(report["replications"],
              std::stoi(std::regex_replace(numbers[1].str(), std::regex(","), "")));
    EXPECT_EQ(report["requested"], 1000000);
  }
}

// Killed by a second Ctrl-C in the midst of a replication: no empty files, and an older report as it was.
TEST(RunTest, AKilledRunLeavesNoEmptyFile) {
  const TemporaryFolder folder;
  const std::string older = folder.write("report", "older\n");
  Program program({"run", "llama3", "--set", "horizon=100000d", "--reps", "100", "--journal",
                   folder.file("journal"), "--timeline", folder.file("timeline"), "-o", older});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  program.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(1300));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, -SIGINT);
  EXPECT_FALSE(std::filesystem::exists(folder.file("journal")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("timeline")));
  EXPECT_EQ(read_file(older), "older\n");
}

TEST(RunTest, APipeIsOpenedOnce) {
  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Program program({"run", "small", "--reps", "2", "--format", "json", "-o", pipe});
  const std::string text = read_file(pipe);
  EXPECT_EQ(program.wait().code, 0);
  EXPECT_EQ(json::parse(text)["replications"], 2);
}

TEST(RunTest, CsvHasALinePerMetric) {
  const std::string csv = faultline({"run", "small", "--reps", "5", "--format", "csv"}).out;
  EXPECT_THAT(csv, StartsWith("metric,mean,ci95_low,ci95_high,p5,p50,p95,n\nettr_ratio,0."));
  const json metrics =
      json::parse(faultline({"run", "small", "--reps", "5", "--format", "json"}).out)["metrics"];
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), metrics.size() + 1);
  EXPECT_EQ(csv, faultline({"sweep", "small", "--reps", "5", "--format", "csv"}).out);
}

// Durations are kept, too: the whole report comes from the store.
TEST(RunTest, ContinuesFromItsResultStore) {
  const TemporaryFolder folder;
  const auto stored = [&](const char* reps, const char* format = "text") {
    return faultline(
        {"run", "small", "--reps", reps, "--format", format, "-o", folder.file("results.db")});
  };
  EXPECT_EQ(stored("4").out, faultline({"run", "small", "--reps", "4"}).out);
  for (const char* format : {"text", "json", "md", "csv"}) {
    const ProgramResult result = stored("12", format);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out, faultline({"run", "small", "--reps", "12", "--format", format}).out);
  }
  EXPECT_THAT(stored("10").err, StartsWith("0 replications of small"));
}

TEST(RunTest, ASweepsStoreLacksTheDurations) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  EXPECT_EQ(faultline({"sweep", "small", "--reps", "6", "-o", store}).code, 0);
  const ProgramResult lacking = faultline({"run", "small", "--reps", "4", "--stored", "-o", store});
  EXPECT_EQ(lacking.code, 3);
  EXPECT_THAT(lacking.err, HasSubstr("lacks 4 replications"));
  const ProgramResult run = faultline({"run", "small", "--reps", "4", "-o", store});
  EXPECT_EQ(run.out, faultline({"run", "small", "--reps", "4"}).out);
  EXPECT_THAT(run.err, StartsWith("4 replications of small"));
  // A sweep uses what the run left.
  EXPECT_THAT(faultline({"sweep", "small", "--reps", "6", "-o", store}).err,
              StartsWith("0 replications of small"));
}

TEST(RunTest, AutoStopsWhereAnUndisturbedOneDoes) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  std::vector<std::string> words{"run", "small", "--reps", "auto", "--precision", "0.15pp"};
  const std::string undisturbed = faultline(words).out;
  EXPECT_THAT(undisturbed, HasSubstr("Stopped at "));
  EXPECT_EQ(faultline({"run", "small", "--reps", "37", "-o", store}).code, 0);
  words.insert(words.end(), {"-o", store});
  EXPECT_EQ(faultline(words).out, undisturbed);
  EXPECT_EQ(faultline(words).out, undisturbed);
}

TEST(RunTest, JournalsDoNotMakeAnotherExperiment) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  EXPECT_EQ(
      faultline({"run", "small", "--reps", "3", "-o", store, "--journal", folder.file("journal")})
          .code,
      0);
  const ProgramResult merged = faultline({"merge", store, "-o", store});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.out, faultline({"run", "small", "--reps", "3"}).out);
}

TEST(RunTest, AShareSaysThatItIsOne) {
  const auto share = [](const char* which) {
    return faultline({"run", "small", "--reps", "3", "--shard", which}).out;
  };
  EXPECT_THAT(share("1/2"), HasSubstr("\n  2 of 3 replications are here.\n"));
  EXPECT_THAT(share("7/7"), HasSubstr("\n  0 of 3 replications are here.\n"));
  EXPECT_THAT(share("1/1"), testing::Not(HasSubstr("are here")));
}

TEST(RunTest, DryRunSaysHowLong) {
  const ProgramResult result = faultline({"run", "small", "--reps", "500", "--dry-run"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, StartsWith("1 point, 500 replications in all\n500 to run: about "));
}

// Whatever the report proposes to set can be set.
TEST(RunTest, HintsAreValidSettings) {
  const std::string out = faultline({"run", "llama3", "--reps", "3"}).out;
  const std::regex setting("`--set ([^`]+)`");
  int hints = 0;
  for (std::sregex_iterator at(out.begin(), out.end(), setting), end; at != end; ++at, ++hints) {
    const ProgramResult shown = faultline({"show", "llama3", "--set", (*at)[1]});
    EXPECT_EQ(shown.code, 0) << shown.err;
  }
  EXPECT_GT(hints, 0);
}

}  // namespace
}  // namespace faultline::test
