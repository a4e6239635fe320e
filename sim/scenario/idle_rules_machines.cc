#include <fmt/format.h>

#include <algorithm>

#include "models/fleet/domain_tree.h"
#include "sim/scenario/idle_rules.h"

namespace faultline::idle {
namespace {

bool has_rate(const FaultClassConfig& fault_class) {
  return (fault_class.rate && fault_class.rate->count > 0) || fault_class.life_from_restart;
}

bool any_class(const Scenario& scenario, bool (*matches)(const FaultClassConfig&)) {
  return std::any_of(scenario.faults.classes.begin(), scenario.faults.classes.end(), matches);
}

// The exposure of some class, or the level of a domain that a strike names.
bool counts(const Scenario& scenario, DomainLevel level) {
  const DomainTree domains(scenario.fleet, scenario.capacity.warm_spares);
  const auto names_level = [&](const ScriptedStrikeConfig& strike) {
    const std::optional<Domain> domain = domains.find(strike.domain);
    return domain && domain->level == level;
  };
  const auto needs_level = [&](const FaultClassConfig& c) {
    const bool strikes = has_rate(c) || !c.strikes.empty();
    return (strikes && level_of(c.unit()) == level) ||
           std::any_of(c.strikes.begin(), c.strikes.end(), names_level);
  };
  return std::any_of(scenario.faults.classes.begin(), scenario.faults.classes.end(), needs_level);
}

bool mends_in_place(const Scenario& scenario) {
  return std::holds_alternative<RestartInPlaceConfig>(scenario.policy);
}

}  // namespace

void domains_that_nothing_counts(const Scenario& scenario, FieldProblems& idle) {
  const PoolConfig standard;
  const bool racks = counts(scenario, DomainLevel::kRack);
  const bool blocks = counts(scenario, DomainLevel::kBlock);
  const bool zones = counts(scenario, DomainLevel::kZone);
  const bool regions = counts(scenario, DomainLevel::kRegion);
  for (const PoolConfig& pool : scenario.fleet.pools) {
    const auto add = [&](const char* field, bool turned, bool counted, const char* level) {
      if (!turned || counted) return;
      idle.add_key(fmt::format("fleet.pools[{}].{}", pool.name, field),
                   fmt::format("has no effect: no fault class is counted per {}, and no strike "
                               "names one",
                               level));
    };
    // (a region tells its zones from those of another one)
    add("region", pool.region != standard.region, regions || zones, "region or zone");
    add("zone", pool.zone != standard.zone, zones, "zone");
    add("nodes_per_rack", pool.nodes_per_rack != standard.nodes_per_rack, racks || blocks,
        "rack or block");
    add("racks_per_block", pool.racks_per_block != standard.racks_per_block, blocks, "block");
    add("nodes_per_block", pool.nodes_per_block != standard.nodes_per_block, blocks, "block");
  }
}

void nics_without_fabric(const Scenario& scenario, FieldProblems& idle) {
  if (scenario.fleet.fabric) return;
  for (const PoolConfig& pool : scenario.fleet.pools) {
    if (pool.nics_per_node == PoolConfig{}.nics_per_node) continue;
    idle.add_key(fmt::format("fleet.pools[{}].nics_per_node", pool.name),
                 "has no effect: without `fleet.fabric` nothing asks for NICs");
  }
}

void cores_of_two_layers(const Scenario& scenario, FieldProblems& idle) {
  if (!scenario.fleet.fabric) return;
  const FabricConfig& fabric = *scenario.fleet.fabric;
  if (fabric.topology == FabricTopology::kThreeLayer) return;
  const FabricConfig standard;
  const auto add = [&](const char* field, bool turned) {
    if (!turned) return;
    idle.add_key(fmt::format("fleet.fabric.{}", field),
                 fmt::format("has no effect: only a `three-layer` fabric has pods and core "
                             "switches, and this one is `{}`",
                             enum_name(fabric.topology)));
  };
  add("leaves_per_pod", fabric.leaves_per_pod != standard.leaves_per_pod);
  add("cores", fabric.cores != standard.cores);
  add("core_oversubscription", fabric.core_oversubscription != standard.core_oversubscription);
}

void lemons_that_nothing_strikes(const Scenario& scenario, FieldProblems& idle) {
  const auto tells_them_apart = [](const FaultClassConfig& fault_class) {
    return fault_class.victims != FaultVictims::kAll && has_rate(fault_class);
  };
  if (!scenario.faults.lemons || any_class(scenario, tells_them_apart)) return;
  idle.add_key("faults.lemons",
               "has no effect: no fault class with a rate strikes only the lemons, or only the "
               "sound machines (`victims`)");
}

void sound_machines_without_lemons(const Scenario& scenario, FieldProblems& idle) {
  if (scenario.faults.lemons) return;
  for (const FaultClassConfig& fault_class : scenario.faults.classes) {
    if (fault_class.victims != FaultVictims::kSound) continue;
    idle.add_key(fmt::format("faults.classes[{}].victims", fault_class.name),
                 "has no effect: without `faults.lemons` every machine is sound");
  }
}

void hazard_without_rate(const Scenario& scenario, FieldProblems& idle) {
  for (const FaultClassConfig& fault_class : scenario.faults.classes) {
    if (fault_class.rate || fault_class.life_from_restart) continue;
    const auto add = [&](const char* field, bool turned) {
      if (!turned) return;
      idle.add_key(fmt::format("faults.classes[{}].{}", fault_class.name, field),
                   "has no effect: without a `rate` the class strikes at its `strikes` only");
    };
    add("clock", fault_class.clock != FaultClock::kAlways);
    add("victims", fault_class.victims != FaultVictims::kAll);
    add("weibull_shape", fault_class.weibull_shape.has_value());
  }
}

void returns_to_an_unlimited_stock(const Scenario& scenario, FieldProblems& idle) {
  const CapacityConfig& capacity = scenario.capacity;
  if (!capacity.spares.unlimited() || capacity.returns_after == Distribution()) return;
  idle.add_key("capacity.returns_after",
               "has no effect: `capacity.spares` is unlimited, so no launch waits for a machine");
}

void retry_of_what_is_never_refused(const Scenario& scenario, FieldProblems& idle) {
  const InsufficientCapacityConfig& insufficient = scenario.capacity.insufficient;
  if (insufficient.probability > 0 || insufficient.retry == InsufficientCapacityConfig{}.retry) {
    return;
  }
  idle.add_key("capacity.insufficient.retry",
               "has no effect: `capacity.insufficient.probability` is 0%, so no launch is refused");
}

void manual_stage_without_escalation(const Scenario& scenario, FieldProblems& idle) {
  if (!scenario.capacity.shop || scenario.capacity.shop->escalates > 0) return;
  const RepairStageConfig& manual = scenario.capacity.shop->manual;
  const RepairStageConfig standard;
  const bool turned = !(manual.takes == standard.takes) || manual.success != standard.success ||
                      !(manual.crews == standard.crews);
  if (!turned) return;
  idle.add_key("capacity.shop.manual",
               "has no effect: `capacity.shop.escalates` is 0%, so no machine gets there");
}

void score_that_never_falls(const Scenario& scenario, FieldProblems& idle) {
  if (!scenario.capacity.shop || !scenario.capacity.shop->retire.score) return;
  if (scenario.capacity.shop->retire.score->penalty > 0) return;
  idle.add_key("capacity.shop.retire.score",
               "has no effect: its `penalty` is 0, so no machine is given up");
}

void shop_without_machines(const Scenario& scenario, FieldProblems& idle) {
  if (!mends_in_place(scenario)) return;
  const char* const why =
      "has no effect: `!restart-in-place` mends nodes where they stand, and takes no machine out "
      "of service";
  if (scenario.capacity.shop) idle.add_key("capacity.shop", why);
  if (scenario.capacity.spares.unlimited()) return;  // said already
  if (!(scenario.capacity.returns_after == Distribution())) {
    idle.add_key("capacity.returns_after", why);
  }
}

}  // namespace faultline::idle
