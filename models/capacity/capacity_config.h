// Where a replacement node comes from and how long it takes, as a scenario describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/base/distribution.h"
#include "models/base/fields.h"
#include "models/base/limits.h"
#include "models/base/units.h"
#include "models/capacity/repair_shop_config.h"

namespace faultline {

struct InsufficientCapacityConfig {
  double probability = 0;
  Duration retry = 3_min;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("probability", &InsufficientCapacityConfig::probability,
          {.help = "Chance that a launch is refused because the provider has no such instance.",
           .ratio = true});
    visit(
        "retry", &InsufficientCapacityConfig::retry,
        {.help = "Time until the next attempt (Karpenter keeps an offering that was refused out of "
                 "its choice for 3 minutes).",
         .more_than_zero = true});
  }
};

struct CapacityConfig {
  Distribution launch;
  Distribution registration;
  Distribution terminate;
  std::int64_t warm_spares = 0;
  Limit spares;
  Distribution returns_after;
  InsufficientCapacityConfig insufficient;
  std::optional<RepairShopConfig> shop;

  template <class Visitor>
  static void fields(Visitor& visit) {
    visit("launch", &CapacityConfig::launch,
          {.help = "Time from the request for a machine until its kubelet has registered the Node.",
           .required = true});
    visit(
        "registration", &CapacityConfig::registration,
        {.help = "Time from the registered Node until it is initialised: Ready, GPUs allocatable. "
                 "Meanwhile it is Ready=False and counts as unhealthy."});
    visit("terminate", &CapacityConfig::terminate,
          {.help = "Time from the end of the drain until the old Node object is gone. Meanwhile it "
                   "counts in its pool."});
    visit("warm_spares", &CapacityConfig::warm_spares,
          {.help = "Nodes that stand by in each pool, ready, beyond the pool's own `nodes`.",
           .at_most = kMostNodes});
    visit("spares", &CapacityConfig::spares,
          {.help = "Machines that the provider can still launch: `unlimited`, or a stock that each "
                   "launch "
                   "draws from and each repaired machine returns to."});
    visit("returns_after", &CapacityConfig::returns_after,
          {.help =
               "With a limited stock: time from the removal of a machine until it can be launched "
               "again."});
    visit("insufficient", &CapacityConfig::insufficient,
          {.help = "Insufficient-capacity errors of the provider."});
    visit(
        "shop", &CapacityConfig::shop,
        {.help = "The repair shop: a machine that is taken out of service is repaired there, and "
                 "can be launched again when it comes back. It needs `spares` to be a count "
                 "(`0`: there are no other machines). Absent: with a limited stock, machines come "
                 "back after `returns_after`."});
  }

  void check(FieldProblems& problems) const {
    if (spares.count > kMostNodes) {
      problems.add("spares", "is more than " + std::to_string(kMostNodes) + " machines");
    }
    if (!shop) return;
    if (spares.unlimited()) {
      problems.add("shop",
                   "needs `spares` to be a count, such as `0`: with unlimited machines no "
                   "repair is ever waited for");
    }
    if (!(returns_after == Distribution())) {
      problems.add("returns_after", "goes with no `shop`, which says how long a repair takes");
    }
  }
};

}  // namespace faultline
