#include "models/fleet/fleet.h"

#include <algorithm>
#include <charconv>

#include "models/base/check.h"

namespace faultline {

Fleet::Fleet(const FleetConfig& config, std::int64_t warm_spares_per_pool) {
  for (const PoolConfig& pool : config.pools) {
    const auto nodes = static_cast<std::uint32_t>(pool.nodes);
    const auto slots = static_cast<std::uint32_t>(pool.nodes + warm_spares_per_pool);
    const auto nodes_per_rack = static_cast<std::uint32_t>(pool.nodes_per_rack);
    const std::uint32_t racks = (slots + nodes_per_rack - 1) / nodes_per_rack;
    pools_.push_back({.name = pool.name,
                      .gpu = pool.gpu,
                      .zone = pool.zone,
                      .first_slot = slots_,
                      .nodes = nodes,
                      .slots = slots,
                      .gpus_per_node = static_cast<std::uint32_t>(pool.gpus_per_node),
                      .nodes_per_rack = nodes_per_rack,
                      .racks_per_block = static_cast<std::uint32_t>(pool.racks_per_block),
                      .first_rack = racks_,
                      .racks = racks});
    pool_of_.insert(pool_of_.end(), slots, PoolId(pools_.size() - 1));
    slots_ += slots;
    racks_ += racks;
    gpus_ += std::uint64_t{slots} * static_cast<std::uint64_t>(pool.gpus_per_node);
  }
}

Fleet::SlotRange Fleet::rack(std::uint32_t rack) const {
  const auto after = std::find_if(pools_.begin(), pools_.end(), [&](const Pool& pool) {
    return rack < pool.first_rack + pool.racks;
  });
  FAULTLINE_CHECK(after != pools_.end(), "rack {} of {}", rack, racks_);
  const std::uint32_t offset = (rack - after->first_rack) * after->nodes_per_rack;
  return {.first = after->first_slot + offset,
          .count = std::min(after->nodes_per_rack, after->slots - offset)};
}

std::uint32_t Fleet::rack_of(NodeSlot slot) const {
  const Pool& pool = this->pool(pool_of(slot));
  return pool.first_rack + (slot.value() - pool.first_slot) / pool.nodes_per_rack;
}

std::uint32_t Fleet::block_of(NodeSlot slot) const {
  return rack_of(slot) / pool(pool_of(slot)).racks_per_block;
}

Fleet::GpuPlace Fleet::gpu(std::uint64_t n) const {
  for (const Pool& pool : pools_) {
    const std::uint64_t gpus = std::uint64_t{pool.slots} * pool.gpus_per_node;
    if (n < gpus) {
      return {
          .slot = NodeSlot(pool.first_slot + static_cast<std::uint32_t>(n / pool.gpus_per_node)),
          .gpu = static_cast<std::uint32_t>(n % pool.gpus_per_node)};
    }
    n -= gpus;
  }
  FAULTLINE_CHECK(false, "there are only {} GPUs", gpus_);
  return {};
}

std::uint64_t Fleet::first_gpu(NodeSlot slot) const {
  std::uint64_t before = 0;
  for (const Pool& pool : pools_) {
    if (slot.value() < pool.first_slot + pool.slots) {
      return before + std::uint64_t{slot.value() - pool.first_slot} * pool.gpus_per_node;
    }
    before += std::uint64_t{pool.slots} * pool.gpus_per_node;
  }
  FAULTLINE_CHECK(false, "there are only {} slots", slots_);
  return 0;
}

std::string Fleet::name(NodeId id) const {
  const Pool& pool = this->pool(pool_of(id.slot));
  const std::string name = fmt::format("{}-{}", pool.name, id.slot.value() - pool.first_slot);
  return id.generation == 0 ? name : fmt::format("{}.g{}", name, id.generation);
}

std::optional<NodeSlot> Fleet::find(std::string_view name) const {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  std::string_view digits = name.substr(dash + 1);
  digits = digits.substr(0, digits.find(".g"));
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  for (const Pool& pool : pools_) {
    if (pool.name == name.substr(0, dash) && index < pool.slots) {
      return NodeSlot(pool.first_slot + index);
    }
  }
  return std::nullopt;
}

}  // namespace faultline
