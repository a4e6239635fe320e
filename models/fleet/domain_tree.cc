#include "models/fleet/domain_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "models/base/check.h"

namespace faultline {
namespace {

DomainLevel below(DomainLevel level) {
  return static_cast<DomainLevel>(static_cast<int>(level) + 1);
}
DomainLevel above(DomainLevel level) {
  return static_cast<DomainLevel>(static_cast<int>(level) - 1);
}

std::uint32_t to_count(const std::optional<std::int64_t>& given) {
  return static_cast<std::uint32_t>(given.value_or(0));
}

// "17" -> 17; nothing for "", "017" and "x".
std::optional<std::uint32_t> number(std::string_view digits) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool all = error == std::errc() && end == digits.data() + digits.size();
  if (!all || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  return value;
}

std::string_view word(DomainLevel level) {
  switch (level) {
    case DomainLevel::kRegion: return "region";
    case DomainLevel::kZone: return "zone";
    case DomainLevel::kBlock: return "block";
    case DomainLevel::kRack: return "rack";
    case DomainLevel::kNode: return "node";
    case DomainLevel::kGpu: return "gpu";
  }
  return "?";
}

}  // namespace

std::optional<DomainLevel> level_of(ExposureUnit unit) {
  switch (unit) {
    case ExposureUnit::kGpu: return DomainLevel::kGpu;
    case ExposureUnit::kNode: return DomainLevel::kNode;
    case ExposureUnit::kRack: return DomainLevel::kRack;
    case ExposureUnit::kBlock: return DomainLevel::kBlock;
    case ExposureUnit::kZone: return DomainLevel::kZone;
    case ExposureUnit::kRegion: return DomainLevel::kRegion;
    case ExposureUnit::kJob: return std::nullopt;
  }
  return std::nullopt;
}

DomainTree::DomainTree(const FleetConfig& config, std::int64_t warm_spares_per_pool) {
  SlotRange slots;
  std::uint64_t gpus = 0;
  Groups blocks;
  Groups racks;
  // The groups of a pool follow on those of the pool before.
  const auto next = [&](const Groups& before, std::uint64_t nodes) {
    const std::uint32_t count =
        nodes == 0 ? 0 : static_cast<std::uint32_t>((slots.count + nodes - 1) / nodes);
    return Groups{.nodes = static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes, slots.count)),
                  .first = before.first + before.count,
                  .count = count};
  };
  for (const PoolConfig& pool : config.pools) {
    slots = {.first = slots.first + slots.count,
             .count = static_cast<std::uint32_t>(pool.nodes + warm_spares_per_pool)};
    const std::uint64_t per_rack = to_count(pool.nodes_per_rack);
    const std::uint64_t per_block =
        per_rack > 0 ? per_rack * to_count(pool.racks_per_block) : to_count(pool.nodes_per_block);
    blocks = next(blocks, per_block);
    racks = next(racks, per_rack);
    const std::uint32_t region = site(regions_, pool.region, kAbsent, slots);
    pools_.push_back({.name = pool.name,
                      .slots = slots,
                      .gpus_per_node = static_cast<std::uint32_t>(pool.gpus_per_node),
                      .first_gpu = gpus,
                      .region = region,
                      .zone = site(zones_, pool.zone, region, slots),
                      .blocks = blocks,
                      .racks = racks});
    gpus += std::uint64_t{slots.count} * pools_.back().gpus_per_node;
  }
}

std::uint32_t DomainTree::site(std::vector<Site>& sites, const std::optional<std::string>& name,
                               std::uint32_t region, SlotRange slots) {
  if (!name) return kAbsent;
  auto found = std::find_if(sites.begin(), sites.end(), [&](const Site& each) {
    return each.name == *name && each.region == region;
  });
  if (found == sites.end()) {
    found = sites.insert(sites.end(), {.name = *name, .region = region, .slots = {}});
  }
  found->slots.push_back(slots);
  return static_cast<std::uint32_t>(found - sites.begin());
}

std::uint64_t DomainTree::count(DomainLevel level) const {
  if (level == DomainLevel::kRegion) return regions_.size();
  if (level == DomainLevel::kZone) return zones_.size();
  if (pools_.empty()) return 0;
  const Numbers last = numbers(pools_.back(), level);
  return last.first + last.count;
}

