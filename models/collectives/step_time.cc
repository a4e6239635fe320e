#include "models/collectives/step_time.h"

#include <fmt/format.h>

#include <algorithm>

namespace faultline {
namespace {

constexpr double kFlopsPerParameter = 6;  // forward 2, backward 4, for each token
constexpr double kBf16 = 2;               // bytes
constexpr double kFp32 = 4;
constexpr double kTpPerLayer = 4;  // after attention and after the MLP, forward and backward
constexpr double kCpPerLayer = 2;  // forward and backward

class Step {
 public:
  Step(const TrainingStep& step, const Fabric& fabric, const FabricState& state)
      : step_(step),
        p_(step.parallel),
        fabric_(fabric),
        view_(fabric, state),
        efficiency_(AnalyticOracle(fabric).efficiency()) {}

  tl::expected<StepTime, std::string> time() {
    if (const auto problem = misfit()) return tl::unexpected(*problem);
    const StepBytes bytes = step_bytes(step_);
    const double micro_batches = static_cast<double>(step_.sequences) / static_cast<double>(p_.dp);
    const double layers = static_cast<double>(step_.model.layers) / static_cast<double>(p_.pp);
    const double tokens = static_cast<double>(step_.sequences * step_.model.sequence);
    const double gpus = static_cast<double>(ranks());
    StepTime time;
    time.compute = kFlopsPerParameter * step_.model.parameters * tokens /
                   (gpus * step_.peak_flops * step_.kernel_efficiency * step_.slowest_gpu);
    const std::int64_t inner = p_.tp;
    const double tp = collective(1, p_.tp, 2, bytes.tp);
    const double cp = collective(inner, p_.cp, 1, bytes.cp);
    time.tp = micro_batches * layers * kTpPerLayer * tp * (1 - step_.tp_hidden);
    time.cp = micro_batches * layers * kCpPerLayer * cp;
    // Messages between stages are hidden but for those of filling and draining, each way.
    time.pp = 2 * static_cast<double>(p_.pp - 1) * message(inner * p_.cp, p_.pp, bytes.pp);
    const std::int64_t outer = inner * p_.cp * p_.pp;
    time.dp = (collective(outer, p_.dp, 1, bytes.dp_gradients) +
               collective(outer, p_.dp, 1, bytes.dp_parameters)) *
              (1 - step_.dp_hidden);
    // The interleaved schedule of Megatron-LM: (pp - 1) / (v m) of the work (Narayanan et al., SC21).
    time.bubble = (time.compute + time.tp + time.cp) * static_cast<double>(p_.pp - 1) /
                  (static_cast<double>(p_.stages_per_rank) * micro_batches);
    time.total = time.compute + time.tp + time.cp + time.pp + time.dp + time.bubble;
    time.mfu = kFlopsPerParameter * step_.model.parameters * tokens /
               (time.total * gpus * step_.peak_flops);
    if (no_path_) return tl::unexpected(std::string(kNoPath));
    return time;
  }

 private:
  std::int64_t ranks() const { return p_.tp * p_.cp * p_.pp * p_.dp; }

  std::optional<std::string> misfit() const {
    const std::int64_t gpus = fabric_.count(ElementKind::kGpuPort);
    if (ranks() > gpus) {
      return fmt::format("tp x cp x pp x dp = {} ranks, but the fabric has {} GPUs", ranks(), gpus);
    }
    if (step_.sequences % p_.dp != 0) {
      return fmt::format("{} sequences cannot be shared out evenly by dp = {}", step_.sequences,
                         p_.dp);
    }
    return std::nullopt;
  }

  // Every group of `size` ranks that are `stride` apart, in rings, all at once: rounds 2 for an
  // all-reduce, 1 for its halves. Seconds.
  double collective(std::int64_t stride, std::int64_t size, std::int64_t rounds, double bytes) {
    if (size == 1) return 0;
    Phase phase{.name = "step", .steps = rounds * (size - 1), .group = narrow(size)};
    add_groups(phase, stride, size, wire(bytes / static_cast<double>(size)));
    return nccl_latency(kAlgorithm, kProtocol).base + even_share(phase);
  }

  // One message of each rank to the next one of its group, all at once.
  double message(std::int64_t stride, std::int64_t size, double bytes) {
    if (size == 1) return 0;
    Phase phase{.name = "message", .steps = 1, .group = narrow(size)};
    add_groups(phase, stride, size, wire(bytes));
    return even_share(phase);
  }

  void add_groups(Phase& phase, std::int64_t stride, std::int64_t size, double bytes) const {
    for (std::int64_t first = 0; first < ranks(); ++first) {
      if (first / stride % size != 0) continue;
      for (std::int64_t i = 0; i < size; ++i) {
        phase.flows.push_back(
            {narrow(first + i * stride), narrow(first + (i + 1) % size * stride), bytes});
      }
    }
  }

  double even_share(const Phase& phase) {
    const auto routed = route_phase(view_, phase, software_latency(fabric_, kAlgorithm, kProtocol));
    if (routed) return even_share_time(*routed).seconds;
    no_path_ = true;
    return 0;
  }

  double wire(double bytes) const {
    return bytes / (data_share(kAlgorithm, kProtocol) * efficiency_);
  }
  static std::uint32_t narrow(std::int64_t n) { return static_cast<std::uint32_t>(n); }

  static constexpr CollectiveAlgorithm kAlgorithm = CollectiveAlgorithm::kRing;
  static constexpr Protocol kProtocol = Protocol::kSimple;

  const TrainingStep& step_;
  const Parallelism& p_;
  const Fabric& fabric_;
  FabricView view_;
  double efficiency_;
  bool no_path_ = false;
};

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

tl::expected<StepTime, std::string> step_time(const TrainingStep& step, const Fabric& fabric,
                                              const FabricState& state) {
  return Step(step, fabric, state).time();
}

}  // namespace faultline
