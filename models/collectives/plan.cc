#include "models/collectives/plan.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "models/base/check.h"
#include "models/collectives/tuning.h"

namespace faultline {
namespace {

class Planner {
 public:
  Planner(const Fabric& fabric, const CollectiveSpec& spec, double efficiency)
      : spec_(spec),
        nodes_(static_cast<std::uint32_t>(spec.nodes.size())),
        gpus_(fabric.gpus_per_node()),
        nics_(fabric.nics_per_node()),
        wire_per_byte_(1 / (data_share(*spec.algorithm, *spec.protocol) * efficiency)) {}

  std::vector<Phase> phases() {
    if (spec_.op == CollectiveOp::kAllToAll) {
      direct();
    } else if (spec_.groups == RankGroups::kPerGpu) {
      over_nodes("over nodes", spec_.bytes);
    } else if (nodes_ == 1) {
      inside("inside the node", rounds());
    } else if (*spec_.algorithm == CollectiveAlgorithm::kTree) {
      tree();
    } else if (*spec_.algorithm == CollectiveAlgorithm::kHierarchical) {
      hierarchical();
    } else {
      channels();
    }
    return std::move(phases_);
  }

 private:
  double whole(double bytes) const { return std::ceil(bytes * wire_per_byte_); }
  GpuIndex gpu(std::uint32_t i, std::uint32_t g) const {
    return spec_.nodes[i % nodes_] * gpus_ + g % gpus_;
  }
  // An all-reduce is a reduce-scatter and an all-gather.
  std::int64_t rounds() const { return spec_.op == CollectiveOp::kAllReduce ? 2 : 1; }

  void add(Phase phase) {
    if (!phase.flows.empty()) phases_.push_back(std::move(phase));
  }

  // Rings inside every node over a buffer of all bytes.
  void inside(std::string_view name, std::int64_t times) {
    if (gpus_ == 1) return;
    Phase phase{.name = name, .steps = times * (gpus_ - 1), .group = gpus_};
    const double chunk = whole(spec_.bytes / gpus_);
    for (std::uint32_t i = 0; i < nodes_; ++i) {
      for (std::uint32_t g = 0; g < gpus_; ++g) {
        phase.flows.push_back({gpu(i, g), gpu(i, g + 1), chunk});
      }
    }
    add(std::move(phase));
  }

  // For each GPU number, a ring over the nodes.
  void over_nodes(std::string_view name, double bytes) {
    if (nodes_ == 1) return;
    Phase phase{.name = name, .steps = rounds() * (nodes_ - 1), .group = nodes_};
    const double chunk = whole(bytes / nodes_);
    for (std::uint32_t g = 0; g < gpus_; ++g) {
      for (std::uint32_t i = 0; i < nodes_; ++i) {
        phase.flows.push_back({gpu(i, g), gpu(i + 1, g), chunk});
      }
    }
    add(std::move(phase));
  }

  void hierarchical() {
    const bool scatter = spec_.op != CollectiveOp::kAllGather;
    const bool gather = spec_.op != CollectiveOp::kReduceScatter;
    if (scatter) inside("reduce-scatter inside nodes", 1);
    over_nodes("over nodes", spec_.bytes / gpus_);
    if (gather) inside("all-gather inside nodes", 1);
  }

  // NCCL's rings through every GPU, a channel for each NIC.
  void channels() {
    const std::uint32_t ranks = nodes_ * gpus_;
    Phase phase{.name = "ring",
                .kind = Phase::Kind::kStream,
                .chain = Phase::Chain::kRound,
                .rounds = rounds(),
                .group = ranks};
    const double bytes =
        whole(static_cast<double>(rounds()) * (ranks - 1) / ranks * spec_.bytes / nics_);
    const std::uint32_t gpus_per_nic = gpus_ / nics_;
    for (std::uint32_t c = 0; c < nics_; ++c) {
      for (std::uint32_t i = 0; i < nodes_; ++i) {
        // Enters where the channel before left: one NIC further down each time.
        const auto entry = [&](std::uint32_t node) {
          const std::uint32_t nic = (c + nics_ - node % nics_) % nics_;
          return nic * gpus_per_nic;
        };
        const std::uint32_t first = entry(i);
        for (std::uint32_t g = 0; g + 1 < gpus_; ++g) {
          phase.flows.push_back({gpu(i, first + g), gpu(i, first + g + 1), bytes});
        }
        phase.flows.push_back(
            {gpu(i, first + gpus_ - 1), gpu(i + 1, entry((i + 1) % nodes_)), bytes});
      }
    }
    add(std::move(phase));
  }

  // The parent of a place in an in-order binary tree of n; the root, 0, has none and answers itself.
  static std::uint32_t parent(std::uint32_t place, std::uint32_t n) {
    if (place == 0) return 0;
    const std::uint32_t bit = place & (~place + 1);
    const std::uint32_t up = (place ^ bit) | (bit << 1);
    return up < n ? up : place ^ bit;
  }
  static std::uint32_t depth(std::uint32_t place, std::uint32_t n) {
    std::uint32_t steps = 0;
    for (; place != 0; place = parent(place, n)) ++steps;
    return steps;
  }

