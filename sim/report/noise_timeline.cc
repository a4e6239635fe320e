#include <fmt/format.h>

#include <algorithm>

#include "sim/report/noise_report.h"
#include "sim/report/trace_events.h"

namespace faultline {
namespace {

constexpr std::uint32_t kGang = 1;
constexpr std::uint32_t kNodes = 2;
constexpr std::size_t kMostNodes = 8;

// Those that the gang waited for, the first ones first.
std::vector<std::uint32_t> nodes_shown(const NoiseSlice& slice) {
  std::vector<std::uint32_t> nodes;
  for (const noise::NoiseReplay::Meetings& met : slice.meetings) {
    if (met.wait == Duration::zero() || nodes.size() == kMostNodes) continue;
    if (std::find(nodes.begin(), nodes.end(), met.last) == nodes.end()) nodes.push_back(met.last);
  }
  return nodes;
}

}  // namespace

bool write_noise_timeline(std::ostream& out, const NoiseSettings& settings,
                          const NoiseSlice& slice) {
  TraceEvents trace(out);
  const bool aligned = settings.across == AcrossNodes::kAligned;
  const auto name = [&](std::uint32_t node) {
    return aligned ? std::string("every node") : fmt::format("node {}", node);
  };
  trace.name_process(kGang, "gang");
  trace.name_row({kGang, 1}, "meetings");
  for (const noise::NoiseReplay::Meetings& met : slice.meetings) {
    const SimTime worked = met.ended - met.wait;
    trace.slice({kGang, 1}, met.began, worked,
                met.count == 1 ? "work" : fmt::format("work, {} meetings", met.count), {});
    if (met.wait == Duration::zero()) continue;
    trace.slice({kGang, 1}, worked, met.ended, fmt::format("waits for {}", name(met.last)),
                {{"wait", to_string(met.wait)}});
  }
  if (slice.meetings.empty()) return trace.finish();
  const SimTime end = slice.meetings.back().ended;
  const noise::Monitoring& agent = settings.monitoring;
  trace.name_process(kNodes, "bursts");
  std::uint32_t row = 0;
  for (const std::uint32_t node : nodes_shown(slice)) {
    for (std::uint32_t task = 0; task < slice.phases[node].size(); ++task) {
      const TraceEvents::Row at{kNodes, ++row};
      trace.name_row(at, fmt::format("{} task {}", name(node), task + 1));
      // (it may have begun before the replay did)
      SimTime begins = SimTime() + slice.phases[node][task];
      const SimTime before = begins - agent.period + agent.burst;
      if (before > SimTime()) trace.slice(at, SimTime(), before, "burst", {});
      for (; begins < end; begins = begins + agent.period) {
        trace.slice(at, begins, begins + agent.burst, "burst", {});
      }
    }
  }
  return trace.finish();
}

}  // namespace faultline
