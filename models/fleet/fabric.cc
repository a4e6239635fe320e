#include "models/fleet/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "models/base/check.h"

namespace faultline {
namespace {

std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

std::int64_t slots_of(const FleetConfig& fleet, std::int64_t warm_spares_per_pool) {
  std::int64_t slots = 0;
  for (const PoolConfig& pool : fleet.pools) slots += pool.nodes + warm_spares_per_pool;
  return slots;
}

const FabricConfig& fabric_of(const FleetConfig& fleet) {
  FAULTLINE_CHECK(fleet.fabric.has_value(), "a fleet without a fabric");
  return *fleet.fabric;
}

// "17" of "node17" when the word is "node".
std::optional<std::uint32_t> numbered(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  const std::string_view digits = text.substr(word.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!whole || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  return number;
}

tl::unexpected<std::string> no_such(std::string_view what, std::string_view many,
                                    std::uint32_t count) {
  if (count == 0) return tl::unexpected(fmt::format("this fabric has no {}", many));
  return tl::unexpected(
      fmt::format("there is no {} (there are {} 0 to {})", what, many, count - 1));
}

}  // namespace

void FleetConfig::check_fabric(FieldProblems& problems) const {
  constexpr double kMostElements = 1e8;
  std::int64_t nodes = 0;
  for (const PoolConfig& pool : pools) {
    const std::string path = fmt::format("pools[{}].", pool.name);
    nodes += std::min<std::int64_t>(pool.nodes, 100'000'000);
    if (pool.nics_per_node == 0) {
      problems.add(path + "nics_per_node", "is 0, but a fabric needs a NIC in each node");
    } else if (pool.gpus_per_node % pool.nics_per_node != 0) {
      problems.add(path + "nics_per_node",
                   fmt::format("is {}, which does not divide the {} GPUs of a node: in a fabric, "
                               "each NIC belongs to as many GPUs (count the NICs of one GPU as "
                               "one, with their joint bandwidth)",
                               pool.nics_per_node, pool.gpus_per_node));
    } else if (pool.gpus_per_node != pools.front().gpus_per_node ||
               pool.nics_per_node != pools.front().nics_per_node) {
      problems.add(path + "gpus_per_node",
                   fmt::format("and `nics_per_node` differ from those of pool `{}`: a fabric joins "
                               "equal nodes",
                               pools.front().name));
    }
  }
  const auto per_node = static_cast<double>(std::max<std::int64_t>(
      pools.empty() ? 1 : pools.front().gpus_per_node + pools.front().nics_per_node, 1));
  const double groups =
      static_cast<double>(nodes) / static_cast<double>(fabric->nodes_per_leaf) + 1;
  const double planes = fabric->topology == FabricTopology::kRail ? per_node : 1;
  const double spines = static_cast<double>(fabric->spines);
  double elements =
      static_cast<double>(nodes) * per_node + groups * planes * (spines + 1) + planes * spines;
  if (fabric->topology == FabricTopology::kThreeLayer) {
    const double pods = groups / static_cast<double>(fabric->leaves_per_pod) + 1;
    elements += (pods + 1) * spines * (static_cast<double>(fabric->cores) + 1);
  }
  if (elements > kMostElements) {
    problems.add("fabric", fmt::format("has more than {:.0f} cables and switches", kMostElements));
  }
}

Fabric::Fabric(const FleetConfig& fleet, std::int64_t warm_spares_per_pool)
    : Fabric(fabric_of(fleet), static_cast<std::uint32_t>(slots_of(fleet, warm_spares_per_pool)),
             static_cast<std::uint32_t>(fleet.pools.front().gpus_per_node),
             static_cast<std::uint32_t>(fleet.pools.front().nics_per_node)) {}

Fabric::Fabric(const FabricConfig& config, std::uint32_t nodes, std::uint32_t gpus_per_node,
               std::uint32_t nics_per_node)
    : config_(config),
      nodes_(nodes),
      gpus_per_node_(gpus_per_node),
      nics_per_node_(nics_per_node),
      planes_(config.topology == FabricTopology::kRail ? nics_per_node : 1),
      nodes_per_leaf_(static_cast<std::uint32_t>(config.nodes_per_leaf)),
      spines_(static_cast<std::uint32_t>(config.spines)) {
  FAULTLINE_CHECK(nodes > 0 && nics_per_node > 0 && gpus_per_node % nics_per_node == 0,
                  "{} nodes of {} GPUs and {} NICs", nodes, gpus_per_node, nics_per_node);
  const bool three = config.topology == FabricTopology::kThreeLayer;
  groups_ = ceil_div(nodes_, nodes_per_leaf_);
  leaf_groups_per_pod_ = three ? static_cast<std::uint32_t>(config.leaves_per_pod) : groups_;
  pods_ = ceil_div(groups_, leaf_groups_per_pod_);
  cores_ = three ? static_cast<std::uint32_t>(config.cores) : 0;

  const std::uint32_t leaves = groups_ * planes_;
  const std::uint32_t all_spines = pods_ * planes_ * spines_;
  const std::uint32_t counts[kElementKinds] = {nodes_ * gpus_per_node_,
                                               nodes_ * nics_per_node_,
                                               leaves * spines_,
                                               all_spines * cores_,
                                               leaves,
                                               all_spines,
                                               planes_ * spines_ * cores_};
  for (std::size_t k = 0; k < kElementKinds; ++k) first_[k + 1] = first_[k] + counts[k];

  const double nic = config.nic.bandwidth.bytes_per_second;
  const double into_leaf = nic * nodes_per_leaf_ * (nics_per_node_ / planes_);
  const double uplink = into_leaf / (spines_ * config.oversubscription);
  const double core_uplink =
      three ? uplink * leaf_groups_per_pod_ / (cores_ * config.core_oversubscription) : 0;
  const double bandwidths[kCableKinds] = {config.nvlink.bandwidth.bytes_per_second, nic, uplink,
                                          core_uplink};
  const double between_switches = config.switch_latency.seconds();
  const double latencies[kCableKinds] = {config.nvlink.latency.seconds(),
                                         config.nic.latency.seconds(), between_switches,
                                         between_switches};
  std::copy(std::begin(bandwidths), std::end(bandwidths), std::begin(bandwidth_));
  std::copy(std::begin(latencies), std::end(latencies), std::begin(latency_));
}

std::uint32_t Fabric::count(ElementKind kind) const {
  const auto k = static_cast<std::size_t>(kind);
  return first_[k + 1] - first_[k];
}

ElementKind Fabric::kind(ElementId element) const {
  FAULTLINE_CHECK(element.value() < elements(), "element {} of {}", element.value(), elements());
  std::size_t k = 0;
  while (element.value() >= first_[k + 1]) ++k;
  return static_cast<ElementKind>(k);
}

Fabric::Place Fabric::place(ElementId element) const {
  const ElementKind kind = this->kind(element);
  const std::uint32_t index = element.value() - first_[static_cast<std::size_t>(kind)];
  const auto split = [&](std::uint32_t ports) { return Place{kind, index / ports, index % ports}; };
  switch (kind) {
    case ElementKind::kGpuPort: return split(gpus_per_node_);
    case ElementKind::kNic: return split(nics_per_node_);
    case ElementKind::kLeafUplink: return split(spines_);
    case ElementKind::kSpineUplink: return split(cores_);
    default: return {kind, index, 0};
  }
}

std::string Fabric::name(ElementId element) const {
  const Place at = place(element);
  switch (at.kind) {
    case ElementKind::kGpuPort: return fmt::format("gpu{}@node{}", at.port, at.owner);
    case ElementKind::kNic: return fmt::format("rail{}@node{}", at.port, at.owner);
    case ElementKind::kLeafUplink: return fmt::format("uplink{}@leaf{}", at.port, at.owner);
    case ElementKind::kSpineUplink: return fmt::format("uplink{}@spine{}", at.port, at.owner);
    case ElementKind::kLeaf: return fmt::format("leaf{}", at.owner);
    case ElementKind::kSpine: return fmt::format("spine{}", at.owner);
    case ElementKind::kCore: break;
  }
  return fmt::format("core{}", at.owner);
}

Parsed<ElementId> Fabric::find(std::string_view name) const {
  struct Notation {
    std::string_view port;  // empty: a switch
    std::string_view owner;
    std::string_view many_ports;
    std::string_view many_owners;
    ElementKind kind;
    std::uint32_t ports;
    std::uint32_t owners;
  };
  const std::uint32_t leaves = count(ElementKind::kLeaf);
  const std::uint32_t spines = count(ElementKind::kSpine);
  const std::array<Notation, kElementKinds> notations{{
      {"gpu", "node", "GPUs", "nodes", ElementKind::kGpuPort, gpus_per_node_, nodes_},
      {"rail", "node", "rails", "nodes", ElementKind::kNic, nics_per_node_, nodes_},
      {"uplink", "leaf", "uplinks", "leaves", ElementKind::kLeafUplink, spines_, leaves},
      {"uplink", "spine", "uplinks of spines", "spines", ElementKind::kSpineUplink, cores_, spines},
      {"", "leaf", "", "leaves", ElementKind::kLeaf, 1, leaves},
      {"", "spine", "", "spines", ElementKind::kSpine, 1, spines},
      {"", "core", "", "core switches", ElementKind::kCore, 1, count(ElementKind::kCore)},
  }};
  const std::size_t at = name.find('@');
  const std::string_view owner_text = at == std::string_view::npos ? name : name.substr(at + 1);
  for (const Notation& notation : notations) {
    if (notation.port.empty() != (at == std::string_view::npos)) continue;
    const auto owner = numbered(owner_text, notation.owner);
    if (!owner) continue;
    std::uint32_t port = 0;
    if (!notation.port.empty()) {
      const auto number = numbered(name.substr(0, at), notation.port);
      if (!number) continue;
      port = *number;
    }
    if (*owner >= notation.owners)
      return no_such(owner_text, notation.many_owners, notation.owners);
    if (port >= notation.ports) {
      return no_such(name.substr(0, at), notation.many_ports, notation.ports);
    }
    return element(notation.kind, *owner * notation.ports + port);
  }
  return tl::unexpected(
      std::string("is no part of a fabric; parts are named rail3@node17, gpu3@node17, "
                  "uplink5@leaf12, leaf12 or spine3"));
}

}  // namespace faultline
