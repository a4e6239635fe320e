// Beyond one process: shares, `faultline merge`, `faultline export`.
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

const std::vector<std::string> kSweep{
    "sweep",  "small", "--vary", "policy.tolerations.AcceleratedHardwareReady=0s..20m/10m",
    "--reps", "10"};

// A run of the same, whose store also has the durations.
const std::vector<std::string> kRun{"run", "small", "--reps", "10"};

ProgramResult ask(std::vector<std::string> command, const std::vector<std::string>& more) {
  command.insert(command.end(), more.begin(), more.end());
  return faultline(command);
}
ProgramResult sweep(const std::vector<std::string>& more) { return ask(kSweep, more); }

// The stores of all shares.
std::vector<std::string> run_shares(const TemporaryFolder& folder, int count,
                                    const std::vector<std::string>& command = kSweep) {
  std::vector<std::string> stores;
  for (int number = 1; number <= count; ++number) {
    stores.push_back(folder.file(std::to_string(number) + ".db"));
    const std::string share = std::to_string(number) + "/" + std::to_string(count);
    EXPECT_EQ(ask(command, {"--shard", share, "-o", stores.back()}).code, 0);
  }
  return stores;
}

ProgramResult merge(std::vector<std::string> stores, const std::vector<std::string>& more) {
  stores.insert(stores.begin(), "merge");
  stores.insert(stores.end(), more.begin(), more.end());
  return faultline(stores);
}

class MergePartitionTest : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(MergePartitionTest, AnyPartitionGivesTheSameReport) {
  for (const int count : {7, 3, 1}) {
    const TemporaryFolder folder;
    const std::vector<std::string> stores = run_shares(folder, count, GetParam());
    for (const char* format : {"text", "json", "csv", "md"}) {
      const ProgramResult result = merge(stores, {"-o", folder.file("all.db"), "--format", format});
      EXPECT_EQ(result.code, 0) << result.err;
      EXPECT_THAT(result.err, StartsWith("0 replications of small"));
      EXPECT_EQ(result.out, ask(GetParam(), {"--format", format}).out)
          << count << " shares, " << format;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, MergePartitionTest, testing::Values(kSweep, kRun));

TEST(MergeTest, SaysWhichShareIsMissing) {
  const TemporaryFolder folder;
  std::vector<std::string> stores = run_shares(folder, 3);
  const std::string all = folder.file("all.db");
  stores.erase(stores.begin() + 1);
  const ProgramResult result = merge(stores, {"-o", all});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("faultline sweep: `" + all +
                                     "` lacks 9 replications\n"
                                     "  share 2/3: 9 replications, it is not here at all\n"));
}

TEST(MergeTest, ReportsGoToFiles) {
  const TemporaryFolder folder;
  const ProgramResult result =
      merge(run_shares(folder, 2), {"-o", folder.file("all.db"), "-o", folder.file("report")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(read_file(folder.file("report")), sweep({}).out);
}

TEST(MergeTest, SeveralExperimentsAreListed) {
  const TemporaryFolder folder;
  std::vector<std::string> stores = run_shares(folder, 1);
  stores.push_back(folder.file("other.db"));
  EXPECT_EQ(faultline({"sweep", "small", "--reps", "2", "-o", stores.back()}).code, 0);
  const std::string all = folder.file("all.db");
  const ProgramResult result = merge(stores, {"-o", all});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "faultline merge: `" + all +
                            "` holds 2 experiments, so none was reported; for the report of one of "
                            "them:\n"
                            "  faultline sweep small --reps=10 "
                            "--vary=policy.tolerations.AcceleratedHardwareReady=0s..20m/10m -o " +
                            all + "\n  faultline sweep small --reps=2 -o " + all + "\n");
}

TEST(MergeTest, BadFiles) {
  const TemporaryFolder folder;
  const std::string all = folder.file("all.db");
  const std::string text = folder.write("text.db", std::string(5000, 'x'));
  EXPECT_EQ(faultline({"merge", text, "-o", all}).err,
            "faultline merge: cannot use `" + text + "`: file is not a database\n");
  const ProgramResult result = faultline({"merge", folder.file("no.db"), "-o", all});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.err, "faultline merge: there is no file `" + folder.file("no.db") + "`\n");
  const std::string empty = folder.write("empty.db", "");
  for (const char* command : {"merge", "export"}) {
    std::vector<std::string> words{command, empty};
    if (words[0] == "merge") words.insert(words.end(), {"-o", all});
    const ProgramResult refused = faultline(words);
    EXPECT_EQ(refused.code, 3);
    EXPECT_EQ(refused.err,
              "faultline " + words[0] + ": `" + empty + "` is empty, so it is no result store\n");
  }
}

TEST(ExportTest, HasALinePerValue) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  const json report = json::parse(sweep({"--format", "json", "-o", store}).out);
  const ProgramResult csv = faultline({"export", store});
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_THAT(csv.out, StartsWith("scenario,settings,hash,version,seed,replication,metric,value\n"
                                  "small,policy.tolerations.AcceleratedHardwareReady=0s,"));
  const ProgramResult lines = faultline({"export", store, "--format", "jsonl"});
  std::istringstream text(lines.out);
  double sum = 0;
  std::size_t n = 0;
  for (std::string line; std::getline(text, line);) {
    const json value = json::parse(line);
    if (value["metric"] == "ettr_ratio" && value["hash"] == report["points"][1]["hash"]) {
      EXPECT_EQ(value["replication"], n++);
      sum += value["value"].get<double>();
    }
  }
  EXPECT_EQ(n, 10U);
  EXPECT_EQ(sum / 10, report["points"][1]["metrics"]["ettr_ratio"]["mean"].get<double>());
}

TEST(ExportTest, WritesFilesAndComplains) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  EXPECT_EQ(faultline({"sweep", "small", "--reps", "2", "-o", store}).code, 0);
  const std::string out = folder.file("out.csv");
  EXPECT_EQ(faultline({"export", store, "-o", out}).out, "");
  EXPECT_EQ(read_file(out), faultline({"export", store}).out);
  const ProgramResult result = faultline({"export", folder.file("no.db")});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.err, "faultline export: there is no file `" + folder.file("no.db") + "`\n");
  EXPECT_FALSE(std::filesystem::exists(folder.file("no.db")));
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_EQ(faultline({"export", store, "-o", "/dev/full"}).code, 3);
  }
}

}  // namespace
}  // namespace faultline::test
