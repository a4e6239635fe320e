// The machines: which slots exist, in which pool, what they are called, and what breaks with what.
//
// Slots are numbered pool by pool in the order of the file; inside a pool, the pool's own nodes
// come first and its warm spares after them, so `first_slot .. first_slot + nodes` is where jobs
// are placed at the start. Racks, blocks, zones and regions: domains().
//
// A node's name is POOL-INDEX, and POOL-INDEX.gN for the N-th replacement in the slot ("train-17",
// "train-17.g1").
//
// Thread rule: immutable; share freely.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/ids.h"
#include "models/fleet/domain_tree.h"
#include "models/fleet/fleet_config.h"

namespace faultline {

class Fleet {
 public:
  struct Pool {
    std::string name;
    std::uint32_t first_slot = 0;
    std::uint32_t nodes = 0;  // without warm spares
    std::uint32_t slots = 0;  // with them
    std::uint32_t gpus_per_node = 0;
  };

  Fleet(const FleetConfig& config, std::int64_t warm_spares_per_pool);

  const std::vector<Pool>& pools() const { return pools_; }
  const DomainTree& domains() const { return domains_; }
  std::uint32_t slots() const { return static_cast<std::uint32_t>(pool_of_.size()); }
  std::uint64_t gpus() const { return domains_.count(DomainLevel::kGpu); }

  PoolId pool_of(NodeSlot slot) const { return pool_of_[slot.index()]; }
  const Pool& pool(PoolId id) const { return pools_[id.index()]; }
  std::uint32_t gpus_per_node(NodeSlot slot) const { return pool(pool_of(slot)).gpus_per_node; }

  // The place of the n-th GPU, counted slot by slot over the whole fleet.
  struct GpuPlace {
    NodeSlot slot;
    std::uint32_t gpu = 0;
  };
  GpuPlace gpu(std::uint64_t n) const;

  std::string name(NodeId id) const;
  // The slot of a name, with or without the generation; nothing if there is no such node.
  std::optional<NodeSlot> find(std::string_view name) const;

 private:
  std::vector<Pool> pools_;
  std::vector<PoolId> pool_of_;
  DomainTree domains_;
};

}  // namespace faultline
