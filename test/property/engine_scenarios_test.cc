// Random small worlds: whatever happens in them, the accounts sum to the horizon, the journal
// contradicts itself nowhere (test/support/micro_world.h lists the rules), and a policy changes no
// fault.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "test/support/micro_world.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

Duration minutes(int lo, int hi) {
  return Duration::nanoseconds(*rc::gen::inRange(lo * 60, hi * 60 + 1) * 1'000'000'000LL);
}
// Round numbers, so that things fall together; or times that never do.
Distribution any_delay(int most_minutes) {
  switch (*rc::gen::inRange(0, 3)) {
    case 0: return fixed(0_s);
    case 1: return fixed(minutes(0, most_minutes));
    default: return *Distribution::make_exponential(minutes(1, most_minutes));
  }
}
bool coin() { return *rc::gen::arbitrary<bool>(); }

void add_faults(MicroWorld& world, int nodes) {
  const int classes = *rc::gen::inRange(1, 6);
  for (int c = 0; c < classes; ++c) {
    FaultClassConfig& fault = world.fault(
        "class-" + std::to_string(c),
        *rc::gen::element(FaultEffect::kNone, FaultEffect::kCrash, FaultEffect::kCrash,
                          FaultEffect::kHang, FaultEffect::kHang, FaultEffect::kFlap,
                          FaultEffect::kSlow, FaultEffect::kSilent, FaultEffect::kPlanned));
    Rate rate{.count = *rc::gen::inRange(0, 12) * 0.5};
    rate.unit = *rc::gen::element(ExposureUnit::kGpu, ExposureUnit::kNode, ExposureUnit::kRack,
                                  ExposureUnit::kBlock, ExposureUnit::kZone, ExposureUnit::kJob);
    if (fault.effect == FaultEffect::kPlanned) rate.unit = ExposureUnit::kJob;
    const bool per_job = rate.unit == ExposureUnit::kJob;
    fault.rate = rate;
    fault.clock = coin() ? FaultClock::kAlways : FaultClock::kRunning;
    fault.hang_ends_by = coin() ? HangEnd::kWatchdog : HangEnd::kHeartbeat;
    fault.speed = *rc::gen::element(0.25, 0.5, 0.9);
    if (coin() || fault.effect == FaultEffect::kPlanned) fault.clears = any_delay(40);
    if (fault.effect == FaultEffect::kSilent) fault.found_after = any_delay(90);
    fault.fails_restart = coin();
    const int strikes = *rc::gen::inRange(0, 4);
    for (int s = 0; s < strikes; ++s) {
      const Duration when = minutes(0, 600);
      if (per_job) {
        fault.strikes.push_back({.at = when, .node = {}, .job = {}});
      } else {
        fault.strikes.push_back(strike(when, *rc::gen::inRange(0, nodes)));
        if (*rc::gen::inRange(0, 4) == 0) {
          fault.strikes.back().node.clear();
          fault.strikes.back().domain =
              *rc::gen::element<std::string>("train/rack-0", "train/block-0", "zone a");
        }
      }
    }
    if (per_job) continue;
    const int signals = *rc::gen::inRange(0, 3);
    for (int s = 0; s < signals; ++s) {
      SignalConfig seen;
      switch (*rc::gen::inRange(0, 4)) {
        case 0: seen.heartbeat_lost = true; break;
        case 1: seen.xid = *rc::gen::element(79, 43); break;
        default: seen.reason = coin() ? "GpuLost" : "LinkDown";
      }
      seen.coverage = coin() ? 1.0 : 0.5;
      seen.delay = any_delay(3);
      fault.signals.push_back(seen);
    }
  }
}

void any_detectors(DetectorsConfig& detectors) {
  detectors.latching = coin();
  detectors.report = coin() ? 0_s : 15_s;
  detectors.recheck = coin() ? 0_s : 30_s;
  if (*rc::gen::inRange(0, 8) == 0) detectors.disabled_monitors = {"gpu"};
  switch (*rc::gen::inRange(0, 6)) {
    case 0: detectors.channels[0].by = PollChannel{.period = minutes(1, 6)}; break;
    case 2:
      detectors.channels[0].by = ProgressChannel{.window = minutes(1, 6), .names_machine = true};
      break;
    case 3: detectors.channels[0].by = PeersChannel{.factor = 1.5}; break;
    case 4: detectors.channels[0].by = ProbeChannel{.period = minutes(2, 60)}; break;
    case 1: detectors.channels[0].by = LogChannel{.flush = coin() ? 0_s : 5_s}; break;
    default: detectors.channels[0].by = PushChannel{.delay = any_delay(1)};
  }
  if (coin()) {
    detectors.channels.push_back(
        {.name = "ec2",
         .monitor = "ec2",
         .by = StatusCheckChannel{.period = *rc::gen::element(0_s, 60_s)}});
    detectors.reasons.push_back({.name = "Impaired",
                                 .condition = "InstanceStatus",
                                 .severity = Severity::kFatal,
                                 .channel = "ec2"});
  }
  detectors.reasons[0].occurrences = *rc::gen::inRange(1, 4);
  if (coin()) detectors.reasons[1].severity = Severity::kWarning;
}

PolicyConfig any_policy() {
  const OnCallConfig on_call{.answers = any_delay(40)};
  if (*rc::gen::inRange(0, 4) == 0) return RestartInPlaceConfig{on_call, any_delay(60)};
  KarpenterConfig karpenter;
  karpenter.tolerations = {{"AcceleratedHardwareReady", minutes(0, 20)},
                           {"NetworkingReady", minutes(0, 30)},
                           {"Ready", minutes(0, 30)}};
  karpenter.gate =
      *rc::gen::element(Gate{}, Gate{Gate::Kind::kShare, 200'000}, Gate{Gate::Kind::kCount, 2});
  karpenter.drain = coin() ? 5_s : 200_s;
  if (coin()) karpenter.on_call = on_call;
  if (coin()) karpenter.status_checks = StatusChecksConfig{};
  return karpenter;
}

void any_capacity(CapacityConfig& capacity) {
  capacity.launch = any_delay(5);
  capacity.registration = any_delay(2);
  capacity.terminate = any_delay(20);
  capacity.warm_spares = *rc::gen::inRange(0, 3);
  if (coin()) capacity.spares = Limit{*rc::gen::inRange(0, 3)};
  capacity.returns_after = any_delay(120);
  if (coin()) capacity.insufficient.probability = 0.4;
}

void any_job(TrainingConfig& job) {
  job.checkpoint.every = minutes(1, 15);
  job.checkpoint.blocks = coin() ? 0_s : 5_s;
  job.checkpoint.write = coin() ? 0_s : 1_min;
  job.checkpoint.verified_every = *rc::gen::inRange(1, 4);
  job.crash_surfaces = any_delay(1);
  job.nccl_dump = coin() ? 0_s : 15_s;
  if (coin()) job.progress_timeout = minutes(1, 15);
  job.transport.ib_timeout = *rc::gen::element(14, 20, 24);
  job.restart.on_sick_node = coin();
  job.may_move = coin();
}

// A small fabric, jobs whose steps of a second or two follow from it, and a part or two that degrade: by
// place they cut jobs, slow them, or cost nothing.
void any_fabric(MicroWorld& world, int nodes) {
  FabricConfig& fabric = world.scenario.fleet.fabric.emplace();
  fabric.topology = *rc::gen::element(FabricTopology::kRail, FabricTopology::kFatTree,
                                      FabricTopology::kThreeLayer);
  fabric.nodes_per_leaf = *rc::gen::inRange(1, 4);
  fabric.spines = *rc::gen::inRange(1, 3);
  fabric.leaves_per_pod = *rc::gen::inRange(1, 3);
  fabric.cores = *rc::gen::inRange(1, 3);
  fabric.nic.bandwidth.bytes_per_second = 1e7;
  world.scenario.fleet.pools[0].nics_per_node = 1;
  for (WorkloadConfig& workload : world.scenario.workloads) {
    auto& job = std::get<TrainingConfig>(workload);
    job.step = std::nullopt;
    job.parallelism =
        coin() ? ParallelismConfig{.pp = job.nodes} : ParallelismConfig{.dp = job.nodes};
    job.model = ModelConfig{.parameters = 1e6,
                            .layers = job.nodes,
                            .hidden = 8,
                            .kv_width = 8,
                            .sequence = 1000,
                            .sequences_per_step = job.nodes,
                            .peak_flops = 6e9,
                            .kernel_efficiency = 1};
  }
  const int classes = *rc::gen::inRange(1, 3);
  for (int c = 0; c < classes; ++c) {
    FaultClassConfig& fault = world.fault("part-" + std::to_string(c), FaultEffect::kSlow);
    DegradesConfig& degrades = fault.degrades.emplace();
    degrades.part = *rc::gen::element(DegradedPart::kGpu, DegradedPart::kNvlink, DegradedPart::kNic,
                                      DegradedPart::kUplink, DegradedPart::kLeaf,
                                      DegradedPart::kSpine, DegradedPart::kCore);
    if (degrades.part == DegradedPart::kCore && fabric.topology != FabricTopology::kThreeLayer) {
      degrades.part = DegradedPart::kSpine;
    }
    degrades.to = *rc::gen::element(0.0, 0.0, 0.1, 0.5, 0.9);
    if (degrades.part != DegradedPart::kGpu && coin()) degrades.extra_latency = 50_ms;
    fault.rate = Rate{
        .count = *rc::gen::inRange(0, 12) * 0.5,
        .unit = *rc::gen::element(ExposureUnit::kGpu, ExposureUnit::kNode, ExposureUnit::kRack)};
    fault.clock = coin() ? FaultClock::kAlways : FaultClock::kRunning;
    fault.fails_restart = coin();
    if (coin()) fault.clears = any_delay(40);
    fault.strikes = {strike(minutes(0, 600), *rc::gen::inRange(0, nodes))};
    if (coin()) fault.signals = {signal("GpuLost")};
  }
}

MicroWorld any_world() {
  const int nodes = *rc::gen::inRange(2, 7);
  MicroWorld world(nodes, *rc::gen::inRange(1, nodes + 1), 12_h);
  world.scenario.fleet.pools[0].nodes_per_rack = *rc::gen::inRange(1, 4);
  world.scenario.fleet.pools[0].racks_per_block = *rc::gen::inRange(1, 3);
  any_capacity(world.scenario.capacity);
  add_faults(world, nodes + static_cast<int>(world.scenario.capacity.warm_spares));
  any_detectors(world.scenario.detectors);
  world.scenario.policy = any_policy();
  any_job(world.job());
  if (coin() && world.job().nodes < nodes) {
    TrainingConfig second = world.job();
    second.name = "second";
    second.nodes = *rc::gen::inRange<std::int64_t>(1, nodes - world.job().nodes + 1);
    world.scenario.workloads.emplace_back(second);
  }
  if (coin()) any_fabric(world, nodes);
  return world;
}

void any_shop(CapacityConfig& capacity) {
  capacity.spares = Limit{*rc::gen::inRange(0, 3)};
  capacity.returns_after = fixed(0_s);
  RepairShopConfig& shop = capacity.shop.emplace();
  shop.automatic.takes = any_delay(60);
  shop.automatic.success = *rc::gen::element(0.0, 0.5, 1.0);
  shop.escalates = *rc::gen::element(0.0, 0.5, 1.0);
  shop.manual.takes = any_delay(120);
  shop.manual.success = *rc::gen::element(0.0, 0.5, 1.0);
  if (coin()) shop.automatic.crews = Limit{1};
  if (coin()) shop.manual.crews = Limit{*rc::gen::inRange(1, 3)};
  if (coin()) shop.retire.threshold = RetireThresholdConfig{.faults = 3, .within = 5_h};
  if (coin()) shop.retire.score = RetireScoreConfig{.every = 1_h};
}

void any_gang(MicroWorld& world) {
  TrainingConfig& job = world.job();
  GangConfig& gang = job.gang.emplace();
  const std::int64_t idle =
      world.scenario.fleet.pools[0].nodes + world.scenario.capacity.warm_spares - job.nodes;
  gang.standbys = *rc::gen::inRange<std::int64_t>(0, idle + 1);
  gang.host_selection = coin() ? 0_s : 3_min;
  gang.refill_standbys = coin();
  gang.swap_unexplained = coin();
  if (coin()) {
    world.scenario.fleet.pools.push_back({.name = "other", .nodes = 2, .gpus_per_node = 1});
    world.scenario.fleet.pools[1].nics_per_node = world.scenario.fleet.pools[0].nics_per_node;
    gang.preempts = "other";
    gang.preemption = coin() ? 0_s : 20_min;
  }
}

// Some of: a repair shop, a gang, lemons, misdiagnosis, lives from the restart, work that ends.
MicroWorld any_world_with_a_shop() {
  MicroWorld world = any_world();
  if (coin()) any_shop(world.scenario.capacity);
  if (coin()) {
    if (auto* karpenter = std::get_if<KarpenterConfig>(&world.scenario.policy)) {
      karpenter->drain = karpenter->pod_grace = karpenter->batch_window = 0_s;
    }
  }
  if (world.scenario.workloads.size() == 1 && coin()) any_gang(world);
  for (WorkloadConfig& workload : world.scenario.workloads) {
    if (coin()) std::get<TrainingConfig>(workload).work = minutes(60, 600);
  }
  const bool lemons = coin();
  if (lemons) world.scenario.faults.lemons = LemonConfig{.share = 0.4};
  for (FaultClassConfig& fault : world.scenario.faults.classes) {
    for (SignalConfig& seen : fault.signals) {
      if (coin()) seen.blames_another = 0.5;
    }
    if (fault.unit() != ExposureUnit::kNode) continue;
    if (lemons) {
      fault.victims =
          *rc::gen::element(FaultVictims::kAll, FaultVictims::kLemons, FaultVictims::kSound);
    }
    if (fault.clock == FaultClock::kRunning && coin()) {
      fault.rate.reset();
      fault.life_from_restart = *Distribution::make_weibull_with_mean(1.5, 5_h);
    }
  }
  return world;
}

Duration end_of(const MicroRun& run, std::size_t job, Duration horizon) {
  for (const auto& completed : run.journal.all<JobCompleted>()) {
    if (completed.what.job == JobId(job)) return completed.time.since_start();
  }
  return horizon;
}

// `run` checks the sums and the journal.
RC_GTEST_PROP(EngineScenarios, ShopsAndGangsContradictNothing, ()) {
  const MicroWorld world = any_world_with_a_shop();
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const MicroRun run = world.run(seed);
  for (std::size_t job = 0; job < run.accounts.size(); ++job) {
    RC_ASSERT(run.total(job) == end_of(run, job, world.scenario.horizon));
    for (const Duration account : run.accounts[job]) RC_ASSERT(account >= Duration::zero());
  }
  RC_ASSERT(journal_faults(run.journal, world.scenario) == std::vector<std::string>{});
}

RC_GTEST_PROP(EngineScenarios, ShopsAndGangsRememberNothing, ()) {
  const MicroWorld world = any_world_with_a_shop();
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  RC_ASSERT(world.run_after_another(seed) == world.run(seed).accounts);
}

// `run` checks the sums and the journal.
RC_GTEST_PROP(EngineScenarios, NothingContradictsItself, ()) {
  const MicroWorld world = any_world();
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const MicroRun run = world.run(seed);
  for (std::size_t job = 0; job < run.accounts.size(); ++job) {
    RC_ASSERT(run.total(job) == world.scenario.horizon);
    for (const Duration account : run.accounts[job]) RC_ASSERT(account >= Duration::zero());
  }
  RC_ASSERT(journal_faults(run.journal, world.scenario) == std::vector<std::string>{});
}

// The same address, the same journal: a `Simulation` that has run before remembers nothing.
RC_GTEST_PROP(EngineScenarios, ReplicationsDoNotKnowEachOther, ()) {
  const MicroWorld world = any_world();
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  RC_ASSERT(world.run_after_another(seed) == world.run(seed).accounts);
}

// What is recorded of the stalls is what the ledger charges.
RC_GTEST_PROP(EngineScenarios, StallsAddUpToTheirAccounts, ()) {
  const MicroWorld world = any_world_with_a_shop();
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const ReplicationTable table =
      run_scenario(world.scenario, {.seed = seed, .replications = 1, .threads = 1});
  double hang = 0;
  double slow = 0;
  for (std::size_t c = 0; c < world.scenario.faults.classes.size(); ++c) {
    const double seconds = table.pooled.stalls.by_class[c].lost.seconds();
    switch (world.scenario.faults.classes[c].effect) {
      case FaultEffect::kHang:
      case FaultEffect::kFlap: hang += seconds; break;
      case FaultEffect::kSlow: slow += seconds; break;
      default: break;
    }
  }
  constexpr double kRounding = 1e-3;
  RC_ASSERT(std::abs(hang - column(table, "stall_seconds{kind=\"hang\"}")[0]) < kRounding);
  RC_ASSERT(std::abs(slow - column(table, "stall_seconds{kind=\"straggler\"}")[0]) < kRounding);
}

using Strike = std::tuple<SimTime, std::uint32_t, std::uint32_t>;
std::set<Strike> strikes_on_machines(const MicroRun& run) {
  std::set<Strike> strikes;
  for (const auto& struck : run.journal.all<FaultStruck>()) {
    strikes.emplace(struck.time, struck.what.fault_class.value(),
                    struck.what.node.slot.valid() ? struck.what.node.slot.value() : ~0U);
  }
  return strikes;
}

// Common random numbers. With `clock: always`, the faults under a policy that replaces nodes are
// those under one that never does (where every machine always stands), but for those that hit a
// place without a machine.
RC_GTEST_PROP(EngineScenarios, PolicyChangesNoFault, ()) {
  MicroWorld world = any_world();
  for (FaultClassConfig& fault : world.scenario.faults.classes) fault.clock = FaultClock::kAlways;
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const std::set<Strike> replaced = strikes_on_machines(world.run(seed));
  world.scenario.policy = RestartInPlaceConfig{{.answers = fixed(1_h)}, fixed(1_h)};
  const MicroRun stays = world.run(seed);
  RC_ASSERT(stays.journal.all<NodeRemoved>().empty());
  const std::set<Strike> all = strikes_on_machines(stays);
  RC_ASSERT(std::includes(all.begin(), all.end(), replaced.begin(), replaced.end()));
}

}  // namespace
}  // namespace faultline
