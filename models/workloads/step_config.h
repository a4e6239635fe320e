// What a training step is made of, as a scenario describes it: the model's shape, how it is spread over
// the GPUs, and what overlaps. With a fabric, the step time follows (models/collectives/step_time.h).
//
//   parallelism: {tp: 8, pp: 16, dp: 128, virtual_stages: 8}
//   model: {parameters: 405e9, layers: 126, hidden: 16384, kv_width: 2048, sequence: 8192,
//           sequences_per_step: 2048, peak_flops: 989e12, kernel_efficiency: 51%, dp_overlap: 90%}
//
// Thread rule: values.
#pragma once

#include <cstdint>

#include "models/base/fields.h"
#include "models/collectives/step_time.h"

namespace faultline {

struct ParallelismConfig {
  std::int64_t tp = 1;
  std::int64_t cp = 1;
  std::int64_t pp = 1;
  std::int64_t dp = 1;
  std::int64_t virtual_stages = 1;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("tp", &ParallelismConfig::tp,
          {.help = "Tensor parallel ranks, the innermost: on NVLink where they fit a node.",
           .more_than_zero = true,
           .at_most = kMost});
    visit("cp", &ParallelismConfig::cp,
          {.help = "Context parallel ranks, which share a sequence.",
           .more_than_zero = true,
           .at_most = kMost});
    visit("pp", &ParallelismConfig::pp,
          {.help = "Pipeline stages.", .more_than_zero = true, .at_most = kMost});
    visit("dp", &ParallelismConfig::dp,
          {.help = "Data parallel ranks, the outermost. tp x cp x pp x dp are the job's GPUs.",
           .more_than_zero = true,
           .at_most = kMost});
    visit("virtual_stages", &ParallelismConfig::virtual_stages,
          {.help = "Virtual pipeline stages of a rank (interleaved schedule): the more, the "
                   "smaller the bubble.",
           .more_than_zero = true,
           .at_most = kMost});
  }

  static constexpr double kMost = 1e7;
};

struct ModelConfig {
  double parameters = 0;
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t kv_width = 0;
  std::int64_t sequence = 0;
  std::int64_t sequences_per_step = 0;
  double peak_flops = 0;
  double kernel_efficiency = 0;
  double tp_overlap = 0;
  double dp_overlap = 0;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("parameters", &ModelConfig::parameters,
          {.help = "Parameters of the model, such as 405e9.",
           .required = true,
           .more_than_zero = true,
           .at_most = 1e15});
    visit("layers", &ModelConfig::layers,
          {.help = "Transformer layers.",
           .required = true,
           .more_than_zero = true,
           .at_most = kMost});
    visit("hidden", &ModelConfig::hidden,
          {.help = "Width of the activations.",
           .required = true,
           .more_than_zero = true,
           .at_most = kMost});
    visit("kv_width", &ModelConfig::kv_width,
          {.help = "Keys and values of a token: 2 x key-value heads x their dimension. Matters "
                   "with cp above 1.",
           .required = true,
           .more_than_zero = true,
           .at_most = kMost});
    visit("sequence", &ModelConfig::sequence,
          {.help = "Tokens of a sequence.",
           .required = true,
           .more_than_zero = true,
           .at_most = 1e9});
    visit("sequences_per_step", &ModelConfig::sequences_per_step,
          {.help = "Sequences of a step over all ranks: the global batch. dp divides it; "
                   "sequences / dp are the micro-batches of a rank.",
           .required = true,
           .more_than_zero = true,
           .at_most = 1e9});
    visit("peak_flops", &ModelConfig::peak_flops,
          {.help = "Peak of a GPU in operations per second, such as 989e12 (H100, dense BF16).",
           .required = true,
           .at_least = 1e6,
           .at_most = 1e18});
    visit("kernel_efficiency", &ModelConfig::kernel_efficiency,
          {.help = "Share of the peak that a GPU reaches while it computes; recomputation and "
                   "attention's own operations count as inefficiency. Fit it to a measured MFU.",
           .required = true,
           .ratio = true,
           .at_least = 0.001});
    visit("tp_overlap", &ModelConfig::tp_overlap,
          {.help = "Share of the tensor parallel traffic that overlaps with compute, and for no "
                   "longer than the compute lasts.",
           .ratio = true});
    visit(
        "dp_overlap", &ModelConfig::dp_overlap,
        {.help = "The same for data parallel traffic (gradients and parameters).", .ratio = true});
  }

  static constexpr double kMost = 1e7;
};

inline TrainingStep training_step(const ModelConfig& model, const ParallelismConfig& parallelism) {
  return {.model = {.parameters = model.parameters,
                    .layers = model.layers,
                    .hidden = model.hidden,
                    .kv_width = model.kv_width,
                    .sequence = model.sequence},
          .parallel = {.tp = parallelism.tp,
                       .cp = parallelism.cp,
                       .pp = parallelism.pp,
                       .dp = parallelism.dp,
                       .stages_per_rank = parallelism.virtual_stages},
          .sequences = model.sequences_per_step,
          .peak_flops = model.peak_flops,
          .kernel_efficiency = model.kernel_efficiency,
          .tp_hidden = model.tp_overlap,
          .dp_hidden = model.dp_overlap};
}

}  // namespace faultline
