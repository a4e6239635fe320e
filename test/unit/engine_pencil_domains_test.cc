// A fault strikes a whole failure domain: by its name, by a node in it, by chance; and while a job runs, the
// nodes of the job in it.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "sim/engine/plan.h"
#include "test/support/micro_world.h"

namespace faultline {
namespace {

std::vector<std::uint32_t> struck_slots(const MicroRun& run) {
  std::vector<std::uint32_t> slots;
  for (const auto& struck : run.journal.all<FaultStruck>()) {
    slots.push_back(struck.what.node.slot.value());
  }
  return slots;
}

ScriptedStrikeConfig strike_on(Duration at, const std::string& domain) {
  return {.at = at, .node = {}, .domain = domain, .job = {}};
}

// The zone of a job of four nodes loses power at 25:00: all are struck at once, it counts as one
// interruption, all are replaced, and it costs what the loss of one node costs.
TEST(PencilDomains, AZoneIsOneInterruption) {
  MicroWorld one(4, 4);
  one.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  MicroWorld world(4, 4);
  FaultClassConfig& outage = world.fault("outage", FaultEffect::kCrash);
  outage.strikes = {strike_on(25_min, "zone a")};
  outage.signals = {signal("GpuLost")};
  const MicroRun run = world.run();
  EXPECT_EQ(run.charged(), one.run().charged());
  EXPECT_EQ(struck_slots(run), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(run.journal.all<JobInterrupted>().size(), 1U);
  EXPECT_EQ(run.journal.all<RepairDecided>().size(), 4U);
  for (const auto& struck : run.journal.all<FaultStruck>()) {
    EXPECT_EQ(struck.what.primary, struck.what.node.slot == NodeSlot(0));
  }
}

// Six nodes in racks of two, two racks a block, and a pool of two in zone b.
MicroWorld two_zones() {
  MicroWorld world(6, 1);
  PoolConfig& pool = world.scenario.fleet.pools[0];
  pool.nodes_per_rack = 2;
  pool.racks_per_block = 2;
  world.scenario.fleet.pools.push_back(
      {.name = "other", .nodes = 2, .gpus_per_node = 1, .region = "r", .zone = "b"});
  return world;
}

TEST(PencilDomains, DomainsByName) {
  const std::map<std::string, std::vector<std::uint32_t>> nodes{
      {"train/rack-1", {2, 3}},  {"train/block-0", {0, 1, 2, 3}},
      {"train/block-1", {4, 5}}, {"zone a", {0, 1, 2, 3, 4, 5}},
      {"zone r/b", {6, 7}},      {"region r", {6, 7}},
      {"other/rack-0", {6, 7}},  {"train-5", {5}}};
  for (const auto& [name, slots] : nodes) {
    MicroWorld world = two_zones();
    world.fault("outage", FaultEffect::kNone).strikes = {strike_on(1_min, name)};
    EXPECT_EQ(struck_slots(world.run()), slots) << name;
  }
}

// Where the rate counts domains, a node stands for the one that it is in.
TEST(PencilDomains, DomainsByANodeInThem) {
  const std::map<ExposureUnit, std::vector<std::uint32_t>> nodes{
      {ExposureUnit::kNode, {4}},
      {ExposureUnit::kRack, {4, 5}},
      {ExposureUnit::kBlock, {4, 5}},
      {ExposureUnit::kZone, {0, 1, 2, 3, 4, 5}}};
  for (const auto& [unit, slots] : nodes) {
    MicroWorld world = two_zones();
    FaultClassConfig& outage = world.fault("outage", FaultEffect::kNone, 1_min, 4);
    outage.rate = Rate{.count = 0, .unit = unit};
    EXPECT_EQ(struck_slots(world.run()), slots) << to_string(unit);
  }
}

// A machine that does not stand is not struck, and the next one is the first.
TEST(PencilDomains, TheFirstThatStandsIsThePrimaryOne) {
  MicroWorld world = two_zones();
  world.job().nodes = 2;
  world.fault("lost", FaultEffect::kCrash, 25_min, 0).signals = {signal("GpuLost")};
  // Node 0 is drained from 35:00 to 35:05 and there again at 36:36.
  world.fault("outage", FaultEffect::kNone).strikes = {strike_on(36_min, "train/rack-0")};
  const auto struck = world.run().journal.all<FaultStruck>();
  ASSERT_EQ(struck.size(), 2U);
  EXPECT_EQ(struck[1].what.node.slot, NodeSlot(1));
  EXPECT_TRUE(struck[1].what.primary);
}

// Two jobs of three nodes in racks of two: the rack in the middle has a node of each. By the clock of a job
// only its own node there is struck. Which racks, and that all come up, is drawn: 40 a rack in 2 h.
TEST(PencilDomains, WhileAJobRunsItsOwnNodes) {
  MicroWorld world(6, 3);
  PoolConfig& pool = world.scenario.fleet.pools[0];
  pool.nodes_per_rack = 2;
  pool.racks_per_block = 2;
  TrainingConfig second = world.job();
  second.name = "second";
  world.scenario.workloads.emplace_back(second);
  FaultClassConfig& switches = world.fault("switch", FaultEffect::kNone);
  switches.rate = Rate{.count = 20, .period = 1_h, .unit = ExposureUnit::kRack};
  switches.clock = FaultClock::kRunning;

  const SimulationPlan plan(world.scenario);
  const Population of_second = plan.of_job(JobId(1));
  EXPECT_EQ(of_second.racks, 2U);
  EXPECT_EQ(of_second.blocks, 2U);
  EXPECT_EQ(of_second.zones, 1U);
  EXPECT_EQ(of_second.regions, 0U);
  EXPECT_EQ(plan.first_domain(JobId(1), DomainLevel::kRack).n, 1U);
  EXPECT_EQ(plan.first_domain(JobId(1), DomainLevel::kBlock).n, 0U);
  EXPECT_DOUBLE_EQ(plan.nodes_per_fault(FaultClassId(0)), 1.5);

  std::map<std::vector<std::uint32_t>, int> groups;
  std::vector<std::uint32_t> group;
  const MicroRun run = world.run();
  for (const auto& struck : run.journal.all<FaultStruck>()) {
    if (struck.what.primary && !group.empty()) ++groups[std::exchange(group, {})];
    group.push_back(struck.what.node.slot.value());
  }
  ++groups[group];
  std::set<std::vector<std::uint32_t>> which;
  for (const auto& [slots, times] : groups) which.insert(slots);
  EXPECT_EQ(which, (std::set<std::vector<std::uint32_t>>{{0, 1}, {2}, {3}, {4, 5}}));
}

// Spares in racks and blocks of their own have arrivals of their own (common random numbers).
TEST(PencilDomains, DomainsOfSparesStandApart) {
  MicroWorld world(4, 4);
  PoolConfig& pool = world.scenario.fleet.pools[0];
  pool.nodes_per_rack = 2;
  pool.racks_per_block = 2;
  world.scenario.capacity.warm_spares = 3;
  const SimulationPlan plan(world.scenario);
  EXPECT_EQ(plan.everything().racks, 4U);
  EXPECT_EQ(plan.everything().blocks, 2U);
  EXPECT_EQ(plan.everything().zones, 1U);
  EXPECT_EQ(plan.warm_spares().racks, 2U);
  EXPECT_EQ(plan.warm_spares().blocks, 1U);
  EXPECT_EQ(plan.warm_spares().zones, 0U);
  EXPECT_EQ(plan.warm_spares().nodes, 3U);
}

}  // namespace
}  // namespace faultline
