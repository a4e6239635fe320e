// What a user reads when status checks and the path that asks for them do not fit. Whole texts.
#include <gtest/gtest.h>

#include "test/support/run_scenario.h"

namespace faultline {
namespace {

// The first line of what is said about a scenario with a setting, without the place.
std::string problem(const std::string& scenario, const std::vector<std::string>& settings) {
  try {
    project_scenario(scenario, settings);
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    const std::string line = text.substr(0, text.find('\n'));
    return line.substr(line.find(": ") + 2);
  }
  return "fine";
}

TEST(ScenarioStatusCheckErrors, AConditionThatNobodyKnows) {
  EXPECT_EQ(problem("small", {"policy.status_checks.condition=InstanceStatsu"}),
            "policy.status_checks.condition: there is no condition type `InstanceStatsu`; did you "
            "mean `InstanceStatus`?");
  EXPECT_EQ(problem("small", {"policy.status_checks.condition=Foo"}),
            "policy.status_checks.condition: there is no condition type `Foo` (there is Ready, "
            "AcceleratedHardwareReady, NetworkingReady, KernelReady, ContainerRuntimeReady, "
            "StorageReady or InstanceStatus)");
  EXPECT_EQ(problem("small", {"policy.status_checks.condition=KernelReady"}), "fine");
}

// Detectors of another cloud have no such condition, and aws.yaml need not be changed for them.
TEST(ScenarioStatusCheckErrors, DetectorsWithoutStatusChecks) {
  EXPECT_EQ(problem("failslow-512", {"policy.status_checks={}"}), "fine");
  EXPECT_EQ(problem("failslow-512", {"policy.status_checks={condition: InstanceStatus}"}), "fine");
  EXPECT_EQ(problem("failslow-512",
                    {"policy.status_checks={}", "policy.status_checks.condition=PerformanceRedy"}),
            "policy.status_checks.condition: there is no condition type `PerformanceRedy`; did you "
            "mean `PerformanceReady`?");
}

TEST(ScenarioStatusCheckErrors, AControllerThatNeverWaits) {
  EXPECT_EQ(problem("small", {"policy.status_checks.poll=0s"}),
            "policy.status_checks.poll: is out of range (got 0s, expected more than 0)");
  EXPECT_EQ(problem("small", {"policy.status_checks.pol=2m"}),
            "policy.status_checks.pol: unknown key; did you mean poll?");
  EXPECT_EQ(problem("small", {"policy.status_checks=null"}), "fine");
}

TEST(ScenarioStatusCheckErrors, TwoReasonsOfStatusChecks) {
  EXPECT_EQ(problem("small", {"detectors.reasons[IODelays].channel=ec2-status"}),
            "detectors.reasons[InstanceStatusImpaired].channel: is a status check, as that of "
            "`IODelays` is: one reason is possible (with --set "
            "detectors.reasons[IODelays].channel=ec2-status)");
  EXPECT_EQ(problem("small", {"detectors.xids.channel=ec2-status"}),
            "detectors.xids.channel: is `ec2-status`, a status check, which looks from outside and "
            "sees no Xid");
}

}  // namespace
}  // namespace faultline
