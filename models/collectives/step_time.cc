#include "models/collectives/step_time.h"

#include <fmt/format.h>

#include "models/collectives/step_plan.h"

namespace faultline {
namespace {

constexpr double kBf16 = 2;  // bytes
constexpr double kFp32 = 4;

}  // namespace

StepBytes step_bytes(const TrainingStep& step) {
  const ModelShape& m = step.model;
  const Parallelism& p = step.parallel;
  const double tokens = static_cast<double>(m.sequence) / static_cast<double>(p.cp);
  const double shard = m.parameters / static_cast<double>(p.tp * p.pp);
  const double activations = tokens * static_cast<double>(m.hidden) * kBf16;
  return {.tp = activations,
          .cp = static_cast<double>(m.sequence * m.kv_width) * kBf16 / static_cast<double>(p.tp),
          .pp = activations / static_cast<double>(p.tp),
          .dp_gradients = shard * kFp32,
          .dp_parameters = shard * kBf16};
}

std::optional<std::string> step_misfit(const TrainingStep& step, const Fabric& fabric,
                                       std::uint32_t first_node) {
  const Parallelism& p = step.parallel;
  const std::int64_t gpus = std::int64_t{fabric.nodes() - first_node} * fabric.gpus_per_node();
  const std::int64_t ranks = p.tp * p.cp * p.pp * p.dp;
  if (ranks > gpus) {
    return fmt::format("tp x cp x pp x dp = {} ranks, but the fabric has {} GPUs", ranks, gpus);
  }
  if (step.sequences % p.dp != 0) {
    return fmt::format("{} sequences cannot be shared out evenly by dp = {}", step.sequences, p.dp);
  }
  return std::nullopt;
}

tl::expected<StepTime, std::string> step_time(const TrainingStep& step, const Fabric& fabric,
                                              const FabricState& state, std::uint32_t first_node) {
  if (const auto problem = step_misfit(step, fabric, first_node)) return tl::unexpected(*problem);
  const StepPlan plan(step, fabric, first_node);
  const FabricView view(fabric, state);
  bool no_path = false;
  const StepParts parts = plan.parts([&](const StepPlan::Collective& collective) {
    const auto routed = route_phase(view, collective.phase, plan.software());
    if (routed) return even_share_time(*routed).seconds;
    no_path = true;
    return 0.0;
  });
  if (no_path) return tl::unexpected(std::string(kNoPath));
  return plan.sum().time(parts);
}

}  // namespace faultline