  void tree() {
    const std::uint32_t links = (nodes_ - 1) + nodes_ * (gpus_ - 1);
    Phase phase{.name = "double tree",
                .kind = Phase::Kind::kStream,
                .chain = Phase::Chain::kTree,
                .group = 2 * links};
    const double bytes = whole(spec_.bytes / nics_ / 2);
    std::vector<std::uint32_t> deepest_first(nodes_);
    for (std::uint32_t i = 0; i < nodes_; ++i) deepest_first[i] = i;
    std::stable_sort(
        deepest_first.begin(), deepest_first.end(),
        [&](std::uint32_t a, std::uint32_t b) { return depth(a, nodes_) > depth(b, nodes_); });
    for (std::uint32_t c = 0; c < nics_; ++c) {
      const std::uint32_t head = c * (gpus_ / nics_);
      for (const bool second : {false, true}) {
        const auto node_at = [&](std::uint32_t place) {
          if (!second) return place;
          return nodes_ % 2 == 0 ? nodes_ - 1 - place : (place + 1) % nodes_;
        };
        const auto start = static_cast<std::ptrdiff_t>(phase.flows.size());
        for (std::uint32_t i = 0; i < nodes_; ++i) {
          for (std::uint32_t g = gpus_ - 1; g > 0; --g) {
            phase.flows.push_back({gpu(i, head + g), gpu(i, head + g - 1), bytes});
          }
        }
        for (const std::uint32_t place : deepest_first) {
          if (place == 0) continue;
          phase.flows.push_back(
              {gpu(node_at(place), head), gpu(node_at(parent(place, nodes_)), head), bytes});
        }
        // And back, root first.
        std::vector<Flow> down(phase.flows.begin() + start, phase.flows.end());
        std::reverse(down.begin(), down.end());
        for (Flow& flow : down) std::swap(flow.from, flow.to);
        phase.flows.insert(phase.flows.end(), down.begin(), down.end());
      }
    }
    add(std::move(phase));
  }

  // One flow for each ordered pair of ranks.
  void direct() {
    Phase phase{.name = "every pair", .kind = Phase::Kind::kStream};
    const bool per_gpu = spec_.groups == RankGroups::kPerGpu;
    const std::uint32_t ranks = per_gpu ? nodes_ : nodes_ * gpus_;
    const double each = spec_.bytes / ranks;
    for (std::uint32_t i = 0; i < nodes_; ++i) {
      for (std::uint32_t j = 0; j < nodes_; ++j) {
        for (std::uint32_t a = 0; a < gpus_; ++a) {
          for (std::uint32_t b = 0; b < gpus_; ++b) {
            if ((i == j && a == b) || (per_gpu && a != b)) continue;
            phase.flows.push_back({gpu(i, a), gpu(j, b), whole(each)});
          }
        }
      }
    }
    phase.group = static_cast<std::uint32_t>(phase.flows.size());
    add(std::move(phase));
  }

  const CollectiveSpec& spec_;
  std::uint32_t nodes_;
  std::uint32_t gpus_;
  std::uint32_t nics_;
  double wire_per_byte_;
  std::vector<Phase> phases_;
};

}  // namespace

double bus_factor(CollectiveOp op, std::uint32_t ranks) {
  const double part = static_cast<double>(ranks - 1) / ranks;
  return op == CollectiveOp::kAllReduce ? 2 * part : part;
}

std::uint32_t ranks_of(const CollectiveSpec& spec, const Fabric& fabric) {
  const auto nodes = static_cast<std::uint32_t>(spec.nodes.size());
  return spec.groups == RankGroups::kPerGpu ? nodes : nodes * fabric.gpus_per_node();
}

bool can_do(CollectiveAlgorithm algorithm, const CollectiveSpec& spec) {
  const bool to_all = spec.op == CollectiveOp::kAllToAll;
  switch (algorithm) {
    case CollectiveAlgorithm::kRing: return !to_all;
    case CollectiveAlgorithm::kTree:
      return spec.op == CollectiveOp::kAllReduce && spec.groups == RankGroups::kAllGpus &&
             spec.nodes.size() > 1;
    case CollectiveAlgorithm::kHierarchical:
      return !to_all && spec.groups == RankGroups::kAllGpus && spec.nodes.size() > 1;
    case CollectiveAlgorithm::kDirect: break;
  }
  return to_all;
}

Plan make_plan(const Fabric& fabric, const CollectiveSpec& spec, double efficiency) {
  FAULTLINE_CHECK(spec.algorithm && spec.protocol, "a plan without algorithm or protocol");
  FAULTLINE_CHECK(can_do(*spec.algorithm, spec), "{} cannot do {}", enum_name(*spec.algorithm),
                  enum_name(spec.op));
  FAULTLINE_CHECK(!spec.nodes.empty() && spec.bytes > 0 && efficiency > 0, "an empty collective");
  return {*spec.algorithm, *spec.protocol, Planner(fabric, spec, efficiency).phases()};
}

}  // namespace faultline
