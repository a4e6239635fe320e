// What a fault of the fabric makes of a training step, for very many places of the fault.
//
// `step_time` routes every flow of a step anew for each state. Here the flows are routed once, on the
// healthy fabric, and a state is costed by the flows that it touches: those over its cables, those that
// take a detour, and those that meet a detour. All others take what they took before, and a lockstep
// ring takes what its slowest edge takes. So 16,384 places of a slow NIC cost milliseconds together,
// without an argument about symmetry, and the answer is that of `step_time`, part by part:
//
//   part in this state = max(healthy part, step_time's part)
//
// (A detour may relieve a link that was the slowest one; that gain is not given.)
//
// Several faults at once (`worse_of`): each part takes what the worse fault makes of it, because every
// rank waits for the slowest edge of each collective, and for the slowest GPU. That is exact, unless
// faults meet: two on the cables of one edge (bandwidths of a cable multiply, latencies add up), or two
// detours on one link. Then it is a lower bound of `step_time` with both.
//
//   Example: a GPU at 80% and a NIC at 10%: compute / 0.8, and the gradients of the slow NIC, added
//   up. A second NIC at 10% elsewhere adds nothing.
//
// Thread rule: immutable; share freely. The fabric must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/collectives/routed.h"
#include "models/collectives/step_plan.h"

namespace faultline {

// Part by part the longer one.
StepParts worse_of(const StepParts& a, const StepParts& b);

class StepPace {
 public:
  // The step fits the fabric (`step_misfit`).
  StepPace(const TrainingStep& step, const Fabric& fabric, std::uint32_t first_node = 0);

  const StepParts& healthy() const { return healthy_; }
  const StepSum& sum() const { return plan_.sum(); }

  // Nothing where two GPUs of the job have no path: the job is cut.
  std::optional<StepParts> with(const FabricState& state) const;
  // With one GPU at a share of its speed; more than zero.
  StepParts with_slow_gpu(double speed) const;

 private:
  // A collective on the healthy fabric.
  struct Routed {
    RoutedPhase phase;
    std::vector<double> load;          // bytes of a step, by link
    std::vector<std::uint32_t> first;  // by link: where its flows begin in `flows`
    std::vector<std::uint32_t> flows;
    double worst = 0;  // seconds of the slowest edge, for one step
  };

  Routed route(const StepPlan::Collective& collective) const;
  std::span<const std::uint32_t> flows_on(const Routed& routed, LinkIndex link) const {
    return std::span(routed.flows)
        .subspan(routed.first[link], routed.first[link + 1] - routed.first[link]);
  }
  // Seconds of the slowest edge; nothing where a flow has no path.
  std::optional<double> worst(const Routed& routed, const FabricView& view,
                              std::span<const ElementId> touched) const;

  const Fabric& fabric_;
  StepPlan plan_;
  std::vector<Routed> routed_;  // in the order of the plan's collectives
  StepParts healthy_;
};

}  // namespace faultline
