// The warning for windows that end with a poll.
#include "sim/report/poll_steps.h"

#include <gtest/gtest.h>

#include "test/support/run_scenario.h"

namespace faultline {
namespace {

std::string steps(const std::string& vary, const std::vector<std::string>& settings = {}) {
  const Scenario scenario = project_scenario("llama3", settings);
  const SimulationPlan plan(scenario);
  return poll_steps_text(plan, Knob::parse(vary).value());
}

constexpr const char* kGpu = "policy.tolerations.AcceleratedHardwareReady";

TEST(PollSteps, ANamedWindowIsAMultiple) {
  EXPECT_EQ(steps(kGpu + std::string("=0s..30m/1m")),
            "The curve has steps: what dcgm-devices, dcgm-health poll clears after whole "
            "multiples of 5m, and a "
            "window of just that (5m) still repairs it. A second more does not.");
}

TEST(PollSteps, NothingToSay) {
  EXPECT_EQ(steps(kGpu + std::string("=0s,7m1s,11m1s")), "");
  EXPECT_EQ(steps(kGpu + std::string("=10m"), {"detectors.latching=true"}), "");
  EXPECT_EQ(steps("policy.tolerations.StorageReady=10m"), "");
  EXPECT_EQ(steps("capacity.warm_spares=0,300"), "");
}

}  // namespace
}  // namespace faultline
