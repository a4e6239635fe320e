// The fabric: every GPU port, NIC, switch and cable between the nodes of a fleet, by arithmetic.
//
// Nothing is stored for a part: parts are numbered densely, kind after kind, and where a cable ends
// follows from its number. So a fabric of 100,000 GPUs costs as much as one of 16.
//
// An *element* is a part that can fail, with the name that people write:
//
//   gpu3@node17        the NVLink ports of GPU 3 of node 17 (to the node's NVSwitch)
//   rail3@node17       NIC 3 of node 17 and its cable to the leaf
//   uplink5@leaf12     the cable from leaf 12 to its 5th spine
//   uplink2@spine7     the cable from spine 7 to its 2nd core switch (three-layer)
//   leaf12 spine3 core0   a switch
//
// The first four kinds are cables: they have two directions, and `ElementId::value` is their cable
// number. A *link* is one direction of a cable: 2 x cable for up (away from the GPU), 2 x cable + 1
// for down. Bandwidths are bytes per second, latencies seconds.
//
// Numbering of switches: leaf = group x planes + plane, where a group is `nodes_per_leaf`
// consecutive nodes; spine = (pod x planes + plane) x spines + j; core = (plane x spines + j) x
// cores + c.
//
// Thread rule: immutable; share freely.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/base/ids.h"
#include "models/base/units.h"
#include "models/fleet/fabric_config.h"
#include "models/fleet/fleet_config.h"

namespace faultline {

using ElementId = StrongId<struct ElementTag>;

enum class ElementKind : std::uint8_t {
  kGpuPort,
  kNic,
  kLeafUplink,
  kSpineUplink,
  kLeaf,
  kSpine,
  kCore,
};
inline constexpr std::size_t kElementKinds = 7;
inline constexpr std::size_t kCableKinds = 4;

// A GPU of the fabric, counted over all nodes: node x gpus_per_node + GPU.
using GpuIndex = std::uint32_t;

class Fabric {
 public:
  // An element taken apart: `owner` is the node of a port or NIC, the switch below of an uplink,
  // the switch itself of a switch; `port` the number at the owner (0 for a switch).
  struct Place {
    ElementKind kind = ElementKind::kGpuPort;
    std::uint32_t owner = 0;
    std::uint32_t port = 0;
  };

  Fabric(const FabricConfig& config, std::uint32_t nodes, std::uint32_t gpus_per_node,
         std::uint32_t nics_per_node);
  // All slots of a fleet that has a fabric.
  Fabric(const FleetConfig& fleet, std::int64_t warm_spares_per_pool);

  const FabricConfig& config() const { return config_; }
  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t gpus_per_node() const { return gpus_per_node_; }
  std::uint32_t nics_per_node() const { return nics_per_node_; }
  std::uint32_t planes() const { return planes_; }
  std::uint32_t leaf_groups() const { return groups_; }
  std::uint32_t pods() const { return pods_; }
  std::uint32_t nodes_per_leaf() const { return nodes_per_leaf_; }
  std::uint32_t leaves_per_pod() const { return leaf_groups_per_pod_; }
  std::uint32_t uplinks_per_leaf() const { return spines_; }
  std::uint32_t uplinks_per_spine() const { return cores_; }  // 0: two layers
  std::uint32_t count(ElementKind kind) const;
  std::uint32_t elements() const { return first_[kElementKinds]; }
  std::uint32_t cables() const { return first_[kCableKinds]; }

  // Of all cables of a kind.
  double bandwidth(ElementKind cable) const { return bandwidth_[static_cast<std::size_t>(cable)]; }
  double latency(ElementKind cable) const { return latency_[static_cast<std::size_t>(cable)]; }

