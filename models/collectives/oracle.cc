#include "models/collectives/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>

#include "models/base/check.h"
#include "models/collectives/max_min.h"

namespace faultline {
namespace {

constexpr std::size_t kMostPairs = std::size_t{512} * 512;

// The cost of a plan, whose phases take what `phase_seconds(routed, software)` says.
template <class PhaseSeconds>
tl::expected<CollectiveCost, std::string> cost_of_plan(const Plan& plan, const FabricView& view,
                                                       PhaseSeconds phase_seconds) {
  const StepLatency software = software_latency(view.fabric(), plan.algorithm, plan.protocol);
  const double base = nccl_latency(plan.algorithm, plan.protocol).base;
  CollectiveCost cost{.seconds = base,
                      .latency_part = base,
                      .algorithm = plan.algorithm,
                      .protocol = plan.protocol};
  double longest = 0;
  for (const Phase& phase : plan.phases) {
    const auto routed = route_phase(view, phase, software);
    if (!routed) return tl::unexpected(std::string(kNoPath));
    const tl::expected<double, std::string> seconds = phase_seconds(*routed, software);
    if (!seconds) return tl::unexpected(seconds.error());
    const PhaseTime even = even_share_time(*routed);
    cost.seconds += *seconds;
    cost.latency_part += even.latency_part;
    if (*seconds <= longest) continue;
    longest = *seconds;
    cost.bottleneck = even.bottleneck;
  }
  return cost;
}

// The analytic cost on the healthy fabric.
CollectiveCost healthy_cost(const Fabric& fabric, const CollectiveSpec& spec, double efficiency) {
  const FabricState none;
  const auto cost = cost_of_plan(make_plan(fabric, spec, efficiency), FabricView(fabric, none),
                                 [](const RoutedPhase& routed, const StepLatency&) {
                                   return even_share_time(routed).seconds;
                                 });
  FAULTLINE_CHECK(cost.has_value(), "a healthy fabric without a path");
  return *cost;
}

// nccl-tests' bus bandwidth of a ring all-reduce of very many bytes, if links reach what they are
// rated for. The rings of a few nodes have every kind of cable that limits them.
double rated_bus_bandwidth(const Fabric& fabric) {
  constexpr double kBytes = 1e15;
  constexpr std::uint32_t kNodes = 8;
  CollectiveSpec spec{.bytes = kBytes,
                      .nodes = std::vector<std::uint32_t>(std::min(kNodes, fabric.nodes())),
                      .algorithm = CollectiveAlgorithm::kRing,
                      .protocol = Protocol::kSimple};
  std::iota(spec.nodes.begin(), spec.nodes.end(), 0);
  const CollectiveCost cost = healthy_cost(fabric, spec, 1);
  return bus_factor(spec.op, ranks_of(spec, fabric)) * kBytes / (cost.seconds - cost.latency_part);
}

// The flows of some groups, with all their steps in one.
std::vector<FluidFlow> fluid_flows(const RoutedPhase& routed,
                                   const std::vector<std::uint32_t>& groups) {
  const Phase& phase = *routed.phase;
  const bool ring = phase.kind == Phase::Kind::kRing;
  const auto steps = static_cast<double>(phase.steps);
  std::vector<FluidFlow> flows;
  for (const std::uint32_t group : groups) {
    for (std::size_t i = std::size_t{group} * phase.group; i < std::size_t{group + 1} * phase.group;
         ++i) {
      flows.push_back({.links = routed.flows[i].route.links(),
                       .bytes = ring ? steps * phase.flows[i].bytes : phase.flows[i].bytes,
                       .start = ring ? steps * routed.flows[i].alpha : routed.chain_latency});
    }
  }
  return flows;
}

}  // namespace

PlannedOracle::PlannedOracle(const Fabric& fabric) : fabric_(fabric) {
  const auto& busbw = fabric.config().busbw;
  const bool single = fabric.nodes() == 1 && fabric.gpus_per_node() == 1;
  if (busbw && !single) efficiency_ = busbw->bytes_per_second / rated_bus_bandwidth(fabric);
}

tl::expected<CollectiveSpec, std::string> PlannedOracle::chosen(CollectiveSpec spec) const {
  if (spec.algorithm && !can_do(*spec.algorithm, spec)) {
    return tl::unexpected(
        fmt::format("the algorithm {} has no {} {}", enum_name(*spec.algorithm), enum_name(spec.op),
                    spec.nodes.size() == 1 ? "inside one node" : "of this kind of group"));
  }
  const std::size_t ranks = ranks_of(spec, fabric_);
  if (spec.op == CollectiveOp::kAllToAll && ranks * ranks > kMostPairs) {
    return tl::unexpected(
        fmt::format("an all-to-all of {} GPUs has {} flows at once; at most 512 GPUs are possible",
                    ranks, ranks * (ranks - 1)));
  }
  if (spec.algorithm && spec.protocol) return spec;
  double least = std::numeric_limits<double>::infinity();
  CollectiveSpec best = spec;
  for (const auto& [algorithm, algorithm_name] : EnumNames<CollectiveAlgorithm>::kNames) {
    // (NCCL has no hierarchical all-reduce of its own: it is a choice of the framework)
    const bool open = algorithm != CollectiveAlgorithm::kHierarchical && can_do(algorithm, spec);
    if (spec.algorithm ? *spec.algorithm != algorithm : !open) continue;
    for (const auto& [protocol, protocol_name] : EnumNames<Protocol>::kNames) {
      if (spec.protocol && *spec.protocol != protocol) continue;
      CollectiveSpec candidate = spec;
      candidate.algorithm = algorithm;
      candidate.protocol = protocol;
      const double seconds = healthy_cost(fabric_, candidate, efficiency_).seconds;
      if (seconds >= least) continue;
      least = seconds;
      best = std::move(candidate);
    }
  }
  return best;
}

tl::expected<CollectiveCost, std::string> PlannedOracle::cost(const CollectiveSpec& spec,
                                                              const FabricState& state) {
  const auto choice = chosen(spec);
  if (!choice) return tl::unexpected(choice.error());
  const FabricView view(fabric_, state);
  return cost_of_plan(make_plan(fabric_, *choice, efficiency_), view,
                      [&](const RoutedPhase& routed, const StepLatency& software) {
                        return phase_seconds(routed, view, state, software);
                      });
}

tl::expected<double, std::string> AnalyticOracle::phase_seconds(const RoutedPhase& routed,
                                                                const FabricView&,
                                                                const FabricState&,
                                                                const StepLatency&) {
  return even_share_time(routed).seconds;
}

tl::expected<double, std::string> FluidOracle::phase_seconds(const RoutedPhase& routed,
                                                             const FabricView& view,
                                                             const FabricState&,
                                                             const StepLatency&) {
  const std::vector<FluidFlow> flows = fluid_flows(routed, distinct_groups(routed));
  if (flows.size() > kMostFlows) {
    return tl::unexpected(too_many_flows(routed, flows.size(), kMostFlows, "fluid"));
  }
  const std::vector<double> ends =
      finish_times(flows, [&](LinkIndex link) { return view.bandwidth(link); });
  return *std::max_element(ends.begin(), ends.end());
}

tl::expected<std::vector<double>, std::string> FluidOracle::together(
    std::span<const CollectiveSpec> specs, const FabricState& state) {
  const FabricView view(fabric(), state);
  std::vector<Plan> plans;
  for (const CollectiveSpec& spec : specs) {
    const auto choice = chosen(spec);
    if (!choice) return tl::unexpected(choice.error());
    plans.push_back(make_plan(fabric(), *choice, efficiency()));
  }
  std::deque<RoutedPhase> routed;  // (flows point into them)
  std::vector<FluidJob> jobs;
  std::size_t flows = 0;
  for (const Plan& plan : plans) {
    FluidJob& job = jobs.emplace_back();
    const StepLatency software = software_latency(fabric(), plan.algorithm, plan.protocol);
    for (const Phase& phase : plan.phases) {
      auto way = route_phase(view, phase, software);
      if (!way) return tl::unexpected(std::string(kNoPath));
      routed.push_back(std::move(*way));
      std::vector<std::uint32_t> groups(phase.flows.size() / phase.group);
      std::iota(groups.begin(), groups.end(), 0);
      job.phases.push_back(fluid_flows(routed.back(), groups));
      flows += phase.flows.size();
      if (flows > kMostFlows) {
        return tl::unexpected(too_many_flows(routed.back(), flows, kMostFlows, "fluid"));
      }
    }
  }
  std::vector<double> ends = job_ends(jobs, [&](LinkIndex link) { return view.bandwidth(link); });
  for (std::size_t i = 0; i < ends.size(); ++i) {
    ends[i] += nccl_latency(plans[i].algorithm, plans[i].protocol).base;
  }
  return ends;
}

std::string too_many_flows(const RoutedPhase& routed, std::size_t flows, std::size_t most,
                           std::string_view back_end) {
  return fmt::format(
      "the phase `{}` has {} flows at once, more than the {} that the back end {} takes: try fewer "
      "nodes, the algorithm hierarchical or the back end analytic",
      routed.phase->name, flows, most, back_end);
}

}  // namespace faultline
