// `faultline tune` as a user meets it: mistakes, formats, and the same answer from any number of threads, with a
// result store, after an interruption, and from shares.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "test/support/run_program.h"

namespace faultline::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kVary = "--vary=policy.tolerations.AcceleratedHardwareReady=0s..20m/10m";

std::vector<std::string> tune(std::vector<std::string> more) {
  std::vector<std::string> words{"tune", "small", kVary, "--reps=60", "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(TuneTest, ReportsARecommendationAndACurve) {
  const ProgramResult result = faultline(tune({}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, StartsWith("small: tuning AcceleratedHardwareReady\n"));
  for (const char* part : {"Recommendation\n", "Curve\n", "How sure\n", "present"}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
  EXPECT_THAT(faultline(tune({"--format=md"})).out, HasSubstr("## Recommendation\n"));
  EXPECT_THAT(faultline(tune({"--format=csv"})).out,
              StartsWith("policy.tolerations.AcceleratedHardwareReady,n,objective,"));
}

TEST(TuneTest, JsonHoldsPointsRecommendationAndDifferences) {
  const json report = json::parse(faultline(tune({"--format=json", "--seed=3"})).out);
  EXPECT_EQ(report["schema_version"], 2);
  EXPECT_EQ(report["experiment"], "tune");
  EXPECT_EQ(report["scenario"], "small");
  EXPECT_EQ(report["seed"], 3);
  ASSERT_EQ(report["points"].size(), 3U);
  EXPECT_EQ(report["points"][1]["settings"]["policy.tolerations.AcceleratedHardwareReady"], "10m");
  EXPECT_EQ(report["objective"]["goal"], "max");
  EXPECT_EQ(report["recommendation"]["zone"].empty(), false);
  EXPECT_EQ(report["differences"]["present"]["label"], "10m");
}

TEST(TuneTest, NothingDependsOnThreadsOrStores) {
  const TemporaryFolder folder;
  const std::string store = folder.file("results.db");
  const std::string plain = faultline(tune({"--threads=1"})).out;
  EXPECT_EQ(faultline(tune({"--threads=3"})).out, plain);
  EXPECT_EQ(faultline(tune({"-o", store})).out, plain);
  EXPECT_EQ(faultline(tune({"-o", store})).out, plain);
}

TEST(TuneTest, SharesGiveTheSameReport) {
  const TemporaryFolder folder;
  const std::string plain = faultline(tune({})).out;
  std::vector<std::string> merge{"merge"};
  for (const char* share : {"1/3", "2/3", "3/3"}) {
    const std::string store = folder.file(std::string("share") + share[0] + ".db");
    const ProgramResult result = faultline(tune({"--shard", share, "-o", store}));
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "");
    merge.push_back(store);
  }
  merge.insert(merge.end(), {"-o", folder.file("all.db")});
  const ProgramResult merged = faultline(merge);
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.out, plain);
}

TEST(TuneTest, TwoKnobsAreAMap) {
  const ProgramResult result =
      faultline({"tune", "small", "--vary=policy.tolerations.AcceleratedHardwareReady=0s,10m",
                 "--vary=capacity.warm_spares=0,1", "--objective=cost", "--reps=30", "--quiet"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Map of cost in GPU-hours\n"));
}

TEST(TuneTest, AConditionThatNothingMeetsIsAFailedThreshold) {
  const ProgramResult result = faultline(tune({"--subject-to=ettr >= 100%"}));
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("None: no value is known to meet the conditions (95%)."));
}

TEST(TuneTest, AFullDiskIsAnError) {
  const ProgramResult result = faultline(tune({"-o", "/dev/full"}));
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.err, "faultline tune: cannot write to `/dev/full`: No space left on device\n");
}

struct Mistake {
  std::vector<std::string> more;
  std::string err;
};

TEST(TuneTest, MistakesAreOneLineWithTheWayOut) {
  const std::vector<Mistake> mistakes{
      {{"--vary=policy.gate=off", "--vary=capacity.warm_spares=0,1"},
       "--vary: one or two knobs can be tuned at once, not 3; tune the two that matter most and "
       "fix the others with --set, or write out the whole grid with `faultline sweep`"},
      {{"--objective=etr"}, "--objective: column 1: unknown metric `etr`; did you mean ettr?"},
      {{"--subject-to=ettr"},
       "--subject-to: column 5: a condition compares: <, <=, ==, !=, >= or > is missing"},
      {{"--precision=5"}, "--precision: `5` is no half-width such as 0.1pp or 1%"},
      {{"--objective=cost", "--precision=0.1pp"},
       "--precision: `0.1pp` is no half-width such as 2.5 or 1%"}};
  for (const Mistake& mistake : mistakes) {
    std::vector<std::string> words{"tune", "small", kVary};
    words.insert(words.end(), mistake.more.begin(), mistake.more.end());
    const ProgramResult result = faultline(words);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, "faultline tune: " + mistake.err + "\n");
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(faultline({"tune", "small", kVary, "--reps=5"}).err,
            "faultline tune: --reps: 5 is too few to tell settings apart; at least 20\n");
}

}  // namespace
}  // namespace faultline::test
