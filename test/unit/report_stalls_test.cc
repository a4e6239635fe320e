// The stall report of a run worked out by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/format.h"
#include "sim/report/stall_sections.h"
#include "test/support/micro_world.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

using Row = std::vector<std::string>;

// In 4 h: a hang of 615 s that a restart mends, a flap of 25 s, a hang of 200 s that goes over, a crash that
// surfaces in 36 s, and a node at half speed for 20 min: 597.5 s of extra time (a checkpoint of 5 s is not slowed).
MicroWorld world() {
  MicroWorld world(1, 1, 4_h);
  world.job().nccl_dump = 15_s;
  world.job().crash_surfaces = fixed(36_s);
  world.job_fault("hung", FaultEffect::kHang, 25_min);
  world.job_fault("flap", FaultEffect::kFlap, 60_min).clears = fixed(25_s);
  world.job_fault("late", FaultEffect::kHang, 90_min).clears = fixed(200_s);
  world.fault("crash", FaultEffect::kCrash, 120_min, 0).clears = fixed(0_s);
  FaultClassConfig& slow = world.fault("link", FaultEffect::kSlow, 180_min, 0);
  slow.speed = 0.5;
  slow.slows = SlowPart::kCommunication;
  slow.clears = fixed(20_min);
  return world;
}

TEST(StallReport, ByKind) {
  const MicroWorld of = world();
  const SimulationPlan plan(of.scenario);
  const ReplicationTable table = run_replications(plan, {.seed = 1, .replications = 2});
  const RunResults results(plan, table);
  const Section kinds = nccl_stalls(results);
  ASSERT_EQ(kinds.table.rows.size(), 4U) << "only what stalled";
  const auto start = [&](std::size_t row, std::size_t cells) {
    return Row(kinds.table.rows[row].begin(),
               kinds.table.rows[row].begin() + static_cast<std::ptrdiff_t>(cells));
  };
  EXPECT_EQ(start(0, 4), (Row{"crash", "0.01", "1.0", "36s"}));
  EXPECT_EQ(start(1, 3), (Row{"hang", "0.23", "2.0"}));
  EXPECT_EQ(kinds.table.rows[1][6], "10m15s");
  EXPECT_EQ(start(2, 4), (Row{"flap", "0.01", "1.0", "25s"}));
  EXPECT_EQ(start(3, 4), (Row{"slow communication", "0.17", "1.0", "20m00s"}));
}

// 615 + 25 + 200 + 36 + 597.5 = 1473.5 s; 633.5 of them by one node. Of the 840 s of hangs and flaps a watchdog
// of 5 min saves 300.
TEST(StallReport, BlameAndSavings) {
  const MicroWorld of = world();
  const SimulationPlan plan(of.scenario);
  const ReplicationTable table = run_replications(plan, {.seed = 1, .replications = 2});
  const RunResults results(plan, table);
  EXPECT_NEAR(share_of_one_node(results), 633.5 / 1473.5, 0.002);
  const Section blame = stalls_by_class(results);
  ASSERT_EQ(blame.table.rows.size(), 5U);
  EXPECT_EQ(blame.table.rows[0][0], "hung");
  EXPECT_EQ(blame.table.rows[1][0], "link");
  EXPECT_EQ(blame.notes,
            (Row{percent(share_of_one_node(results)) +
                 " of these hours are faults of one node each (not always the same one); the rest "
                 "are faults of a rack or of the job itself."}));
  const Section savings = stall_savings(results);
  ASSERT_EQ(savings.table.rows.size(), 3U);
  EXPECT_EQ(savings.table.rows[0],
            (Row{"nccl_timeout=5m", "0.08", percent(300.0 / 840), "0.08", "1.0", "0.0"}));
  EXPECT_EQ(savings.table.rows[2],
            (Row{"progress_timeout=2m", "0.16", percent(575.0 / 840), "0.14", "1.0", "1.0"}));
  const auto json = stalls_json(results);
  EXPECT_EQ(json["kinds"].size(), 6U);
  EXPECT_EQ(json["limits"][0]["saved_seconds"], 300.0);
  EXPECT_EQ(json["kinds"][5]["p50_seconds"], nullptr);
}

TEST(StallReport, ADegradedPartIsCommunicationUnlessItIsTheGpu) {
  FaultClassConfig slow;
  slow.effect = FaultEffect::kSlow;
  EXPECT_EQ(stall_kind(slow), "slow computation");
  for (const auto& [part, name] : EnumNames<DegradedPart>::kNames) {
    slow.degrades = DegradesConfig{.part = part};
    EXPECT_EQ(stall_kind(slow),
              part == DegradedPart::kGpu ? "slow computation" : "slow communication")
        << name;
  }
}

TEST(StallReport, NothingWhereNothingStalls) {
  const MicroWorld of;
  const SimulationPlan plan(of.scenario);
  const ReplicationTable table = run_replications(plan, {.seed = 1, .replications = 2});
  const RunResults results(plan, table);
  EXPECT_TRUE(nccl_stalls(results).table.rows.empty());
  EXPECT_EQ(nccl_stalls(results).lines, (Row{"None."}));
  EXPECT_TRUE(stalls_by_class(results).table.rows.empty());
  EXPECT_TRUE(stall_savings(results).table.rows.empty());
}

}  // namespace
}  // namespace faultline
