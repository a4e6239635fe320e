#include "sim/lab/collectives/simgrid_oracle.h"

#include <algorithm>
#include <cstdint>

namespace faultline {

tl::expected<double, std::string> SimGridOracle::phase_seconds(const RoutedPhase& routed,
                                                               const FabricView&,
                                                               const FabricState& state,
                                                               const StepLatency& software) {
  const Phase& phase = *routed.phase;
  const std::vector<std::uint32_t> groups = distinct_groups(routed);
  const bool ring = phase.kind == Phase::Kind::kRing;
  const auto steps = static_cast<double>(phase.steps);
  const std::size_t count = groups.size() * phase.group;
  const bool step_by_step = ring && steps * static_cast<double>(count) <= most_messages_;
  if (count > kMostFlows) {
    return tl::unexpected(too_many_flows(routed, count, kMostFlows, "simgrid"));
  }
  SimGridRequest request{
      .kind = step_by_step ? SimGridRequest::Kind::kRing : SimGridRequest::Kind::kFlows,
      .state = state,
      .ring = phase.group,
      .steps = phase.steps,
      .latency = {.nvlink = software.nvlink, .net = software.net}};
  for (const std::uint32_t group : groups) {
    for (std::size_t i = std::size_t{group} * phase.group; i < std::size_t{group + 1} * phase.group;
         ++i) {
      const Flow& flow = phase.flows[i];
      const double bytes = ring && !step_by_step ? steps * flow.bytes : flow.bytes;
      request.flows.push_back(
          {.from = flow.from,
           .to = flow.to,
           .bytes = static_cast<std::uint64_t>(bytes),
           .start = ring ? steps * routed.flows[i].alpha : routed.chain_latency});
    }
  }
  const auto answer = process_.ask(request);
  if (!answer) return tl::unexpected(answer.error());
  return answer->front();
}

}  // namespace faultline
