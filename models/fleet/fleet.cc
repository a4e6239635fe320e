#include "models/fleet/fleet.h"

#include <fmt/format.h>

#include <algorithm>

namespace faultline {

Fleet::Fleet(const FleetConfig& config, std::int64_t warm_spares_per_pool)
    : domains_(config, warm_spares_per_pool) {
  for (const PoolConfig& pool : config.pools) {
    const auto slots = static_cast<std::uint32_t>(pool.nodes + warm_spares_per_pool);
    pools_.push_back({.name = pool.name,
                      .first_slot = this->slots(),
                      .nodes = static_cast<std::uint32_t>(pool.nodes),
                      .slots = slots,
                      .gpus_per_node = static_cast<std::uint32_t>(pool.gpus_per_node)});
    pool_of_.insert(pool_of_.end(), slots, PoolId(pools_.size() - 1));
  }
}

Fleet::GpuPlace Fleet::gpu(std::uint64_t n) const {
  const NodeSlot slot(domains_.range({DomainLevel::kGpu, n}, 0).first);
  return {.slot = slot, .gpu = static_cast<std::uint32_t>(n - domains_.first_gpu(slot))};
}

std::string Fleet::name(NodeId id) const {
  const std::string name = domains_.name({DomainLevel::kNode, id.slot.value()});
  return id.generation == 0 ? name : fmt::format("{}.g{}", name, id.generation);
}

std::optional<NodeSlot> Fleet::find(std::string_view name) const {
  const std::size_t generation = name.find(".g", std::min(name.rfind('-'), name.size()));
  const std::optional<Domain> found = domains_.find(name.substr(0, generation));
  if (!found || found->level != DomainLevel::kNode) return std::nullopt;
  return NodeSlot(static_cast<std::uint32_t>(found->n));
}

}  // namespace faultline
