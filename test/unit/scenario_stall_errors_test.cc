// What a user reads when the settings of stalls and of detectors of slow nodes do not fit. Whole texts.
#include <gtest/gtest.h>

#include "test/support/run_scenario.h"

namespace faultline {
namespace {

// The first line of what is said about failslow-512 with a setting, without the place.
std::string problem(const std::string& setting) {
  try {
    project_scenario("failslow-512", {setting});
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    const std::string line = text.substr(0, text.find('\n'));
    return line.substr(line.find(": ") + 2);
  }
  return "fine";
}

TEST(ScenarioStallErrors, AMonitorThatWouldEndASoundJob) {
  EXPECT_EQ(
      problem("workloads[job].progress_timeout=5s"),
      "workloads[job].progress_timeout: is not longer than a step and `checkpoint.blocks`: it "
      "would end a job that is well");
  EXPECT_EQ(problem("workloads[job].progress_timeout=2m"), "fine");
}

TEST(ScenarioStallErrors, RetriesThatInfiniBandDoesNotKnow) {
  EXPECT_EQ(problem("workloads[job].transport.ib_timeout=32"),
            "workloads[job].transport.ib_timeout: is out of range (got 32, expected at most 31)");
  EXPECT_EQ(problem("workloads[job].transport.ib_timeout=0"),
            "workloads[job].transport.ib_timeout: is out of range (got 0, expected at least 1)");
  EXPECT_EQ(problem("workloads[job].transport.ib_retry_cnt=8"),
            "workloads[job].transport.ib_retry_cnt: is out of range (got 8, expected at most 7)");
}

TEST(ScenarioStallErrors, AMonitorThatNamesNobodySetsNoCondition) {
  EXPECT_EQ(
      problem("detectors.reasons[SlowSteps].severity=fatal"),
      "detectors.reasons[SlowSteps].severity: is fatal, but channel `progress` names no machine "
      "whose condition could change: make it a warning, or set `names_machine: true`");
}

TEST(ScenarioStallErrors, TestsThatPileUp) {
  EXPECT_EQ(problem("detectors.channels[probe].by.takes=2h"),
            "detectors.channels[probe].by.takes: is longer than `period`: tests would pile up");
}

TEST(ScenarioStallErrors, Typos) {
  EXPECT_EQ(problem("faults.classes[slow-computation].effect=flapp"),
            "faults.classes[slow-computation].effect: is not a known name (got flapp, expected "
            "none, crash, hang, flap, slow, silent or planned); did you mean flap?");
  EXPECT_EQ(problem("faults.classes[slow-computation].slows=comunication"),
            "faults.classes[slow-computation].slows: is not a known name (got comunication, "
            "expected computation or communication); did you mean communication?");
  EXPECT_EQ(problem("policy.tolerations.PerformanceRedy=0s"),
            "policy.tolerations.PerformanceRedy: there is no condition type `PerformanceRedy`; did "
            "you mean `PerformanceReady`?");
}

}  // namespace
}  // namespace faultline
