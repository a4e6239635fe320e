// What a user reads when the fields of a fault class do not fit together. Whole texts.
#include <gtest/gtest.h>

#include "test/support/run_scenario.h"

namespace faultline {
namespace {

// All that is said about `small` with some settings, without the quoted lines.
std::string problems(std::vector<std::string> settings) {
  try {
    project_scenario("small", settings);
  } catch (const std::runtime_error& error) {
    std::istringstream lines(error.what());
    std::string said;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("    ")) continue;
      said += line.substr(line.rfind(": faults.classes[") + 2) + "\n";
    }
    return said;
  }
  return "fine";
}

TEST(ScenarioFaultErrors, KeysThatTheEffectDoesNotLookAt) {
  EXPECT_EQ(problems({"faults.classes[gpu-lost].found_after=1h"}),
            "faults.classes[gpu-lost].found_after: goes with `effect: silent` only\n");
  EXPECT_EQ(problems({"faults.classes[gpu-lost].speed=50%"}),
            "faults.classes[gpu-lost].speed: goes with `effect: slow` only\n");
  EXPECT_EQ(problems({"faults.classes[gpu-lost].slows=communication"}),
            "faults.classes[gpu-lost].slows: goes with `effect: slow` only\n");
  EXPECT_EQ(problems({"faults.classes[gpu-lost].hang_ends_by=watchdog"}),
            "faults.classes[gpu-lost].hang_ends_by: goes with `effect: hang` only\n");
  EXPECT_EQ(problems({"faults.classes[gpu-lost].degrades={part: nic, to: 50%}",
                      "faults.classes[gpu-lost].false_alarm=true"}),
            "faults.classes[gpu-lost].degrades: goes with `effect: slow` only\n"
            "faults.classes[gpu-lost].false_alarm: goes with `effect: none` only\n");
  EXPECT_EQ(problems({"faults.classes[nic-stuck].hang_ends_by=heartbeat",
                      "faults.classes[hot-gpu].slows=communication"}),
            "fine");
}

// Maintenance at known instants: of a job, with or without a rate.
TEST(ScenarioFaultErrors, PlannedStopsAtKnownInstants) {
  const std::vector<std::string> planned{"faults.classes[gpu-lost].effect=planned",
                                         "faults.classes[gpu-lost].signals=[]",
                                         "faults.classes[gpu-lost].clears=1h"};
  const auto with = [&](const std::string& rate, const std::string& strikes) {
    std::vector<std::string> settings = planned;
    settings.push_back("faults.classes[gpu-lost].rate=" + rate);
    settings.push_back("faults.classes[gpu-lost].strikes=" + strikes);
    return problems(settings);
  };
  EXPECT_EQ(with("null", "[{at: 7500s, job: job}]"), "fine");
  EXPECT_EQ(with("null", "[{at: 7500s}]"), "fine");
  EXPECT_EQ(with("0 per 1 job-days", "[{at: 7500s, job: job}]"), "fine");
  EXPECT_EQ(with("null", "[{at: 7500s, node: train-0}]"),
            "faults.classes[gpu-lost].strikes[0].node: goes nowhere: planned maintenance is of a "
            "job, so give the `job` (or nothing: the first one)\n");
  EXPECT_EQ(with("1 per 1 node-days", "[]"),
            "faults.classes[gpu-lost].rate: is counted per job when planned\n");
}

// A strike is at a place, whatever machine stands there at that time.
TEST(ScenarioFaultErrors, AStrikeNamesNoMachine) {
  for (const char* node : {"train-3.g99", "train-3.gx", "train-3.g0"}) {
    EXPECT_EQ(
        problems({std::string("faults.classes[gpu-lost].strikes=[{at: 1h, node: ") + node + "}]"}),
        "faults.classes[gpu-lost].strikes[0].node: is struck whatever machine stands there "
        "then, so it names none: write `train-3`\n");
  }
  EXPECT_EQ(problems({"faults.classes[gpu-lost].strikes=[{at: 1h, node: train-3}]"}), "fine");
}

// The key is wrong, not the value behind it.
TEST(ScenarioFaultErrors, ATolerationOfNoConditionIsMarkedAtItsKey) {
  try {
    project_scenario("small", {"policy.tolerations.Foo=3m"});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(
        error.what(),
        "--set policy.tolerations.Foo=3m: policy.tolerations.Foo: there is no condition type `Foo` "
        "(there is Ready, AcceleratedHardwareReady, NetworkingReady, KernelReady, "
        "ContainerRuntimeReady, StorageReady or InstanceStatus)\n"
        "    policy.tolerations.Foo=3m\n"
        "                       ^~~\n");
  }
}

}  // namespace
}  // namespace faultline
