// What is asked about a collective operation, and the answer.
//
// Sizes follow nccl-tests: for an all-reduce `bytes` is the buffer of each rank; for all-gather and
// reduce-scatter the whole result or input, of which each rank holds an n-th; for all-to-all what
// each rank sends to all others together. Bus bandwidth: algorithm bandwidth (bytes / seconds) times
// 2(n-1)/n for all-reduce, (n-1)/n for the others, so that it compares with the speed of a link.
//
// Thread rule: values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/fields.h"
#include "models/fleet/fabric_routes.h"

namespace faultline {

enum class CollectiveOp { kAllReduce, kReduceScatter, kAllGather, kAllToAll };
template <>
struct EnumNames<CollectiveOp> {
  static constexpr std::array kNames{
      std::pair{CollectiveOp::kAllReduce, std::string_view("all-reduce")},
      std::pair{CollectiveOp::kReduceScatter, std::string_view("reduce-scatter")},
      std::pair{CollectiveOp::kAllGather, std::string_view("all-gather")},
      std::pair{CollectiveOp::kAllToAll, std::string_view("all-to-all")}};
};

enum class CollectiveAlgorithm {
  kRing,          // NCCL's rings through all GPUs, a channel for each NIC of a node
  kTree,          // NCCL's double binary tree over nodes, a chain inside each (all-reduce)
  kHierarchical,  // inside the nodes, then a ring over the nodes for each GPU, then inside again
  kDirect,        // every pair of ranks at once (all-to-all)
};
template <>
struct EnumNames<CollectiveAlgorithm> {
  static constexpr std::array kNames{
      std::pair{CollectiveAlgorithm::kRing, std::string_view("ring")},
      std::pair{CollectiveAlgorithm::kTree, std::string_view("tree")},
      std::pair{CollectiveAlgorithm::kHierarchical, std::string_view("hierarchical")},
      std::pair{CollectiveAlgorithm::kDirect, std::string_view("direct")}};
};

// How NCCL moves data: LL writes a flag with each word, LL128 with each 128 bytes, Simple none.
enum class Protocol { kLL, kLL128, kSimple };
template <>
struct EnumNames<Protocol> {
  static constexpr std::array kNames{std::pair{Protocol::kLL, std::string_view("LL")},
                                     std::pair{Protocol::kLL128, std::string_view("LL128")},
                                     std::pair{Protocol::kSimple, std::string_view("Simple")}};
};

// Who takes part.
enum class RankGroups {
  kAllGpus,  // one group of every GPU of the nodes
  kPerGpu,   // one group for each GPU number, over the nodes, all at once (data parallel ranks)
};

struct CollectiveSpec {
  CollectiveOp op = CollectiveOp::kAllReduce;
  double bytes = 0;
  std::vector<std::uint32_t> nodes;  // in ring order
  RankGroups groups = RankGroups::kAllGpus;
  std::optional<CollectiveAlgorithm> algorithm;  // empty: what NCCL would choose
  std::optional<Protocol> protocol;              // empty: what NCCL would choose
};

struct CollectiveCost {
  double seconds = 0;
  double latency_part = 0;  // seconds that would be left for a single byte
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::kRing;
  Protocol protocol = Protocol::kSimple;
  ElementId bottleneck;  // the cable that takes longest; invalid for a single rank
};

// The factor of the bus bandwidth above.
double bus_factor(CollectiveOp op, std::uint32_t ranks);
std::uint32_t ranks_of(const CollectiveSpec& spec, const Fabric& fabric);

}  // namespace faultline