  ElementId element(ElementKind kind, std::uint32_t index) const {
    return ElementId(first_[static_cast<std::size_t>(kind)] + index);
  }
  ElementId gpu_port(GpuIndex gpu) const { return element(ElementKind::kGpuPort, gpu); }
  ElementId nic(std::uint32_t node, std::uint32_t rail) const {
    return element(ElementKind::kNic, node * nics_per_node_ + rail);
  }
  ElementId leaf_uplink(std::uint32_t leaf, std::uint32_t port) const {
    return element(ElementKind::kLeafUplink, leaf * spines_ + port);
  }
  ElementId spine_uplink(std::uint32_t spine, std::uint32_t port) const {
    return element(ElementKind::kSpineUplink, spine * cores_ + port);
  }
  ElementKind kind(ElementId element) const;
  Place place(ElementId element) const;

  std::uint32_t node_of(GpuIndex gpu) const { return gpu / gpus_per_node_; }
  // The NIC that a GPU uses, and the first GPU that uses a NIC.
  std::uint32_t rail_of(GpuIndex gpu) const {
    return gpu % gpus_per_node_ / (gpus_per_node_ / nics_per_node_);
  }
  std::uint32_t first_gpu_of_rail(std::uint32_t rail) const {
    return rail * (gpus_per_node_ / nics_per_node_);
  }
  std::uint32_t plane_of_rail(std::uint32_t rail) const { return planes_ == 1 ? 0 : rail; }
  std::uint32_t group_of(std::uint32_t node) const { return node / nodes_per_leaf_; }
  std::uint32_t pod_of_group(std::uint32_t group) const { return group / leaf_groups_per_pod_; }
  std::uint32_t leaf(std::uint32_t group, std::uint32_t plane) const {
    return group * planes_ + plane;
  }
  std::uint32_t leaf_of(std::uint32_t node, std::uint32_t rail) const {
    return leaf(group_of(node), plane_of_rail(rail));
  }
  // The number of a NIC at its leaf, and the uplink of the leaf that its flows take.
  std::uint32_t place_at_leaf(std::uint32_t node, std::uint32_t rail) const {
    const std::uint32_t nics = nics_per_node_ / planes_;
    return node % nodes_per_leaf_ * nics + rail % nics;
  }
  std::uint32_t uplink_of(std::uint32_t node, std::uint32_t rail) const {
    return place_at_leaf(node, rail) % spines_;
  }
  // Three layers: the uplink of its spine that they take, where they leave the pod.
  std::uint32_t spine_uplink_of(std::uint32_t node, std::uint32_t rail) const {
    return (leaf_of(node, rail) % leaf_groups_per_pod_ + place_at_leaf(node, rail) / spines_) %
           cores_;
  }
  // The spine at the other end of a leaf's uplink; the core switch at that of a spine's.
  std::uint32_t spine_above(std::uint32_t leaf, std::uint32_t port) const {
    return (pod_of_group(leaf / planes_) * planes_ + leaf % planes_) * spines_ + port;
  }
  std::uint32_t core_above(std::uint32_t spine, std::uint32_t port) const {
    return spine % (planes_ * spines_) * cores_ + port;
  }

  std::string name(ElementId element) const;
  // The element with a name, or a sentence: "there is no leaf 99 (there are leaves 0 to 63)".
  Parsed<ElementId> find(std::string_view name) const;

 private:
  FabricConfig config_;
  std::uint32_t nodes_ = 0;
  std::uint32_t gpus_per_node_ = 0;
  std::uint32_t nics_per_node_ = 0;
  std::uint32_t planes_ = 0;
  std::uint32_t nodes_per_leaf_ = 0;
  std::uint32_t groups_ = 0;
  std::uint32_t leaf_groups_per_pod_ = 0;
  std::uint32_t pods_ = 0;
  std::uint32_t spines_ = 0;
  std::uint32_t cores_ = 0;
  std::uint32_t first_[kElementKinds + 1] = {};
  double bandwidth_[kCableKinds] = {};
  double latency_[kCableKinds] = {};
};

}  // namespace faultline
