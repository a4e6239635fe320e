// `faultline noise` as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "test/support/command_on_file.h"

namespace faultline::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// Two nodes that stall for 1 s of every 6 s, all at once: steps are 20% longer.
constexpr const char* kTwo =
    "extends: llama3\n"
    "scenario: two\n"
    "fleet:\n"
    "  pools: [{name: train, nodes: 2}]\n"
    "detectors:\n"
    "  monitoring: {tasks: 1, period: 6s, burst: 1s, inside_node: together, across_nodes: "
    "aligned}\n"
    "workloads: [!training {name: llama3, nodes: 2, step: 1s}]\n";

class NoiseTest : public CommandOnFile {
 protected:
  NoiseTest() : CommandOnFile("noise", "two.yaml", kTwo) {}
};

TEST_F(NoiseTest, SixArrangementsAndThePresentOne) {
  const ProgramResult text = run({});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, ContainsRegex("steps are 20% longer: 64 GPU-hours[ \n]+are lost a day"));
  EXPECT_THAT(text.out, ContainsRegex("together +aligned +20% .*<- present"));
  EXPECT_THAT(text.out, ContainsRegex("queued +independent"));
  EXPECT_THAT(run({"--format", "md"}).out, HasSubstr("| inside a node |"));
}

TEST_F(NoiseTest, JsonAndCsvSayTheSame) {
  const auto report = nlohmann::json::parse(run({"--format", "json"}).out);
  ASSERT_EQ(report["arrangements"].size(), 6U);
  const auto& present = report["arrangements"][0];
  EXPECT_EQ(present["present"], true);
  EXPECT_NEAR(present["slowdown"].get<double>(), 0.2, 1e-12);
  // 16 GPUs x 24 h x 0.2/1.2
  EXPECT_NEAR(present["gpu_hours_a_day"].get<double>(), 64, 1e-9);
  EXPECT_NEAR(present["replayed"]["slowdown"].get<double>(), 0.2, 0.02);
  EXPECT_EQ(present["replayed"]["sets"], 20);
  const std::string csv = run({"--format", "csv"}).out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
  EXPECT_THAT(csv, HasSubstr("together,aligned,true,"));
}

TEST_F(NoiseTest, TheReplayCanBeSeen) {
  const std::string path = folder_.file("noise.json");
  const ProgramResult result = run({"--timeline", path});
  EXPECT_EQ(result.code, 0) << result.err;
  const auto trace = nlohmann::json::parse(read_file(path));
  EXPECT_GT(trace["traceEvents"].size(), 5U);
}

TEST_F(NoiseTest, TheScenarioOfTheProject) {
  const ProgramResult result = faultline({"noise", "agent-noise", "--reps", "2"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("aligning[ \n]+wins: 0.007% instead of 7.85%"));
  EXPECT_THAT(result.out, HasSubstr("Inside a node jitter is right"));
  EXPECT_THAT(result.out, HasSubstr("For whoever collects, jitter is right"));
}

// Where the closed form does not hold, all of the report goes by what a run charges instead.
TEST_F(NoiseTest, WhereTheClosedFormFailsTheReplayIsChargedAndSaidSo) {
  const std::vector<std::string> jitter{"--set",    "detectors.monitoring.period=10s",
                                        "--set",    "detectors.monitoring.burst=200ms",
                                        "--set",    "detectors.monitoring.inside_node=jittered",
                                        "--set",    "workloads[llama3].spare_cores=0",
                                        "--reps",   "2",
                                        "--format", "json"};
  const auto output_of = [&](const char* command) {
    std::vector<std::string> arguments{command, "agent-noise"};
    arguments.insert(arguments.end(), jitter.begin(), jitter.end());
    return nlohmann::json::parse(faultline(arguments).out);
  };
  const auto report = output_of("noise");
  const auto& present = report["arrangements"][3];
  ASSERT_EQ(present["present"], true);
  EXPECT_EQ(present["charged"]["by"], "replay");
  EXPECT_NEAR(present["charged"]["closed_form"].get<double>(), 1.067, 0.001);
  EXPECT_NEAR(present["slowdown"].get<double>(), 3.8, 0.1);
  EXPECT_THAT(report["advice"][1].get<std::string>(),
              ContainsRegex("Together 106.7%, jittered 38"));
  EXPECT_THAT(report["caveats"].back().get<std::string>(),
              HasSubstr("* jittered, independent: the closed form, 106.7%, does not hold here"));
  // `run` says the same.
  const auto run = output_of("run");
  EXPECT_EQ(run["agent_noise"][0]["slowdown"], present["slowdown"]);
  EXPECT_EQ(run["agent_noise"][0]["charged"], present["charged"]);
  EXPECT_THAT(run["agent_noise"][0]["caveat"].get<std::string>(),
              HasSubstr("the closed form, 106.7%, does not hold here"));
}

TEST_F(NoiseTest, Mistakes) {
  EXPECT_EQ(
      faultline({"noise", "llama3"}).err,
      "faultline noise: scenario `llama3` does not say what its agent takes from the nodes: see "
      "`faultline explain detectors.monitoring`, or try `agent-noise`\n");
  EXPECT_EQ(error({"--job", "lama3"}),
            "faultline noise: there is no job `lama3`; did you mean `llama3`?\n");
  EXPECT_EQ(error({"--reps", "1"}),
            "faultline noise: --reps: `1` is not a whole number from 2 to 100000\n");
  EXPECT_EQ(
      error({"--format", "jsn"}),
      "faultline noise: --format: `jsn` is not text, json, md or csv; did you mean `json`?\n");
  EXPECT_THAT(error({"--set", "detectors.monitoring.burst=6s"}),
              HasSubstr("detectors.monitoring.burst: is not shorter than `period`: the task would "
                        "never rest"));
  EXPECT_THAT(error({"--set", "detectors.monitoring.across_nodes=independent", "--set",
                     "workloads[llama3].step=6s"}),
              HasSubstr("workloads[llama3].meetings_per_step: leaves 6s of work between two "
                        "meetings; with the agent's 1s of bursts that is more than "
                        "`detectors.monitoring.period`, 6s"));
}

}  // namespace
}  // namespace faultline::test
