// How long a training step takes: compute and collectives over a fabric.
//
// The model is a transformer trained with tensor (TP), context (CP), pipeline (PP) and data (DP)
// parallelism. Ranks are numbered in that order, as Llama 3 does: GPU r has TP rank r mod tp, then
// CP, then PP, with DP outermost. So TP stays on NVLink where tp divides the GPUs of a node.
//
// A step of a rank: `micro_batches` times forward and backward of its part of the layers, filled and
// drained by the pipeline; then gradients are reduce-scattered and parameters gathered over the data
// parallel ranks. What overlaps with compute is hidden up to the share that the workload gives, and
// never for longer than the compute lasts (step_plan.h adds it up).
//
// Every collective costs what the *slowest* group pays, because all wait for it; a GPU at a lower
// speed paces its pipeline stage, and the stage all others.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "models/collectives/oracle.h"

namespace faultline {

struct ModelShape {
  double parameters = 0;
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t kv_width = 0;  // key and value heads together times their dimension: 2 x heads x d
  std::int64_t sequence = 0;  // tokens
};

struct Parallelism {
  std::int64_t tp = 1;
  std::int64_t cp = 1;
  std::int64_t pp = 1;
  std::int64_t dp = 1;
  std::int64_t stages_per_rank = 1;  // virtual pipeline stages (interleaved schedule)
};

struct TrainingStep {
  ModelShape model;
  Parallelism parallel;
  std::int64_t sequences = 0;    // of a step, over all ranks
  double peak_flops = 0;         // of a GPU
  double kernel_efficiency = 1;  // share of the peak while it computes
  double slowest_gpu = 1;        // speed of the slowest GPU, of the others' 1
  double tp_hidden = 0;          // share of the TP time that overlaps with compute
  double dp_hidden = 0;          // share of the DP time that overlaps with compute
};

// Seconds of a step, by cause; they add up to `total`.
struct StepTime {
  double compute = 0;
  double tp = 0;
  double cp = 0;
  double pp = 0;
  double dp = 0;
  double bubble = 0;  // the pipeline fills and drains
  double total = 0;
  double mfu = 0;  // 6 x parameters x tokens / (total x GPUs x peak)
};

// Bytes that one rank puts into each collective, and how many of them a step has.
struct StepBytes {
  double tp = 0;             // an all-reduce of activations, 4 per layer and micro-batch
  double cp = 0;             // an all-gather of keys and values, 2 per layer and micro-batch
  double pp = 0;             // a message to the next stage
  double dp_gradients = 0;   // a reduce-scatter of FP32 gradients
  double dp_parameters = 0;  // an all-gather of BF16 parameters
};
StepBytes step_bytes(const TrainingStep& step);

// Why the parallelism does not fit the batch or the nodes from `first_node` on; nothing if it does.
std::optional<std::string> step_misfit(const TrainingStep& step, const Fabric& fabric,
                                       std::uint32_t first_node = 0);

// Of a job on consecutive nodes of the fabric, from `first_node` on. Errors: a misfit, or GPUs have
// no path.
tl::expected<StepTime, std::string> step_time(const TrainingStep& step, const Fabric& fabric,
                                              const FabricState& state,
                                              std::uint32_t first_node = 0);

}  // namespace faultline
