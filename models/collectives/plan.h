// A collective as phases of flows: the one description that all three back ends cost.
//
// A phase begins when the one before has ended on every rank. Two kinds:
//
//   ring    `steps` steps in lockstep. Each flow sends `bytes` in each step; a rank sends its next
//           chunk when the one from its predecessor has arrived and its own has left. A ring of
//           edges e with time c_e = alpha_e + bytes / beta_e takes steps x max c_e exactly, because
//           the longest chain of waits stays on the slowest edge (for steps >= ring - 1).
//   stream  chunks so fine that a rank forwards while it receives: the latency of the longest chain
//           once, then `bytes` of each flow at the speed of the slowest link.
//
// Bytes are whole and are those on the wire: divided by the protocol's share of data and by the
// efficiency that calibration found.
//
// Inside a node, the ring goes from GPU g to g + 1. NCCL's ring channel c enters node i at GPU
// (c - i) mod gpus and leaves it from the GPU before, over that one's rail, so that each NIC carries
// one channel each way. Tree: NCCL's double binary tree (Sanders, Speck, Traff, "Two-tree
// algorithms", Parallel Computing 35, 2009): the second tree is the first, mirrored (even number of
// nodes) or shifted by one.
//
// Thread rule: values; pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/collectives/collective.h"

namespace faultline {

struct Flow {
  GpuIndex from = 0;
  GpuIndex to = 0;
  double bytes = 0;
};

struct Phase {
  enum class Kind { kRing, kStream };
  // The longest chain of a stream.
  enum class Chain {
    kRound,  // each group is a ring that a chunk runs through `rounds` times, but for one network hop
    kTree,  // each group lists its flows so that what a flow waits for stands before it
    kOne,   // one flow
  };
  std::string_view name;
  Kind kind = Kind::kRing;
  Chain chain = Chain::kOne;
  std::int64_t steps = 1;   // kRing
  std::int64_t rounds = 1;  // kRound
  std::uint32_t group = 0;  // flows are in groups of so many: a ring, or a tree of a channel
  std::vector<Flow> flows;
};

struct Plan {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::kRing;
  Protocol protocol = Protocol::kSimple;
  std::vector<Phase> phases;  // empty for a single rank
};

// Whether an algorithm can do an operation on these groups.
bool can_do(CollectiveAlgorithm algorithm, const CollectiveSpec& spec);

// `spec.algorithm` and `spec.protocol` are set. `efficiency`: share of the rated bandwidth that is
// reached.
Plan make_plan(const Fabric& fabric, const CollectiveSpec& spec, double efficiency);

}  // namespace faultline
