#include "models/collectives/step_plan.h"

#include <algorithm>

#include "models/collectives/oracle.h"

namespace faultline {
namespace {

constexpr double kFlopsPerParameter = 6;  // forward 2, backward 4, for each token
constexpr double kTpPerLayer = 4;         // after attention and after the MLP, forward and backward
constexpr double kCpPerLayer = 2;         // forward and backward
constexpr CollectiveAlgorithm kAlgorithm = CollectiveAlgorithm::kRing;
constexpr Protocol kProtocol = Protocol::kSimple;

std::int64_t ranks_of(const Parallelism& p) { return p.tp * p.cp * p.pp * p.dp; }

double micro_batches(const TrainingStep& step) {
  return static_cast<double>(step.sequences) / static_cast<double>(step.parallel.dp);
}

double exposed(double seconds, double share, double compute) {
  return seconds - std::min(share * seconds, compute);
}

std::uint32_t narrow(std::int64_t n) { return static_cast<std::uint32_t>(n); }

}  // namespace

StepSum::StepSum(const TrainingStep& step)
    : tp_hidden_(step.tp_hidden),
      dp_hidden_(step.dp_hidden),
      bubble_share_(static_cast<double>(step.parallel.pp - 1) /
                    (static_cast<double>(step.parallel.stages_per_rank) * micro_batches(step))),
      at_peak_(kFlopsPerParameter * step.model.parameters *
               static_cast<double>(step.sequences * step.model.sequence) /
               (static_cast<double>(ranks_of(step.parallel)) * step.peak_flops)) {}

StepTime StepSum::time(const StepParts& parts) const {
  StepTime time;
  time.compute = parts[StepPart::kCompute];
  time.tp = exposed(parts[StepPart::kTp], tp_hidden_, time.compute);
  time.cp = parts[StepPart::kCp];
  time.pp = parts[StepPart::kPp];
  time.dp =
      exposed(parts[StepPart::kGradients] + parts[StepPart::kParameters], dp_hidden_, time.compute);
  time.bubble = (time.compute + time.tp + time.cp) * bubble_share_;
  time.total = time.compute + time.tp + time.cp + time.pp + time.dp + time.bubble;
  time.mfu = at_peak_ / time.total;
  return time;
}

StepPlan::StepPlan(const TrainingStep& step, const Fabric& fabric, std::uint32_t first_node)
    : sum_(step),
      software_(software_latency(fabric, kAlgorithm, kProtocol)),
      first_gpu_(first_node * fabric.gpus_per_node()),
      ranks_(ranks_of(step.parallel)),
      wire_per_byte_(1 /
                     (data_share(kAlgorithm, kProtocol) * AnalyticOracle(fabric).efficiency())) {
  const Parallelism& p = step.parallel;
  const StepBytes bytes = step_bytes(step);
  compute_ =
      kFlopsPerParameter * step.model.parameters *
      static_cast<double>(step.sequences * step.model.sequence) /
      (static_cast<double>(ranks_) * step.peak_flops * step.kernel_efficiency * step.slowest_gpu);
  const double layers = micro_batches(step) * static_cast<double>(step.model.layers) /
                        static_cast<double>(p.pp);  // of a rank and step
  const double base = nccl_latency(kAlgorithm, kProtocol).base;
  const auto ring = [&](StepPart part, double times, std::int64_t rounds, std::int64_t stride,
                        std::int64_t size, double operation_bytes) {
    add(part, times, base, rounds * (size - 1), stride, size,
        operation_bytes / static_cast<double>(size));
  };
  ring(StepPart::kTp, layers * kTpPerLayer, 2, 1, p.tp, bytes.tp);
  ring(StepPart::kCp, layers * kCpPerLayer, 1, p.tp, p.cp, bytes.cp);
  // Messages between stages are hidden but for those of filling and draining, each way.
  add(StepPart::kPp, 2 * static_cast<double>(p.pp - 1), 0, 1, p.tp * p.cp, p.pp, bytes.pp);
  const std::int64_t outer = p.tp * p.cp * p.pp;
  ring(StepPart::kGradients, 1, 1, outer, p.dp, bytes.dp_gradients);
  ring(StepPart::kParameters, 1, 1, outer, p.dp, bytes.dp_parameters);
}

void StepPlan::add(StepPart part, double times, double base, std::int64_t steps,
                   std::int64_t stride, std::int64_t size, double bytes) {
  if (size == 1) return;
  Collective& added = collectives_.emplace_back();
  added.part = part;
  added.times = times;
  added.base = base;
  added.phase = {.name = "step", .steps = steps, .group = narrow(size)};
  added.phase.flows.reserve(static_cast<std::size_t>(ranks_));
  for (std::int64_t first = 0; first < ranks_; ++first) {
    if (first / stride % size != 0) continue;
    for (std::int64_t i = 0; i < size; ++i) {
      added.phase.flows.push_back({first_gpu_ + narrow(first + i * stride),
                                   first_gpu_ + narrow(first + (i + 1) % size * stride),
                                   bytes * wire_per_byte_});
    }
  }
}

}  // namespace faultline