std::optional<Domain> DomainTree::of(NodeSlot slot, DomainLevel level) const {
  if (level == DomainLevel::kNode) return Domain{level, slot.value()};
  const Pool& pool = pool_of(slot);
  if (level == DomainLevel::kRegion || level == DomainLevel::kZone) {
    const std::uint32_t n = level == DomainLevel::kRegion ? pool.region : pool.zone;
    if (n == kAbsent) return std::nullopt;
    return Domain{level, n};
  }
  const Groups& of_pool = groups(pool, level);
  if (of_pool.nodes == 0) return std::nullopt;
  return Domain{level, of_pool.first + (slot.value() - pool.slots.first) / of_pool.nodes};
}

std::size_t DomainTree::ranges(Domain domain) const {
  return domain.level <= DomainLevel::kZone ? site(domain).slots.size() : 1;
}

SlotRange DomainTree::range(Domain domain, std::size_t n) const {
  switch (domain.level) {
    case DomainLevel::kRegion:
    case DomainLevel::kZone: return site(domain).slots[n];
    case DomainLevel::kNode: return {.first = static_cast<std::uint32_t>(domain.n), .count = 1};
    case DomainLevel::kGpu: {
      const Pool& pool = pool_of(domain);
      const std::uint64_t node = (domain.n - pool.first_gpu) / pool.gpus_per_node;
      return {.first = pool.slots.first + static_cast<std::uint32_t>(node), .count = 1};
    }
    default: break;
  }
  const Pool& pool = pool_of(domain);
  const Groups& of_pool = groups(pool, domain.level);
  const auto offset = static_cast<std::uint32_t>(domain.n - of_pool.first) * of_pool.nodes;
  return {.first = pool.slots.first + offset,
          .count = std::min(of_pool.nodes, pool.slots.count - offset)};
}

bool DomainTree::contains(Domain domain, NodeSlot slot) const {
  for (std::size_t r = 0; r < ranges(domain); ++r) {
    if (range(domain, r).contains(slot)) return true;
  }
  return false;
}

std::uint64_t DomainTree::nodes(Domain domain) const {
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r < ranges(domain); ++r) sum += range(domain, r).count;
  return sum;
}

std::uint64_t DomainTree::nodes(DomainLevel level) const {
  std::uint64_t sum = 0;
  for (const Pool& pool : pools_) {
    if (pool.slots.count > 0 &&
        (level == DomainLevel::kGpu || of(NodeSlot(pool.slots.first), level))) {
      sum += pool.slots.count;
    }
  }
  return sum;
}

std::optional<Domain> DomainTree::parent(Domain domain) const {
  const NodeSlot slot(range(domain, 0).first);
  for (DomainLevel level = domain.level; level != DomainLevel::kRegion;) {
    level = above(level);
    if (const std::optional<Domain> found = of(slot, level)) return found;
  }
  return std::nullopt;
}

std::vector<Domain> DomainTree::children(Domain domain) const {
  std::vector<Domain> parts;
  if (domain.level == DomainLevel::kGpu) return parts;
  if (domain.level == DomainLevel::kNode) {
    const NodeSlot node(static_cast<std::uint32_t>(domain.n));
    for (std::uint32_t gpu = 0; gpu < pool_of(node).gpus_per_node; ++gpu) {
      parts.push_back({DomainLevel::kGpu, first_gpu(node) + gpu});
    }
    return parts;
  }
  for (std::size_t r = 0; r < ranges(domain); ++r) {
    add_parts(range(domain, r), below(domain.level), parts);
  }
  return parts;
}

std::vector<Domain> DomainTree::roots() const {
  std::vector<Domain> parts;
  for (const Pool& pool : pools_) add_parts(pool.slots, DomainLevel::kRegion, parts);
  return parts;
}

// The largest domains from `top` down that share out slots of one pool or of several.
void DomainTree::add_parts(SlotRange slots, DomainLevel top, std::vector<Domain>& parts) const {
  for (std::uint32_t slot = slots.first; slots.contains(NodeSlot(slot));) {
    DomainLevel level = top;
    while (!of(NodeSlot(slot), level)) level = below(level);
    const Domain part = *of(NodeSlot(slot), level);
    // A zone of several pools is met once for each.
    if (range(part, 0).first == slot) parts.push_back(part);
    std::size_t r = 0;
    while (!range(part, r).contains(NodeSlot(slot))) ++r;
    slot = range(part, r).first + range(part, r).count;
  }
}

