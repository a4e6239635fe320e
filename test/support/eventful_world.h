// A small world in which, within two weeks, every kind of happening occurs: for tests of what reads
// them.
//
// Twelve nodes and two warm spares, two jobs of five and six nodes; crashes, hangs that end by
// themselves and that do not, slow and silent faults, a rack, alarms with nothing behind them of which
// some outlast the window, warnings, maintenance; a gate that closes, a provider that runs out, and a person who replaces
// what no condition shows. Nodes are repaired in place in `mended()` only; a repair shop, a gang, nodes
// taken from other work and the end of the work are in `gang()` only.
#pragma once

#include <string>

#include "test/support/micro_world.h"

namespace faultline {

struct EventfulWorld : MicroWorld {
  explicit EventfulWorld(Duration horizon = 14_d) : MicroWorld(12, 5, horizon) {
    scenario.name = "eventful";
    scenario.fleet.pools[0].gpus_per_node = 8;
    scenario.fleet.pools[0].nodes_per_rack = 2;
    scenario.detectors.reasons.push_back(
        {.name = "Grumble", .condition = "AcceleratedHardwareReady", .channel = "push"});
    push().delay = fixed(3_s);
    job().name = "left";
    TrainingConfig right = job();
    right.name = "right";
    right.nodes = 6;
    right.may_move = false;
    scenario.workloads.push_back(right);
    karpenter().gate = Gate{Gate::Kind::kCount, 2};
    karpenter().on_call = OnCallConfig{.answers = fixed(1_h)};
    scenario.capacity.warm_spares = 2;
    scenario.capacity.terminate = fixed(20_s);
    scenario.capacity.launch = Distribution::make_uniform(1_min, 18_min).value();
    scenario.capacity.insufficient = {.probability = 0.3, .retry = 3_min};

    often("lost", FaultEffect::kCrash, 20, ExposureUnit::kGpu).signals = {signal("GpuLost")};
    often("stuck", FaultEffect::kHang, 4, ExposureUnit::kNode).signals = {signal("LinkDown")};
    often("flap", FaultEffect::kHang, 12, ExposureUnit::kNode).clears = fixed(30_s);
    often("hot", FaultEffect::kSlow, 10, ExposureUnit::kNode).clears = fixed(40_min);
    // (a few outlast the window of 10 min)
    often("alarm", FaultEffect::kNone, 150, ExposureUnit::kNode).clears =
        Distribution::make_uniform(1_min, 11_min).value();
    scenario.faults.classes.back().signals = {signal("GpuLost"), signal("Grumble")};
    often("unseen", FaultEffect::kCrash, 3, ExposureUnit::kNode);
    often("rack", FaultEffect::kCrash, 2, ExposureUnit::kRack).signals = {signal("LinkDown")};
    often("corrupt", FaultEffect::kSilent, 3, ExposureUnit::kNode).found_after = fixed(3_h);
    often("bug", FaultEffect::kCrash, 8, ExposureUnit::kJob).clears = fixed(0_s);
    often("maintenance", FaultEffect::kPlanned, 3, ExposureUnit::kJob).clears = fixed(30_min);
  }

  // The same, where nodes are mended and never replaced.
  static EventfulWorld mended() {
    EventfulWorld world;
    world.scenario.policy =
        RestartInPlaceConfig{.on_call = {.answers = fixed(1_h)}, .repair = fixed(40_min)};
    return world;
  }

  // The same for one job that has standbys, takes nodes from another pool and comes to an end;
  // machines are repaired in a shop.
  static EventfulWorld gang() {
    EventfulWorld world;
    world.scenario.workloads.pop_back();
    world.scenario.fleet.pools.push_back({.name = "other", .nodes = 2});
    world.scenario.capacity.warm_spares = 0;
    world.scenario.capacity.spares = Limit{0};
    world.job().nodes = 10;
    world.job().gang = GangConfig{
        .standbys = 1, .host_selection = 3_min, .preempts = "other", .preemption = 20_min};
    world.job().work = 5_d;
    RepairShopConfig& shop = world.scenario.capacity.shop.emplace();
    shop.automatic.takes = fixed(2_h);
    shop.automatic.success = 0.6;
    shop.escalates = 0.8;
    shop.manual.takes = fixed(1_d);
    return world;
  }

 private:
  // So many in two weeks, over all parts.
  FaultClassConfig& often(const std::string& name, FaultEffect effect, double count,
                          ExposureUnit unit) {
    constexpr double kGpus = 14 * 8;
    FaultClassConfig& added = fault(name, effect);
    const double parts = unit == ExposureUnit::kGpu    ? kGpus
                         : unit == ExposureUnit::kNode ? kGpus / 8
                         : unit == ExposureUnit::kRack ? kGpus / 16
                                                       : 2;
    added.rate = {.count = count, .exposure = 14 * parts, .period = 1_d, .unit = unit};
    return added;
  }
};

}  // namespace faultline
