// Failure domains of random fleets: each level shares the nodes out, children share out their parent, and
// names lead back; against the slots counted one by one.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <set>

#include "models/fleet/fleet.h"

namespace faultline {
namespace {

constexpr std::array kLevels{DomainLevel::kRegion, DomainLevel::kZone, DomainLevel::kBlock,
                             DomainLevel::kRack,   DomainLevel::kNode, DomainLevel::kGpu};

template <class T>
std::optional<T> maybe(T value) {
  return *rc::gen::inRange(0, 3) == 0 ? std::nullopt : std::optional<T>(value);
}

FleetConfig any_fleet() {
  FleetConfig config;
  const int pools = *rc::gen::inRange(1, 5);
  for (int p = 0; p < pools; ++p) {
    PoolConfig& pool = config.pools.emplace_back();
    pool.name = "pool-" + std::to_string(p);
    pool.nodes = *rc::gen::inRange(1, 20);
    pool.gpus_per_node = *rc::gen::inRange(1, 4);
    pool.region = maybe(*rc::gen::element<std::string>("r", "s"));
    pool.zone = maybe(*rc::gen::element<std::string>("a", "b", "c"));
    pool.nodes_per_rack = maybe<std::int64_t>(*rc::gen::inRange(1, 6));
    pool.racks_per_block = maybe<std::int64_t>(*rc::gen::inRange(1, 4));
    if (!pool.nodes_per_rack) pool.nodes_per_block = maybe<std::int64_t>(*rc::gen::inRange(1, 8));
  }
  return config;
}

std::set<std::uint32_t> slots_of(const DomainTree& tree, Domain domain) {
  std::set<std::uint32_t> slots;
  tree.for_each_node(domain, [&](NodeSlot slot) { slots.insert(slot.value()); });
  return slots;
}

// What the file says of a level of a pool, and the node's place in its pool.
bool has_level(const PoolConfig& pool, DomainLevel level) {
  switch (level) {
    case DomainLevel::kRegion: return pool.region.has_value();
    case DomainLevel::kZone: return pool.zone.has_value();
    case DomainLevel::kBlock:
      return pool.nodes_per_rack ? pool.racks_per_block.has_value()
                                 : pool.nodes_per_block.has_value();
    case DomainLevel::kRack: return pool.nodes_per_rack.has_value();
    default: return true;
  }
}

RC_GTEST_PROP(FleetDomains, EachNodeIsInOneDomainOfEachLevelThatItsPoolHas, ()) {
  const FleetConfig config = any_fleet();
  const auto spares = *rc::gen::inRange<std::int64_t>(0, 3);
  const Fleet fleet(config, spares);
  const DomainTree& tree = fleet.domains();
  for (const DomainLevel level : kLevels) {
    if (level == DomainLevel::kGpu) continue;
    std::map<std::uint32_t, std::uint64_t> domain_of;  // by slot
    for (std::uint64_t n = 0; n < tree.count(level); ++n) {
      const auto slots = slots_of(tree, {level, n});
      RC_ASSERT(!slots.empty());
      RC_ASSERT(slots.size() == tree.nodes(Domain{level, n}));
      for (const std::uint32_t slot : slots) RC_ASSERT(domain_of.emplace(slot, n).second);
    }
    RC_ASSERT(domain_of.size() == tree.nodes(level));
    for (std::uint32_t slot = 0; slot < fleet.slots(); ++slot) {
      const auto found = tree.of(NodeSlot(slot), level);
      const PoolConfig& pool = config.pools[fleet.pool_of(NodeSlot(slot)).index()];
      RC_ASSERT(found.has_value() == has_level(pool, level));
      RC_ASSERT(found.has_value() == (domain_of.count(slot) == 1));
      if (!found) continue;
      RC_ASSERT(found->n == domain_of.at(slot));
      for (std::uint64_t n = 0; n < tree.count(level); ++n) {
        RC_ASSERT(tree.contains({level, n}, NodeSlot(slot)) == (n == found->n));
      }
    }
  }
}

// Two nodes share a rack, a block, a zone, a region as the file says.
RC_GTEST_PROP(FleetDomains, WhoSharesADomain, ()) {
  const FleetConfig config = any_fleet();
  const Fleet fleet(config, *rc::gen::inRange<std::int64_t>(0, 3));
  const NodeSlot a(*rc::gen::inRange(0U, fleet.slots()));
  const NodeSlot b(*rc::gen::inRange(0U, fleet.slots()));
  const PoolConfig& of_a = config.pools[fleet.pool_of(a).index()];
  const PoolConfig& of_b = config.pools[fleet.pool_of(b).index()];
  const std::int64_t place_a = a.value() - fleet.pool(fleet.pool_of(a)).first_slot;
  const std::int64_t place_b = b.value() - fleet.pool(fleet.pool_of(b)).first_slot;
  const bool same_pool = of_a.name == of_b.name;
  const auto same_group = [&](std::optional<std::int64_t> size) {
    return same_pool && size && place_a / *size == place_b / *size;
  };
  std::optional<std::int64_t> block = of_a.nodes_per_block;
  if (of_a.nodes_per_rack) {
    block = of_a.racks_per_block ? std::optional(*of_a.nodes_per_rack * *of_a.racks_per_block)
                                 : std::nullopt;
  }
  const auto share = [&](DomainLevel level) {
    const auto domain = fleet.domains().of(a, level);
    return domain && domain == fleet.domains().of(b, level);
  };
  RC_ASSERT(share(DomainLevel::kRack) == same_group(of_a.nodes_per_rack));
  RC_ASSERT(share(DomainLevel::kBlock) == same_group(block));
  RC_ASSERT(share(DomainLevel::kZone) ==
            (of_a.zone && of_a.zone == of_b.zone && of_a.region == of_b.region));
  RC_ASSERT(share(DomainLevel::kRegion) == (of_a.region && of_a.region == of_b.region));
}

RC_GTEST_PROP(FleetDomains, ChildrenShareOutTheirParent, ()) {
  const Fleet fleet(any_fleet(), *rc::gen::inRange<std::int64_t>(0, 3));
  const DomainTree& tree = fleet.domains();
  std::set<std::pair<DomainLevel, std::uint64_t>> seen;
  const auto visit = [&](Domain domain) { RC_ASSERT(seen.emplace(domain.level, domain.n).second); };
  for (const Domain root : tree.roots()) {
    visit(root);
    RC_ASSERT(!tree.parent(root).has_value());
  }
  std::uint64_t domains = 0;
  for (const DomainLevel level : kLevels) {
    domains += tree.count(level);
    for (std::uint64_t n = 0; n < tree.count(level); ++n) {
      const Domain domain{level, n};
      const auto children = tree.children(domain);
      std::set<std::uint32_t> slots;
      for (const Domain child : children) {
        visit(child);
        RC_ASSERT(child.level > level);
        RC_ASSERT(tree.parent(child) == domain);
        if (level == DomainLevel::kNode) continue;  // its GPUs share it
        for (const std::uint32_t slot : slots_of(tree, child)) {
          RC_ASSERT(slots.insert(slot).second);
        }
      }
      if (level < DomainLevel::kNode) RC_ASSERT(slots == slots_of(tree, domain));
      if (level == DomainLevel::kNode) {
        RC_ASSERT(children.size() == fleet.gpus_per_node(NodeSlot(static_cast<std::uint32_t>(n))));
      }
    }
  }
  RC_ASSERT(seen.size() == domains);  // each is a root or somebody's child
}

RC_GTEST_PROP(FleetDomains, NamesLeadBack, ()) {
  const Fleet fleet(any_fleet(), 1);
  const DomainTree& tree = fleet.domains();
  std::set<std::string> names;
  for (const DomainLevel level : kLevels) {
    for (std::uint64_t n = 0; n < tree.count(level); ++n) {
      const std::string name = tree.name({level, n});
      RC_ASSERT(names.insert(name).second);
      if (level != DomainLevel::kGpu) RC_ASSERT(tree.find(name) == (Domain{level, n}));
    }
  }
}

}  // namespace
}  // namespace faultline
