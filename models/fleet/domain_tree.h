// Failure domains: what breaks together, because it shares power, a switch or a building.
//
//   region > zone > block > rack > node > GPU
//
// Pools say in which region and zone they stand; their nodes fill racks, and racks fill blocks, in order
// of slots (warm spares last). Any level above the node may be absent from a pool: then what is below
// belongs to the next level that is there. A zone (a region) holds every pool that names it; the same zone
// name in two regions is two zones. A rack and a block lie in one pool.
//
// Domains of a level are numbered from 0: racks and blocks pool by pool, zones and regions in the order in
// which the file first names them, nodes by slot, GPUs slot by slot.
//
// Invariants: in each level a node is in one domain at most, and in exactly one where its pool has the
// level; the children of a domain share its nodes (or its GPUs) out among themselves, each to one of them.
//
// Names: `region eu`, `zone a` (`zone eu/a` in a region), `train/block-3`, `train/rack-17` (numbered inside
// the pool), `train-17`, `train-17/gpu-3`.
//
// Worked example: pools a and b in zone x, 5 and 3 nodes of 2 a rack, 2 racks a block, no spares. Racks a: {0,1},
// {2,3}, {4}; b: {5,6}, {7}. Blocks: {0,1,2,3}, {4}, {5,6,7}. Zone x is all of it: two ranges of slots, 0-4 and 5-7.
//
// Costs: memory for each pool and zone, none for each node; a query is a walk over the pools and some
// arithmetic. Only names, `children` and `roots` allocate.
//
// Thread rule: immutable; share freely.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/ids.h"
#include "models/base/units.h"
#include "models/fleet/fleet_config.h"

namespace faultline {

enum class DomainLevel { kRegion, kZone, kBlock, kRack, kNode, kGpu };

// The level whose domains a rate is counted for; nothing for jobs.
std::optional<DomainLevel> level_of(ExposureUnit unit);

// The n-th domain of a level.
struct Domain {
  DomainLevel level = DomainLevel::kNode;
  std::uint64_t n = 0;
  bool operator==(const Domain&) const = default;
};

// Consecutive slots.
struct SlotRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  bool contains(NodeSlot slot) const { return slot.value() - first < count; }
  bool operator==(const SlotRange&) const = default;
};

class DomainTree {
 public:
  DomainTree(const FleetConfig& config, std::int64_t warm_spares_per_pool);

  // Domains of a level in the whole fleet; 0: no pool has it.
  std::uint64_t count(DomainLevel level) const;
  // The domain in which a node stands, up to kNode; nothing if its pool has no such level.
  std::optional<Domain> of(NodeSlot slot, DomainLevel level) const;

  // The number of a node's first GPU.
  std::uint64_t first_gpu(NodeSlot slot) const;

  // The nodes of a domain, as ranges of slots in ascending order; of a GPU, its node.
  std::size_t ranges(Domain domain) const;
  SlotRange range(Domain domain, std::size_t n) const;
  bool contains(Domain domain, NodeSlot slot) const;
  std::uint64_t nodes(Domain domain) const;
  // Those of all domains of a level.
  std::uint64_t nodes(DomainLevel level) const;
  template <class Visit>
  void for_each_node(Domain domain, Visit visit) const {
    for (std::size_t r = 0; r < ranges(domain); ++r) {
      const SlotRange slots = range(domain, r);
      for (std::uint32_t n = 0; n < slots.count; ++n) visit(NodeSlot(slots.first + n));
    }
  }

  // The domain around it, of the next level that its pool has; nothing at the top.
  std::optional<Domain> parent(Domain domain) const;
  // Those whose parent it is, in the order of their nodes; not all need be of one level.
  std::vector<Domain> children(Domain domain) const;
  // Those without a parent.
  std::vector<Domain> roots() const;

  std::string name(Domain domain) const;
  // The domain of a name, GPUs apart; nothing if there is none.
  std::optional<Domain> find(std::string_view name) const;

 private:
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFFU;
  // Racks or blocks of a pool.
  struct Groups {
    std::uint32_t nodes = 0;  // of a full one; 0: the pool has none
    std::uint32_t first = 0;  // number of the pool's first one
    std::uint32_t count = 0;
  };
  // Which domains of a level below the zone lie in a pool.
  struct Numbers {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  struct Pool {
    std::string name;
    SlotRange slots;
    std::uint32_t gpus_per_node = 0;
    std::uint64_t first_gpu = 0;
    std::uint32_t region = kAbsent;
    std::uint32_t zone = kAbsent;
    Groups blocks;
    Groups racks;
  };
  // A region or a zone.
  struct Site {
    std::string name;
    std::uint32_t region = kAbsent;  // of a zone
    std::vector<SlotRange> slots;
  };

  static std::uint32_t site(std::vector<Site>& sites, const std::optional<std::string>& name,
                            std::uint32_t region, SlotRange slots);
  const Pool& pool_of(Domain domain) const;
  const Pool& pool_of(NodeSlot slot) const;
  static const Groups& groups(const Pool& pool, DomainLevel level);
  static Numbers numbers(const Pool& pool, DomainLevel level);
  const Site& site(Domain domain) const;
  void add_parts(SlotRange slots, DomainLevel above, std::vector<Domain>& parts) const;

  std::vector<Pool> pools_;
  std::vector<Site> regions_;
  std::vector<Site> zones_;
};

}  // namespace faultline
