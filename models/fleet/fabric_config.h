// The network of the fleet as a scenario describes it: a few numbers from which every switch, cable
// and route follows (fabric.h).
//
//   fabric:
//     topology: rail        # rail, fat-tree or three-layer
//     nodes_per_leaf: 32
//     spines: 32
//
// A *plane* is a set of switches with no cable to other planes: one for each rail in `rail`, a
// single one otherwise. In each plane, `nodes_per_leaf` nodes share a leaf; a leaf has `spines`
// uplinks, one to each spine of its plane (`rail`, `fat-tree`) or of its pod (`three-layer`). In
// `three-layer`, `leaves_per_pod` leaves form a pod, and the j-th spine of every pod has `cores`
// uplinks to the j-th group of core switches.
//
// The bandwidth of an uplink is not given but follows from the oversubscription:
//   uplink = (bandwidth into the switch from below) / (uplinks x oversubscription)
//
// Bandwidth is per direction. A latency is that of one cable with the port behind it.
#pragma once

#include <cstdint>
#include <optional>

#include "models/base/fields.h"
#include "models/base/limits.h"
#include "models/base/time.h"
#include "models/base/units.h"

namespace faultline {

enum class FabricTopology {
  kRail,        // the n-th NIC of each node in one plane, two layers
  kFatTree,     // all NICs in one plane, two layers
  kThreeLayer,  // all NICs in one plane, three layers with pods
};
template <>
struct EnumNames<FabricTopology> {
  static constexpr std::array kNames{
      std::pair{FabricTopology::kRail, std::string_view("rail")},
      std::pair{FabricTopology::kFatTree, std::string_view("fat-tree")},
      std::pair{FabricTopology::kThreeLayer, std::string_view("three-layer")}};
};

struct PortConfig {
  Bandwidth bandwidth;
  Duration latency;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("bandwidth", &PortConfig::bandwidth,
          {.help = "Bandwidth in each direction.", .more_than_zero = true});
    visit("latency", &PortConfig::latency,
          {.help = "Time that a byte takes through the cable and the port behind it."});
  }
};

struct FabricConfig {
  FabricTopology topology = FabricTopology::kRail;
  std::int64_t nodes_per_leaf = 32;
  std::int64_t spines = 32;
  double oversubscription = 1;
  std::int64_t leaves_per_pod = 192;
  std::int64_t cores = 28;
  double core_oversubscription = 7;
  // NVLink 4: 900 GB/s per GPU, both directions together (NVIDIA H100 data sheet).
  PortConfig nvlink{{450e9}, 250_ns};
  // One 400 Gbps NIC for each GPU (DGX H100 data sheet: 8 x ConnectX-7).
  PortConfig nic{{50e9}, 600_ns};
  Duration switch_latency = 600_ns;
  std::optional<Bandwidth> busbw;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("topology", &FabricConfig::topology,
          {.help = "rail: a plane of switches for each NIC of a node, two layers. fat-tree: all "
                   "NICs in one plane, two layers. three-layer: pods of leaves and spines, joined "
                   "by core switches.",
           .required = true});
    visit("nodes_per_leaf", &FabricConfig::nodes_per_leaf,
          {.help = "Nodes that share a leaf switch (in `rail`: one leaf for each rail).",
           .more_than_zero = true,
           .at_most = kMostNodes});
    visit("spines", &FabricConfig::spines,
          {.help = "Uplinks of a leaf, one to each spine of its plane (three-layer: of its pod).",
           .more_than_zero = true,
           .at_most = kMostNodes});
    visit("oversubscription", &FabricConfig::oversubscription,
          {.help = "Bandwidth into a leaf from its nodes, divided by that of its uplinks together; "
                   "1 is full bisection.",
           .more_than_zero = true});
    visit("leaves_per_pod", &FabricConfig::leaves_per_pod,
          {.help = "three-layer: leaves that form a pod.",
           .more_than_zero = true,
           .at_most = kMostNodes});
    visit("cores", &FabricConfig::cores,
          {.help = "three-layer: uplinks of a spine, one to each core switch of its group.",
           .more_than_zero = true,
           .at_most = kMostNodes});
    visit("core_oversubscription", &FabricConfig::core_oversubscription,
          {.help = "three-layer: bandwidth into a spine from its leaves, divided by that of its "
                   "uplinks together (Llama 3: 7).",
           .more_than_zero = true});
    visit("nvlink", &FabricConfig::nvlink,
          {.help = "A GPU's NVLink ports together, to the NVSwitch of its node."});
    visit("nic", &FabricConfig::nic, {.help = "A NIC and its cable to the leaf."});
    visit("switch_latency", &FabricConfig::switch_latency,
          {.help = "Latency of a cable between two switches and the port behind it."});
    visit("busbw", &FabricConfig::busbw,
          {.help = "Measured bus bandwidth of a large all-reduce over the healthy fabric "
                   "(nccl-tests' busbw): costs are scaled to it. Without it, links carry what they "
                   "are rated for.",
           .more_than_zero = true});
  }
};

}  // namespace faultline
