// Jobs that step over a fabric, for tests worked by hand: a step is 60 s of compute and, on the networks of
// these tests, 30 s of DP.
#pragma once

#include "sim/engine/plan.h"
#include "test/support/micro_world.h"

namespace faultline {

// A model of 1e9 parameters, each replica a sequence of 1,000 tokens a step, TP by GPUs of that share of
// 1e11 FLOP/s: 6 x 1e9 x 1000 / 1e11 = 60 s of compute. No checkpoint comes in between.
inline void step_over_fabric(TrainingConfig& job, const ParallelismConfig& parallelism) {
  job.checkpoint.every = 1_h;
  job.step = std::nullopt;
  job.parallelism = parallelism;
  job.model = ModelConfig{.parameters = 1e9,
                          .layers = 1,
                          .hidden = 1,
                          .kv_width = 1,
                          .sequence = 1000,
                          .sequences_per_step = parallelism.dp,
                          .peak_flops = 1e11 / static_cast<double>(parallelism.tp),
                          .kernel_efficiency = 1};
}

// Four nodes of two GPUs on two leaves, TP 2, DP 4: three ring steps of 500 MB at 75 MB/s are 20 s, and
// 10 s. A leaf has an uplink for each NIC. From node 1 to node 2, GPU 0 takes uplink 2 of leaf 0 and GPU 1
// uplink 3; uplink 0, of node 0, carries nothing.
struct FourNodes : MicroWorld {
  explicit FourNodes(int pool_nodes = 4) : MicroWorld(pool_nodes, 4, 1000_s) {
    scenario.fleet.pools.front().gpus_per_node = 2;
    scenario.fleet.pools.front().nics_per_node = 2;
    scenario.fleet.fabric = FabricConfig{.topology = FabricTopology::kFatTree,
                                         .nodes_per_leaf = 2,
                                         .spines = 4,
                                         .nic = {{75e6}, 0_ns}};
    step_over_fabric(job(), {.tp = 2, .dp = 4});
  }
};

}  // namespace faultline
