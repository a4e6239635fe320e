// Alarms that either last or clear by themselves, under a tolerance window: the scenario that meets the
// assumptions of models/analytic/tolerance_window.h.
//
// One job; a fault hangs it at once (with a watchdog of a year, so that it only waits) and raises the
// condition at once. If the fault clears, the job goes on where it stood. After the window Karpenter
// replaces the node: launch and checkpoint load, `act` together, and no work is lost.
#pragma once

#include "models/analytic/tolerance_window.h"
#include "test/support/plain_scenario.h"

namespace faultline {

inline constexpr double kDaysBetweenAlarms = 100;
inline constexpr Duration kAlarmHorizon = 100'000_d;

inline Scenario alarm_scenario(const analytic::AlarmMix& mix, Duration window) {
  Scenario scenario = plain_scenario(1, kAlarmHorizon);
  const auto add_class = [&](const char* name, double share) -> FaultClassConfig& {
    FaultClassConfig& fault_class = class_of(scenario, name);
    fault_class.rate = Rate{.count = share, .exposure = kDaysBetweenAlarms};
    fault_class.effect = FaultEffect::kHang;
    fault_class.signals = {{.reason = kPlainReason}};
    return fault_class;
  };
  add_class("lasting", mix.lasting);
  add_class("passing", 1 - mix.lasting).clears =
      Distribution::make_exponential(mix.clears_mean).value();
  karpenter_of(scenario).tolerations[kPlainCondition] = window;
  job_of(scenario).nccl_timeout = 365_d;
  job_of(scenario).checkpoint.load = 10_min;
  scenario.capacity.launch = Distribution::fixed(mix.act - 10_min);
  return scenario;
}

}  // namespace faultline
