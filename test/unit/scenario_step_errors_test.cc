// What a user reads when steps, fabric and degraded parts do not fit together. Whole texts.
#include <gtest/gtest.h>

#include <algorithm>

#include "test/support/run_scenario.h"

namespace faultline {
namespace {

// The first line of what is said about a scenario with settings, without the place and the options.
std::string problem(const std::vector<std::string>& settings,
                    const std::string& scenario = "llama3-fabric") {
  try {
    project_scenario(scenario, settings);
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    const std::string line = text.substr(0, std::min(text.find('\n'), text.find(" (with --set ")));
    return line.substr(line.find(": ") + 2);
  }
  return "fine";
}

TEST(ScenarioStepErrors, StepAndParallelism) {
  EXPECT_EQ(
      problem({"workloads[llama3].step=6s"}),
      "workloads[llama3].step: follows from `parallelism`: leave it out, or write `step: null` "
      "over an inherited one");
}

TEST(ScenarioStepErrors, OneWithoutTheOther) {
  EXPECT_EQ(problem({"workloads[llama3].model=null"}),
            "workloads[llama3].parallelism: needs `model` beside it");
  EXPECT_EQ(problem({"workloads[llama3].parallelism=null"}),
            "workloads[llama3].model: needs `parallelism` beside it");
}

TEST(ScenarioStepErrors, NotTheGpusOfTheJob) {
  EXPECT_EQ(problem({"workloads[llama3].parallelism.dp=64"}),
            "workloads[llama3].parallelism: comes to tp 8 x cp 1 x pp 16 x dp 64 = 8192 ranks, but "
            "2048 nodes of 8 GPUs are 16384");
}

TEST(ScenarioStepErrors, ABatchThatCannotBeSharedOut) {
  EXPECT_EQ(problem({"workloads[llama3].model.sequences_per_step=2000"}),
            "workloads[llama3].model.sequences_per_step: is 2000, which dp 128 does not divide");
}

TEST(ScenarioStepErrors, AStepOfDays) {
  EXPECT_EQ(problem({"workloads[llama3].model.peak_flops=1e9"}),
            "workloads[llama3].model: needs 56.6 days of computing for one step");
}

TEST(ScenarioStepErrors, NoFabric) {
  EXPECT_EQ(problem({"fleet.fabric=null", "faults=traces/llama3-2024.yaml"}),
            "workloads[llama3].parallelism: needs `fleet.fabric`: the step time follows from the "
            "network");
}

TEST(ScenarioStepErrors, DegradesWithoutFabric) {
  EXPECT_EQ(
      problem({"faults.classes[slow-network].speed=null",
               "faults.classes[slow-network].degrades.part=nic",
               "faults.classes[slow-network].degrades.to=10%"},
              "llama3"),
      "faults.classes[slow-network].degrades: needs `fleet.fabric`: without a network nothing "
      "of it can be degraded");
}

TEST(ScenarioStepErrors, DegradesWithoutParallelism) {
  EXPECT_EQ(problem({"workloads[llama3].parallelism=null", "workloads[llama3].model=null"}),
            "faults.classes[thermal-excursion].degrades: needs `parallelism` and `model` in every "
            "job: what the fault costs follows from the steps");
}

TEST(ScenarioStepErrors, DegradesAndSpeed) {
  EXPECT_EQ(problem({"faults.classes[slow-network].speed=50%"}),
            "faults.classes[slow-network].speed: follows from `degrades`: give one of the two");
}

TEST(ScenarioStepErrors, DegradesAndAnotherEffect) {
  EXPECT_EQ(problem({"faults.classes[slow-network].effect=crash",
                     "faults.classes[slow-network].slows=null"}),
            "faults.classes[slow-network].degrades: goes with `effect: slow` only");
}

TEST(ScenarioStepErrors, NoSuchPart) {
  EXPECT_EQ(
      problem({"faults.classes[slow-network].degrades.part=nik"}),
      "faults.classes[slow-network].degrades.part: is not a known name (got nik, expected gpu, "
      "nvlink, nic, uplink, leaf, spine or core); did you mean nic?");
}

TEST(ScenarioStepErrors, NoCoreSwitchInTwoLayers) {
  EXPECT_EQ(problem({"faults.classes[slow-network].degrades.part=core",
                     "fleet.fabric.topology=fat-tree"}),
            "faults.classes[slow-network].degrades.part: is a core switch, which only a "
            "`three-layer` fabric has");
}

TEST(ScenarioStepErrors, NothingDegraded) {
  EXPECT_EQ(problem({"faults.classes[slow-network].degrades.to=100%"}),
            "faults.classes[slow-network].degrades.to: is 100%: nothing is degraded");
}

TEST(ScenarioStepErrors, LatencyOfAGpu) {
  EXPECT_EQ(
      problem({"faults.classes[thermal-excursion].degrades.extra_latency=1us"}),
      "faults.classes[thermal-excursion].degrades.extra_latency: goes with a part that carries "
      "messages, not with `gpu`");
}

TEST(ScenarioStepErrors, OfAJob) {
  EXPECT_EQ(problem({"faults.classes[slow-network].rate=20 per 54 job-days"}),
            "faults.classes[slow-network].degrades: needs a GPU, but the rate is counted per job");
}

}  // namespace
}  // namespace faultline
