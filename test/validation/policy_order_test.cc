// Which policy gives more useful time on llama3, as theory says.
//
// By hand, from the catalogue (54 d = 4.67e6 s; counts per 54 d). A window T on
// AcceleratedHardwareReady costs and saves:
//
//   waits        every interruption that the condition repairs waits T longer: about
//                148 + 72 + 19 + 17 + 3 + 2 = 261, less a few that nothing detects
//   needless     an alarm that is still there at T interrupts the job: drain and launch (115 s),
//                restart (215 s), redone work (300 s): about 630 s. Seen at all, and still there:
//                  host engine   132 of 300, e^(-T/90 s)     DCGM     133 of 150, e^(-T/20 min)
//                  device count   94 of 120, e^(-T/10 min)   NVLink   100 of 100, e^(-T/4 min)
//
// DCGM and the device count are polled every 300 s, and 10 and 30 min are whole numbers of periods: what clears at
// the very end of the window clears too late, for lastTransitionTime is rounded down. For these two e^(-T/mean)
// counts with T - 300 s.
//
//   T = 0        459 needless x 630 s = 289e3 s                               6.2% of the time
//   T = 10 min   170 needless x 630 s = 107e3 s, 261 x  600 s = 157e3 s       5.65%
//   T = 30 min    46 needless x 630 s =  29e3 s, 261 x 1800 s = 470e3 s      10.7%
//
// so 10 min > 0 s > 30 min, by 0.55 and 4.5 points. This is first order: costs are added up as if no
// two outages overlapped, so the simulated differences are somewhat smaller; within 40% is asked.
// Restart in place waits for a person (43 min on average) and hands-on repair (2.7 h) for each of
// about 320 lasting faults, more time than there is: far behind all of them. Without the alarms the
// first column of costs is gone and 0 s must win: that is the mutant, and it must fail the check.
//
// Statistics. n = 40 replications, the same faults for every policy (seed 1, common random
// numbers), no retries. A policy is better if the 99% Student-t interval of the paired difference
// lies above 0: alpha = 0.5% per comparison.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/support/estimate.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

const ReplicationOptions kOptions{.seed = 1, .replications = 40};

std::string window(const char* length) {
  return "policy.tolerations.AcceleratedHardwareReady=" + std::string(length);
}

std::vector<double> ettr(const std::vector<std::string>& settings, bool with_alarms = true) {
  Scenario scenario = project_scenario("llama3", settings);
  if (!with_alarms) {
    std::erase_if(scenario.faults.classes, [](const FaultClassConfig& fault_class) {
      return fault_class.effect == FaultEffect::kNone;
    });
  }
  return column(run_scenario(scenario, kOptions), "ettr_ratio");
}

bool is_better(const std::vector<double>& a, const std::vector<double>& b) {
  return estimate(difference(a, b)).lo(0.99) > 0;
}

TEST(PolicyOrder, TenMinutesThenNoneThenThirtyThenRestartInPlace) {
  const auto none = ettr({window("0s")});
  const auto ten = ettr({window("10m")});
  const auto thirty = ettr({window("30m")});
  const auto in_place = ettr({"policy=policies/restart-in-place/default.yaml"});

  EXPECT_TRUE(is_better(ten, none)) << estimate(difference(ten, none));
  EXPECT_TRUE(is_better(none, thirty)) << estimate(difference(none, thirty));
  EXPECT_NEAR(estimate(difference(ten, none)).mean, 0.0055, 0.4 * 0.0055);
  EXPECT_NEAR(estimate(difference(none, thirty)).mean, 0.0449, 0.4 * 0.0449);
  EXPECT_TRUE(is_better(thirty, in_place)) << estimate(difference(thirty, in_place));
  for (const auto& [name, values] :
       {std::pair{"0s", none}, {"10m", ten}, {"30m", thirty}, {"in place", in_place}}) {
    RecordProperty(std::string("ettr ") + name, std::to_string(estimate(values).mean));
  }
}

TEST(PolicyOrder, WithoutAlarmsWaitingOnlyCosts) {
  const auto none = ettr({window("0s")}, false);
  const auto ten = ettr({window("10m")}, false);
  EXPECT_FALSE(is_better(ten, none));
  EXPECT_TRUE(is_better(none, ten)) << estimate(difference(none, ten));
}

}  // namespace
}  // namespace faultline
