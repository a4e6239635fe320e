// The gate between the analytic cost and SimGrid's steps: rings over nodes on random degraded
// fabrics, and two mutants of the analytic cost that it must catch.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "models/base/random.h"
#include "models/collectives/routed.h"
#include "sim/lab/collectives/simgrid_process.h"

namespace faultline {

inline constexpr double kGate = 1e-6;  // relative

inline SimGridProcess simgrid_for(const Fabric& fabric) {
  const char* const binary = std::getenv("FAULTLINE_BINARY");
  if (binary == nullptr) throw std::runtime_error("FAULTLINE_BINARY is not set");
  const auto folder = std::filesystem::path(binary).parent_path();
  auto process = SimGridProcess::start((folder / "faultline-simgrid").string(), fabric);
  if (!process) throw std::runtime_error(process.error());
  return std::move(*process);
}

// Uniform numbers of one test state.
class StateDraws {
 public:
  explicit StateDraws(std::uint32_t state) : random_(4, state) {}
  double uniform() { return random_.uniform(StreamId("test/fabric-state"), 0, draw_++); }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(uniform() * n); }

 private:
  RandomSource random_;
  std::uint32_t draw_ = 0;
};

// 0 to 5 NICs, uplinks and spines at 2% to 92% of their bandwidth, some with more latency; half of
// the NICs on rail 0, and half of the uplinks those that rings use.
inline FabricState degraded_state(const Fabric& fabric, StateDraws& draws) {
  std::vector<FabricFault> faults;
  for (std::uint32_t n = draws.below(6); n > 0; --n) {
    FabricFault fault{.bandwidth = 0.02 + 0.9 * draws.uniform()};
    if (draws.below(4) == 0) {
      fault.extra_latency = Duration::nanoseconds(draws.below(50'000));
    }
    const std::uint32_t last = fabric.uplinks_per_leaf() - 1;
    switch (draws.below(6)) {
      case 0:
      case 1: fault.element = fabric.nic(draws.below(fabric.nodes()), 0); break;
      case 2:
      case 3:
        fault.element =
            fabric.nic(draws.below(fabric.nodes()), draws.below(fabric.nics_per_node()));
        break;
      case 4:
        fault.element = fabric.leaf_uplink(draws.below(fabric.count(ElementKind::kLeaf)),
                                           draws.below(2) == 0 ? last : draws.below(last));
        break;
      default:
        fault.element =
            fabric.element(ElementKind::kSpine, draws.below(fabric.count(ElementKind::kSpine)));
    }
    faults.push_back(fault);
  }
  return FabricState(std::move(faults));
}

// One all-reduce ring over all nodes, of the GPUs with number `gpu`.
inline Phase ring_over_nodes(const Fabric& fabric, std::uint32_t gpu, double bytes) {
  Phase phase{.name = "ring", .steps = 2 * (fabric.nodes() - 1), .group = fabric.nodes()};
  for (std::uint32_t i = 0; i < fabric.nodes(); ++i) {
    const std::uint32_t next = (i + 1) % fabric.nodes();
    phase.flows.push_back(
        {i * fabric.gpus_per_node() + gpu, next * fabric.gpus_per_node() + gpu, bytes});
  }
  return phase;
}

struct GateResult {
  double worst = 0;              // relative error
  int without_alpha_caught = 0;  // states in which a mutant is off by more than the gate
  int wrong_rail_caught = 0;
};

inline GateResult ring_gate(std::uint32_t nodes, std::uint32_t first_state, std::uint32_t states) {
  const Fabric fabric(FabricConfig{}, nodes, 8, 8);
  SimGridProcess simgrid = simgrid_for(fabric);
  const StepLatency software =
      software_latency(fabric, CollectiveAlgorithm::kHierarchical, Protocol::kSimple);
  GateResult result;
  for (std::uint32_t n = first_state; n < first_state + states; ++n) {
    StateDraws draws(n);
    const FabricState state = degraded_state(fabric, draws);
    const FabricView view(fabric, state);
    const double bytes = std::ceil(1e9 / 8 / nodes * (0.01 + draws.uniform()));
    const Phase phase = ring_over_nodes(fabric, 0, bytes);
    const RoutedPhase routed = *route_phase(view, phase, software);
    SimGridRequest request{.kind = SimGridRequest::Kind::kRing,
                           .state = state,
                           .ring = phase.group,
                           .steps = phase.steps,
                           .latency = {.nvlink = software.nvlink, .net = software.net}};
    for (const Flow& flow : phase.flows) {
      request.flows.push_back({flow.from, flow.to, static_cast<std::uint64_t>(flow.bytes), 0});
    }
    const auto answer = simgrid.ask(request);
    if (!answer) {
      ADD_FAILURE() << answer.error();
      return result;
    }
    const double truth = answer->front();
    const auto error = [&](const RoutedPhase& judged) {
      return std::abs(even_share_time(judged).seconds / truth - 1);
    };
    result.worst = std::max(result.worst, error(routed));

    RoutedPhase without_alpha = routed;
    for (auto& flow : without_alpha.flows) flow.alpha = 0;
    if (error(without_alpha) > kGate) ++result.without_alpha_caught;

    const Phase other = ring_over_nodes(fabric, 1, bytes);
    if (error(*route_phase(view, other, software)) > kGate) ++result.wrong_rail_caught;
  }
  return result;
}

}  // namespace faultline
