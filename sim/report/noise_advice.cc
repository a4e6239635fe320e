#include <fmt/format.h>

#include <algorithm>

#include "sim/report/charged_noise_text.h"
#include "sim/report/format.h"
#include "sim/report/noise_report.h"

namespace faultline {
namespace {

// Below this ratio two arrangements are as good as each other.
constexpr double kVisible = 1.1;

std::string across(const NoiseComparison& c) {
  const InsideNode inside = c.settings.inside;
  const double aligned = c.row(inside, AcrossNodes::kAligned).charged.slowdown;
  const double independent = c.row(inside, AcrossNodes::kIndependent).charged.slowdown;
  if (independent <= kVisible * aligned) {
    return "Across nodes it is all the same when agents wake: no meeting waits longer for it.";
  }
  const std::string times =
      aligned > 0 ? fmt::format(", {} times less",
                                value_text(independent / aligned, Expression::Unit::kPlain))
                  : "";
  return fmt::format(
      "Across nodes the common advice, to jitter the start of agents, is wrong for this job, and "
      "aligning wins: {} instead of {}{}. Every node stalls alike, so a stall is paid once a "
      "period; "
      "with phases of their own, somebody's burst is in the way of {} (from {} nodes on). Let "
      "agents "
      "wake by the wall clock, at multiples of the period.",
      slowdown_text(aligned), slowdown_text(independent), times,
      static_cast<double>(c.settings.gang.nodes) >= c.saturating_nodes
          ? "most meetings"
          : "many meetings, not yet most",
      number(c.saturating_nodes, 0));
}

std::string inside(const NoiseComparison& c, const std::string& job) {
  const noise::Monitoring& m = c.settings.monitoring;
  const auto at = [&](InsideNode inside) {
    return c.row(inside, c.settings.across).charged.slowdown;
  };
  const std::string together = slowdown_text(at(InsideNode::kTogether));
  const std::string jittered = slowdown_text(at(InsideNode::kJittered));
  const std::string queued = slowdown_text(at(InsideNode::kQueued));
  const std::int64_t harmless = m.spare_cores / m.cores;
  if (harmless >= m.tasks) {
    return "Inside a node all tasks fit on the cores that serve no rank, so none of this costs "
           "anything.";
  }
  const std::string a_core = fmt::format("`--set workloads[{}].spare_cores={}`", job, m.cores);
  if (m.tasks == 1) {
    return fmt::format("With a core to spare for its one task the agent would cost nothing: {}.",
                       a_core);
  }
  if (harmless == 0) {
    return fmt::format(
        "Inside a node without a core to spare for a task, jitter is wrong as well: each burst "
        "stalls "
        "the ranks by itself. Together {}, jittered {}, one sequential queue {}. With {} a queue "
        "would "
        "cost nothing.",
        together, jittered, queued, a_core);
  }
  if (at(InsideNode::kJittered) >= at(InsideNode::kTogether)) {
    return fmt::format(
        "Inside a node jitter does not help: {} of the {} tasks at a time disturb no rank, but "
        "with so much to do more of them meet somewhere all the time. Jittered {}, together {}; "
        "one sequential queue {}.",
        harmless, m.tasks, jittered, together, queued);
  }
  return fmt::format(
      "Inside a node jitter is right: {} of the {} tasks at a time disturb no rank. Jittered {}, "
      "together {}; one sequential queue {}.",
      harmless, m.tasks, jittered, together, queued);
}

std::string collector(const NoiseComparison& c) {
  const InsideNode inside = c.settings.inside;
  return fmt::format(
      "For whoever collects, jitter is right: {} bursts at once if nodes are aligned, {} on "
      "average if "
      "not. So collect by the wall clock and jitter only what is sent.",
      value_text(c.row(inside, AcrossNodes::kAligned).arrangement.at_once,
                 Expression::Unit::kPlain),
      value_text(c.row(inside, AcrossNodes::kIndependent).arrangement.at_once,
                 Expression::Unit::kPlain));
}

std::string shorter(const NoiseComparison& c) {
  const double now = c.present().charged.slowdown;
  return fmt::format(
      "Shorter bursts (cached reads of /proc, say) help in every arrangement: at half the length "
      "{} "
      "instead of {}, {} GPU-hours a day less. Try `--set detectors.monitoring.burst={}`.",
      slowdown_text(c.shorter_burst), slowdown_text(now),
      number(c.gpu_hours_a_day(now) - c.gpu_hours_a_day(c.shorter_burst), 0),
      to_string(std::max(1_ns, Duration::nanoseconds(c.settings.monitoring.burst.ns() / 2))));
}

}  // namespace

std::vector<std::string> noise_advice(const NoiseResults& results) {
  const NoiseComparison& c = results.comparison;
  std::vector<std::string> advice{across(c), inside(c, results.job), collector(c)};
  if (c.present().charged.slowdown > 0) advice.push_back(shorter(c));
  return advice;
}

}  // namespace faultline