std::uint64_t DomainTree::first_gpu(NodeSlot slot) const {
  const Pool& pool = pool_of(slot);
  return pool.first_gpu + std::uint64_t{slot.value() - pool.slots.first} * pool.gpus_per_node;
}

std::string DomainTree::name(Domain domain) const {
  switch (domain.level) {
    case DomainLevel::kRegion: return fmt::format("region {}", site(domain).name);
    case DomainLevel::kZone: {
      const Site& zone = site(domain);
      if (zone.region == kAbsent) return fmt::format("zone {}", zone.name);
      return fmt::format("zone {}/{}", regions_[zone.region].name, zone.name);
    }
    case DomainLevel::kGpu: {
      const NodeSlot node(range(domain, 0).first);
      return fmt::format("{}/gpu-{}", name({DomainLevel::kNode, node.value()}),
                         domain.n - first_gpu(node));
    }
    default: break;
  }
  const Pool& pool = pool_of(domain);
  const std::uint64_t index = domain.n - numbers(pool, domain.level).first;
  if (domain.level == DomainLevel::kNode) return fmt::format("{}-{}", pool.name, index);
  return fmt::format("{}/{}-{}", pool.name, word(domain.level), index);
}

std::optional<Domain> DomainTree::find(std::string_view name) const {
  for (const DomainLevel level : {DomainLevel::kNode, DomainLevel::kRack, DomainLevel::kBlock}) {
    const std::string infix = level == DomainLevel::kNode ? "-" : fmt::format("/{}-", word(level));
    const std::size_t at = name.rfind(infix);
    if (at == std::string_view::npos) continue;
    const auto index = number(name.substr(at + infix.size()));
    for (const Pool& pool : pools_) {
      const Numbers here = numbers(pool, level);
      if (index && pool.name == name.substr(0, at) && *index < here.count) {
        return Domain{level, here.first + *index};
      }
    }
  }
  for (const DomainLevel level : {DomainLevel::kZone, DomainLevel::kRegion}) {
    for (std::uint64_t n = 0; n < count(level); ++n) {
      if (this->name({level, n}) == name) return Domain{level, n};
    }
  }
  return std::nullopt;
}

const DomainTree::Pool& DomainTree::pool_of(NodeSlot slot) const {
  const auto found = std::find_if(pools_.begin(), pools_.end(),
                                  [&](const Pool& pool) { return pool.slots.contains(slot); });
  FAULTLINE_CHECK(found != pools_.end(), "slot {} of {}", slot.value(), count(DomainLevel::kNode));
  return *found;
}

const DomainTree::Pool& DomainTree::pool_of(Domain domain) const {
  const auto found = std::find_if(pools_.begin(), pools_.end(), [&](const Pool& pool) {
    const Numbers here = numbers(pool, domain.level);
    return domain.n - here.first < here.count;
  });
  FAULTLINE_CHECK(found != pools_.end(), "{} {} of {}", word(domain.level), domain.n,
                  count(domain.level));
  return *found;
}

DomainTree::Numbers DomainTree::numbers(const Pool& pool, DomainLevel level) {
  switch (level) {
    case DomainLevel::kNode: return {pool.slots.first, pool.slots.count};
    case DomainLevel::kGpu:
      return {pool.first_gpu, std::uint64_t{pool.slots.count} * pool.gpus_per_node};
    default: return {groups(pool, level).first, groups(pool, level).count};
  }
}

const DomainTree::Groups& DomainTree::groups(const Pool& pool, DomainLevel level) {
  return level == DomainLevel::kBlock ? pool.blocks : pool.racks;
}

const DomainTree::Site& DomainTree::site(Domain domain) const {
  const std::vector<Site>& sites = domain.level == DomainLevel::kRegion ? regions_ : zones_;
  FAULTLINE_CHECK(domain.n < sites.size(), "{} {} of {}", word(domain.level), domain.n,
                  sites.size());
  return sites[domain.n];
}

}  // namespace faultline
