// What only a simulator knows is told apart from what can be seen: a journal without it, as a recorded
// cluster has one, comes to the same numbers, except those that are about the truth.
#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>
#include <type_traits>
#include <variant>

#include "sim/engine/metrics.h"
#include "sim/engine/simulation.h"
#include "test/support/eventful_world.h"

namespace faultline {
namespace {

template <class What>
constexpr bool kIsTruth = std::is_same_v<What, FaultStruck> || std::is_same_v<What, FaultCleared> ||
                          std::is_same_v<What, SignalRaised> || std::is_same_v<What, FaultBehind> ||
                          std::is_same_v<What, RepairWasNeedless>;

bool is_truth(const Happening& happening) {
  return std::visit([]<class What>(const What&) { return kIsTruth<What>; }, happening.what);
}

// Replication 0, told with the truth and without.
struct ToldTwice {
  explicit ToldTwice(const Scenario& scenario)
      : plan(scenario),
        pooled(plan),
        pooled_blind(plan),
        knowing(plan, pooled),
        blind(plan, pooled_blind) {
    Journal journal;
    Simulation(plan).run(RandomSource(7, 0), journal);
    knowing.begin();
    blind.begin();
    for (const Happening& happening : journal.happenings) {
      knowing.on(happening);
      if (!is_truth(happening)) blind.on(happening);
    }
  }

  SimulationPlan plan;
  PooledDurations pooled;
  PooledDurations pooled_blind;
  RunMetrics knowing;
  RunMetrics blind;
};

class Truth : public testing::TestWithParam<int> {
 protected:
  static EventfulWorld world() {
    switch (GetParam()) {
      case 0: return EventfulWorld();
      case 1: return EventfulWorld::mended();
      default: return EventfulWorld::gang();
    }
  }
};
INSTANTIATE_TEST_SUITE_P(OfEventfulWorlds, Truth, testing::Range(0, 3));

TEST_P(Truth, ARecordedClusterTellsTheSameStory) {
  const EventfulWorld eventful = world();
  const ToldTwice told(eventful.scenario);
  const std::set<std::string> about_the_truth{"needless_replacements_total",
                                              "faulty_nodes_replaced_total", "faults_total"};
  const std::vector<MetricName> names = metric_names(told.plan);
  std::size_t same = 0;
  for (std::size_t m = 0; m < names.size(); ++m) {
    const bool of_a_repair = names[m].name == "mttr_seconds" && m < MetricIndex::kMttr + 5;
    if (of_a_repair || about_the_truth.contains(names[m].name)) continue;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(told.blind.values()[m]),
              std::bit_cast<std::uint64_t>(told.knowing.values()[m]))
        << names[m].text() << ": " << told.blind.values()[m] << " and " << told.knowing.values()[m];
    ++same;
  }
  EXPECT_GT(same, 40U);
  for (std::size_t job = 0; job < told.plan.jobs().size(); ++job) {
    EXPECT_EQ(charged(told.blind.ledger().accounts(JobId(job))),
              charged(told.knowing.ledger().accounts(JobId(job))));
  }
}

// It does not make up what it cannot know: no repair is for a fault, and none is needless.
TEST_P(Truth, WhatARecordedClusterCannotKnowIsNotMadeUp) {
  const EventfulWorld eventful = world();
  const ToldTwice told(eventful.scenario);
  EXPECT_EQ(told.blind.values()[MetricIndex::kNodesReplaced], 0);
  EXPECT_EQ(told.blind.values()[MetricIndex::kNeedless], 0);
  for (const auto& detection : told.pooled_blind.detections) {
    EXPECT_EQ(detection.since_fault.count(), 0U);
  }
  if (GetParam() == 0) {
    EXPECT_GT(told.knowing.values()[MetricIndex::kNodesReplaced], 0);
    EXPECT_GT(told.knowing.values()[MetricIndex::kNeedless], 0);
  }
}

}  // namespace
}  // namespace faultline
