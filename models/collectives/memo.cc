#include "models/collectives/memo.h"

#include <algorithm>
#include <optional>

#include "models/base/check.h"

namespace faultline {
namespace {

bool of_node(ElementKind kind) {
  return kind == ElementKind::kGpuPort || kind == ElementKind::kNic;
}

std::vector<FabricFault> without_bystanders(const Fabric& fabric, const CollectiveSpec& spec,
                                            const FabricState& state) {
  std::vector<FabricFault> faults = state.faults();
  std::erase_if(faults, [&](const FabricFault& fault) {
    const Fabric::Place at = fabric.place(fault.element);
    return of_node(at.kind) &&
           std::find(spec.nodes.begin(), spec.nodes.end(), at.owner) == spec.nodes.end();
  });
  return faults;
}

// The same element `by` rails further.
ElementId shifted(const Fabric& f, ElementId element, std::uint32_t by) {
  const Fabric::Place at = f.place(element);
  const std::uint32_t rails = f.nics_per_node();
  const auto plane = [&](std::uint32_t p) { return (p + by) % rails; };
  switch (at.kind) {
    case ElementKind::kGpuPort: {
      const std::uint32_t gpus_per_rail = f.gpus_per_node() / rails;
      return f.gpu_port(at.owner * f.gpus_per_node() +
                        (at.port + by * gpus_per_rail) % f.gpus_per_node());
    }
    case ElementKind::kNic: return f.nic(at.owner, plane(at.port));
    case ElementKind::kLeafUplink:
      return f.leaf_uplink(f.leaf(at.owner / rails, plane(at.owner % rails)), at.port);
    case ElementKind::kLeaf:
      return f.element(at.kind, f.leaf(at.owner / rails, plane(at.owner % rails)));
    case ElementKind::kSpine: {
      const std::uint32_t spines = f.uplinks_per_leaf();
      return f.element(at.kind, plane(at.owner / spines) * spines + at.owner % spines);
    }
    default: FAULTLINE_CHECK(false, "a rail fabric has two layers"); return element;
  }
}

FabricState smallest_shift(const Fabric& fabric, const std::vector<FabricFault>& faults) {
  const auto before = [](const FabricState& a, const FabricState& b) {
    return std::lexicographical_compare(a.faults().begin(), a.faults().end(), b.faults().begin(),
                                        b.faults().end(),
                                        [](const FabricFault& x, const FabricFault& y) {
                                          if (x.element != y.element) return x.element < y.element;
                                          if (x.bandwidth != y.bandwidth)
                                            return x.bandwidth < y.bandwidth;
                                          return x.extra_latency < y.extra_latency;
                                        });
  };
  FabricState best(faults);
  for (std::uint32_t by = 1; by < fabric.nics_per_node(); ++by) {
    std::vector<FabricFault> moved = faults;
    for (FabricFault& fault : moved) fault.element = shifted(fabric, fault.element, by);
    FabricState candidate(std::move(moved));
    if (before(candidate, best)) best = std::move(candidate);
  }
  return best;
}

// Whether a node's ring neighbours are both behind its own leaf.
bool inside_leaf(const Fabric& fabric, const std::vector<std::uint32_t>& nodes, std::size_t i) {
  const std::uint32_t group = fabric.group_of(nodes[i]);
  return fabric.group_of(nodes[(i + 1) % nodes.size()]) == group &&
         fabric.group_of(nodes[(i + nodes.size() - 1) % nodes.size()]) == group;
}

// GPU ports and NICs only. Each fault in the place of its kind; the state keeps the worst of each.
FabricState worst_of_each_place(const Fabric& fabric, const CollectiveSpec& spec,
                                std::vector<FabricFault> faults) {
  std::optional<std::uint32_t> first[2];  // a node at the edge of a leaf, a node inside
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    auto& node = first[inside_leaf(fabric, spec.nodes, i) ? 1 : 0];
    if (!node) node = spec.nodes[i];
  }
  for (FabricFault& fault : faults) {
    const Fabric::Place at = fabric.place(fault.element);
    if (at.kind == ElementKind::kGpuPort) {
      fault.element = fabric.gpu_port(spec.nodes.front() * fabric.gpus_per_node());
    } else {
      const auto where = std::find(spec.nodes.begin(), spec.nodes.end(), at.owner);
      const auto i = static_cast<std::size_t>(where - spec.nodes.begin());
      fault.element = fabric.nic(*first[inside_leaf(fabric, spec.nodes, i) ? 1 : 0], 0);
    }
  }
  return FabricState(std::move(faults));
}

}  // namespace

