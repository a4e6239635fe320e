// The fleet as a scenario describes it: node pools and where their nodes stand, and the network
// between them if there is one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/fields.h"
#include "models/base/limits.h"
#include "models/fleet/fabric_config.h"

namespace faultline {

// A node pool: equal nodes, numbered from 0, filling racks and blocks in order. Levels of failure domains
// that a pool does not have (domain_tree.h) are `null`.
struct PoolConfig {
  std::string name;
  std::int64_t nodes = 0;
  std::int64_t gpus_per_node = 8;
  std::int64_t nics_per_node = 8;
  std::string gpu = "H100-80GB";
  std::optional<std::string> region = {};
  std::optional<std::string> zone = "a";
  std::optional<std::int64_t> nodes_per_rack = 2;
  std::optional<std::int64_t> racks_per_block = 192;
  std::optional<std::int64_t> nodes_per_block = {};

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("name", &PoolConfig::name,
          {.help = "Name of the pool; its nodes are NAME-0, NAME-1, ...", .required = true});
    visit("nodes", &PoolConfig::nodes,
          {.help = "Nodes in the pool, warm spares not counted.",
           .required = true,
           .more_than_zero = true,
           .at_most = kMostNodes});
    visit("gpus_per_node", &PoolConfig::gpus_per_node,
          {.help = "GPUs in a node; multiplies rates per GPU.",
           .more_than_zero = true,
           .at_most = kMostPerNode});
    visit("nics_per_node", &PoolConfig::nics_per_node,
          {.help = "Fabric NICs in a node.", .at_most = kMostPerNode});
    visit("gpu", &PoolConfig::gpu, {.help = "GPU model, for the report."});
    visit("region", &PoolConfig::region,
          {.help = "Region in which the pool stands: a fault counted per region strikes all pools "
                   "of it together. Absent: in none."});
    visit("zone", &PoolConfig::zone,
          {.help = "Availability zone in which the pool stands: a fault counted per zone strikes "
                   "all pools of it together. `null`: in none."});
    visit("nodes_per_rack", &PoolConfig::nodes_per_rack,
          {.help = "Nodes that share a rack and its top-of-rack switch: a fault counted per rack "
                   "strikes them together. `null`: nobody knows the racks.",
           .more_than_zero = true,
           .at_most = kMostNodes});
    visit("racks_per_block", &PoolConfig::racks_per_block,
          {.help = "Racks that share the next switch layer (a pod of the fabric): a fault counted "
                   "per block strikes their nodes together. `null`: there is no such layer.",
           .more_than_zero = true,
           .at_most = kMostNodes});
    visit("nodes_per_block", &PoolConfig::nodes_per_block,
          {.help = "With `nodes_per_rack: null`, in place of `racks_per_block`: nodes of a block. "
                   "Absent: there are no blocks then.",
           .more_than_zero = true,
           .at_most = kMostNodes});
  }

  void check(FieldProblems& problems) const {
    if (nodes_per_block && nodes_per_rack) {
      problems.add("nodes_per_block",
                   "follows from `nodes_per_rack` and `racks_per_block`: give it with "
                   "`nodes_per_rack: null` only");
    }
    const auto check_name = [&](std::string_view field, const std::optional<std::string>& given) {
      if (!given) return;
      if (given->empty()) problems.add(field, "is empty: for none, write `null`");
      if (given->find('/') != std::string::npos) {
        problems.add(field, "has a slash, which stands between a region and its zone");
      }
    };
    check_name("region", region);
    check_name("zone", zone);
  }
};

struct FleetConfig {
  std::vector<PoolConfig> pools;
  std::optional<FabricConfig> fabric;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("pools", &FleetConfig::pools, {.help = "The node pools.", .required = true});
    visit("fabric", &FleetConfig::fabric,
          {.help = "The network that joins all nodes. Without it, nothing is known about the cost "
                   "of communication."});
  }

  void check(FieldProblems& problems) const {
    if (pools.empty()) problems.add("pools", "has no pool");
    if (fabric) check_fabric(problems);
  }

 private:
  void check_fabric(FieldProblems& problems) const;
};

}  // namespace faultline
