#include "sim/report/poll_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace faultline {
namespace {

constexpr std::string_view kTolerations = "policy.tolerations.";

// The polls of at least a second that raise the condition, by period.
std::map<Duration, std::set<std::string>> polls_of(const SimulationPlan& plan,
                                                   std::string_view condition) {
  std::map<Duration, std::set<std::string>> polls;
  for (std::size_t c = 0; c < plan.classes().size(); ++c) {
    if (!plan.classes()[c].config->clears) continue;
    for (const SimulationPlan::Signal& signal : plan.signals(FaultClassId(c))) {
      const Reason& reason = plan.contract().reason(signal.reason);
      const ChannelConfig& channel = plan.channel(reason);
      const auto* poll = std::get_if<PollChannel>(&channel.by);
      const bool raises = reason.severity == Severity::kFatal &&
                          plan.contract().conditions()[reason.condition.index()] == condition;
      if (poll != nullptr && raises && poll->period >= 1_s) {
        polls[poll->period].insert(channel.name);
      }
    }
  }
  return polls;
}

}  // namespace

std::string poll_steps_text(const SimulationPlan& plan, const Knob& knob) {
  if (!knob.path.starts_with(kTolerations) || plan.scenario().detectors.latching) return "";
  const auto polls = polls_of(plan, std::string_view(knob.path).substr(kTolerations.size()));
  // The longest period has the highest steps.
  for (auto poll = polls.rbegin(); poll != polls.rend(); ++poll) {
    const double period = poll->first.seconds();
    const auto ends_with_it = [&](double window) {
      return window > 0 && std::fmod(window, period) == 0;
    };
    const auto value = std::find_if(knob.numbers.begin(), knob.numbers.end(), ends_with_it);
    if (value == knob.numbers.end()) continue;
    return fmt::format(
        "The curve has steps: what {} poll clears after whole multiples of {}, and a window of "
        "just that ({}) still repairs it. A second more does not.",
        fmt::join(poll->second, ", "), to_string(poll->first),
        knob.values[static_cast<std::size_t>(value - knob.numbers.begin())]);
  }
  return "";
}

}  // namespace faultline