FabricState canonical_state(const Fabric& fabric, const CollectiveSpec& spec,
                            const FabricState& state) {
  if (state.healthy()) return state;
  std::vector<FabricFault> faults = without_bystanders(fabric, spec, state);
  if (fabric.config().topology != FabricTopology::kRail) return FabricState(std::move(faults));
  const bool lockstep = spec.algorithm == CollectiveAlgorithm::kHierarchical ||
                        (spec.groups == RankGroups::kPerGpu && spec.op != CollectiveOp::kAllToAll);
  const bool only_slow = std::all_of(faults.begin(), faults.end(), [](const FabricFault& fault) {
    return !fault.dead() && fault.extra_latency == Duration::zero();
  });
  // (GPUs that share a NIC share its bandwidth, and a leaf's fault multiplies with those below it)
  const bool alone = fabric.gpus_per_node() == fabric.nics_per_node() &&
                     std::none_of(faults.begin(), faults.end(), [&](const FabricFault& fault) {
                       return !of_node(fabric.kind(fault.element));
                     });
  if (lockstep && only_slow && alone) {
    return worst_of_each_place(fabric, spec, std::move(faults));
  }
  return smallest_shift(fabric, faults);
}

std::uint64_t spec_key(const CollectiveSpec& spec) {
  constexpr std::uint64_t kOpen = 99;
  WordHash hash;
  hash.add(static_cast<std::uint64_t>(spec.op));
  hash.add(spec.bytes);
  hash.add(static_cast<std::uint64_t>(spec.groups));
  hash.add(spec.algorithm ? static_cast<std::uint64_t>(*spec.algorithm) : kOpen);
  hash.add(spec.protocol ? static_cast<std::uint64_t>(*spec.protocol) : kOpen);
  for (const std::uint32_t node : spec.nodes) hash.add(std::uint64_t{node});
  return hash.value();
}

std::uint64_t cost_key(std::uint64_t spec_key, std::uint64_t canonical_state_key) {
  WordHash hash;
  hash.add(spec_key);
  hash.add(canonical_state_key);
  return hash.value() == 0 ? 1 : hash.value();
}

void CostMemo::insert(std::uint64_t key, const CollectiveCost& cost) {
  FAULTLINE_CHECK(key != 0 && find(key) == nullptr, "key {} is not new", key);
  if (2 * (size_ + 1) > entries_.size()) {
    std::vector<Entry> old(2 * entries_.size());
    std::swap(old, entries_);
    mask_ = entries_.size() - 1;
    size_ = 0;
    for (const Entry& entry : old) {
      if (entry.key != 0) insert(entry.key, entry.cost);
    }
  }
  std::size_t i = key & mask_;
  while (entries_[i].key != 0) i = (i + 1) & mask_;
  entries_[i] = {key, cost};
  ++size_;
}

std::vector<CostMemo::Entry> CostMemo::entries() const {
  std::vector<Entry> all;
  for (const Entry& entry : entries_) {
    if (entry.key != 0) all.push_back(entry);
  }
  std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
  return all;
}

tl::expected<CollectiveCost, std::string> MemoOracle::cost(const CollectiveSpec& spec,
                                                           const FabricState& state) {
  const FabricState canonical = canonical_state(fabric_, spec, state);
  const std::uint64_t key = cost_key(spec_key(spec), canonical.key());
  if (const CollectiveCost* const known = memo_.find(key)) return *known;
  auto cost = source_.cost(spec, canonical);
  if (cost) memo_.insert(key, *cost);
  return cost;
}

}  // namespace faultline
