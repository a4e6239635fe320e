// Random fabrics small enough for brute force, and random states of them.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "models/fleet/fabric.h"
#include "models/fleet/fabric_state.h"

namespace faultline {

// At most `most_nodes` nodes with 1 or 2 GPUs for each NIC, and 1 or 2 spines and core switches.
inline Fabric small_fabric(int most_nodes, int most_nics = 2) {
  FabricConfig config;
  config.topology = *rc::gen::element(FabricTopology::kRail, FabricTopology::kFatTree,
                                      FabricTopology::kThreeLayer);
  config.nodes_per_leaf = *rc::gen::inRange(1, 4);
  config.spines = *rc::gen::inRange(1, 3);
  config.oversubscription = *rc::gen::element(1.0, 2.0);
  config.leaves_per_pod = *rc::gen::inRange(1, 3);
  config.cores = *rc::gen::inRange(1, 3);
  config.core_oversubscription = *rc::gen::element(1.0, 7.0);
  const int nics = *rc::gen::inRange(1, most_nics + 1);
  const int gpus = nics * *rc::gen::inRange(1, 3);
  return {config, static_cast<std::uint32_t>(*rc::gen::inRange(1, most_nodes + 1)),
          static_cast<std::uint32_t>(gpus), static_cast<std::uint32_t>(nics)};
}

// Up to `most` faults anywhere, half of them dead.
inline FabricState small_state(const Fabric& fabric, int most) {
  std::vector<FabricFault> faults;
  const int count = *rc::gen::inRange(0, most + 1);
  for (int i = 0; i < count; ++i) {
    const auto element = *rc::gen::inRange<std::uint32_t>(0, fabric.elements());
    faults.push_back({.element = ElementId(element),
                      .bandwidth = *rc::gen::element(0.0, 0.0, 0.0, 0.1, 0.5, 0.75)});
  }
  return FabricState(std::move(faults));
}

}  // namespace faultline
