// What a collective costs on a fabric in a state: one interface, three back ends.
//
//   analytic   alpha-beta with the bottleneck edge, links shared evenly       microseconds
//   fluid      max-min sharing of every link over time                        milliseconds
//   SimGrid    flow by flow or step by step in a simulator of networks        up to seconds
//
// All cost the same plan (plan.h), phase by phase, and must agree where their assumptions do:
//
//   rings whose flows meet nowhere   analytic = SimGrid's steps = fluid
//   rings that meet                  analytic >= fluid: max-min gives each flow an even share at
//                                    least, and more when another one has ended
//   streams                          analytic = fluid, because all flows have as many bytes
//   several jobs on shared links     fluid = SimGrid's flows
//
// Algorithm and protocol that a spec leaves open are chosen as NCCL does: by the analytic cost on
// the *healthy* fabric, because NCCL chooses when the communicator is made and a fault comes later.
//
// Errors: sentences (no path between two ranks, an algorithm that cannot do the operation, more
// flows than a back end takes).
//
// Thread rule: one thread at a time.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/collectives/routed.h"

namespace faultline {

inline constexpr std::string_view kNoPath = "two of the GPUs have no path to each other";

class CollectiveOracle {
 public:
  CollectiveOracle() = default;
  CollectiveOracle(const CollectiveOracle&) = delete;
  CollectiveOracle& operator=(const CollectiveOracle&) = delete;
  virtual ~CollectiveOracle() = default;

  virtual tl::expected<CollectiveCost, std::string> cost(const CollectiveSpec& spec,
                                                         const FabricState& state) = 0;
};

// The part that the back ends share. The fabric must outlive it.
class PlannedOracle : public CollectiveOracle {
 public:
  explicit PlannedOracle(const Fabric& fabric);

  tl::expected<CollectiveCost, std::string> cost(const CollectiveSpec& spec,
                                                 const FabricState& state) override;

  const Fabric& fabric() const { return fabric_; }
  // Measured bus bandwidth over the rated one; 1 without a measurement.
  double efficiency() const { return efficiency_; }

 protected:
  // Seconds of one phase.
  virtual tl::expected<double, std::string> phase_seconds(const RoutedPhase& routed,
                                                          const FabricView& view,
                                                          const FabricState& state,
                                                          const StepLatency& software) = 0;

  // The spec with its open choices made, or why there is none.
  tl::expected<CollectiveSpec, std::string> chosen(CollectiveSpec spec) const;

 private:
  const Fabric& fabric_;
  double efficiency_ = 1;
};

class AnalyticOracle final : public PlannedOracle {
 public:
  using PlannedOracle::PlannedOracle;

 protected:
  tl::expected<double, std::string> phase_seconds(const RoutedPhase& routed, const FabricView&,
                                                  const FabricState&, const StepLatency&) override;
};

class FluidOracle final : public PlannedOracle {
 public:
  // More flows than this at once are refused.
  static constexpr std::size_t kMostFlows = 20'000;
  using PlannedOracle::PlannedOracle;

  // Seconds that each of several collectives takes when all begin at once and share the links, as
  // jobs on the same spines do.
  tl::expected<std::vector<double>, std::string> together(std::span<const CollectiveSpec> specs,
                                                          const FabricState& state);

 protected:
  tl::expected<double, std::string> phase_seconds(const RoutedPhase& routed, const FabricView& view,
                                                  const FabricState&, const StepLatency&) override;
};

// "ring all-reduce of 2048 nodes: 131072 flows at once, more than the 20000 that ... takes; ..."
std::string too_many_flows(const RoutedPhase& routed, std::size_t flows, std::size_t most,
                           std::string_view back_end);

}  // namespace faultline
