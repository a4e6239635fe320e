// The SimGrid back end of the cost oracle (models/collectives/oracle.h).
//
// A ring is simulated message by message while it has at most `most_messages` of them, and as one
// flow per edge beyond: the flow waits for all of the steps' latencies and carries all of their
// bytes, which is the same where flows meet nowhere. Groups that are alike (rails, healthy nodes)
// are simulated once.
//
// Thread rule: one thread at a time.
#pragma once

#include <utility>

#include "models/collectives/oracle.h"
#include "sim/lab/collectives/simgrid_process.h"

namespace faultline {

class SimGridOracle final : public PlannedOracle {
 public:
  static constexpr double kMostMessages = 70'000;  // 128 ranks: 32,512
  static constexpr std::size_t kMostFlows = 8'000;

  SimGridOracle(const Fabric& fabric, SimGridProcess process, double most_messages = kMostMessages)
      : PlannedOracle(fabric), process_(std::move(process)), most_messages_(most_messages) {}

 protected:
  tl::expected<double, std::string> phase_seconds(const RoutedPhase& routed, const FabricView& view,
                                                  const FabricState& state,
                                                  const StepLatency& software) override;

 private:
  SimGridProcess process_;
  double most_messages_;
};

}  // namespace faultline
