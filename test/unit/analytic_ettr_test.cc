#include "models/analytic/ettr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/base/check.h"

namespace faultline::analytic {
namespace {

constexpr double kPerHour = 1.0 / 3600;

// The worked example of the header: M = 10 h, tau = 1 h, delta = 6 min, R = 12 min.
constexpr CheckpointedJob kExample{
    .failures_per_second = 0.1 / 3600, .every = 1_h, .blocks = 6_min, .restart = 12_min};

TEST(AnalyticEttr, TheWorkedExample) {
  EXPECT_NEAR(expected_segment_seconds(kExample) * kPerHour, 1.186270, 1e-6);
  EXPECT_NEAR(ettr(kExample), 0.842978, 1e-6);
  EXPECT_NEAR(expected_segment_seconds_if_restart_is_safe(kExample) * kPerHour, 1.186036, 1e-6);
  EXPECT_NEAR(ettr_if_restart_is_safe(kExample), 0.843145, 1e-6);
  EXPECT_NEAR(ettr_first_order_v1(kExample), 0.93, 1e-12);
  EXPECT_NEAR(ettr_first_order_v2(kExample), 0.845455, 1e-6);
  const double lambda = kExample.failures_per_second;
  EXPECT_NEAR(young_interval_seconds(lambda, 6_min) * kPerHour, 1.414214, 1e-6);
  EXPECT_NEAR(daly_interval_seconds(lambda, 6_min) * kPerHour, 1.348333, 1e-6);
  EXPECT_NEAR(best_interval_seconds(lambda, 6_min) * kPerHour, 1.348348, 1e-6);
}

TEST(AnalyticEttr, WithoutFailuresOnlyTheCheckpointsCost) {
  const CheckpointedJob job{.every = 1_h, .blocks = 6_min, .restart = 12_min};
  EXPECT_DOUBLE_EQ(ettr(job), 1 / 1.1);
  EXPECT_DOUBLE_EQ(ettr_if_restart_is_safe(job), 1 / 1.1);
  EXPECT_DOUBLE_EQ(ettr_first_order_v2(job), 1 / 1.1);
  EXPECT_EQ(ettr_first_order_v1(job), 1);
}

TEST(AnalyticEttr, AJobThatNeverWorksIsOurMistake) {
  EXPECT_THROW(ettr({.every = Duration::zero()}), InternalError);
}

// The RSC table: Kokolis et al., HPCA 2025, as computed from the published rates r_f = 6.50 and
// 2.34 per 1000 node-days, with 8 GPUs to a node. The last two rows are version 2, at Young's
// interval.
struct Row {
  const char* name;
  double nodes, per_1000_node_days;
  Duration every, blocks, restart;
  double first_order, exact;  // as printed in the table, to that many digits
  double exact_precision = 0.0006;
};

const std::vector<Row> kTable{
    {"RSC-1 16k GPUs, 60 min", 2000, 6.5, 60_min, {}, 5_min, 0.684, 0.720},
    {"RSC-1 16k GPUs, 5 min", 2000, 6.5, 5_min, {}, 5_min, 0.932, 0.9345, 0.00006},
    {"RSC-1 8k GPUs, 30 min, queue 1 min", 1000, 6.5, 30_min, {}, 6_min, 0.905, 0.909},
    {"RSC-1 2,048 GPUs, 60 min", 256, 6.5, 60_min, {}, 5_min, 0.960, 0.960},
    {"RSC-1 4,096 GPUs, 60 min", 512, 6.5, 60_min, {}, 5_min, 0.919, 0.922},
    {"100k GPUs at RSC-1's rate, 7 min", 12'500, 6.5, 7_min, {}, 5_min, 0.520, 0.615},
    {"100k GPUs at RSC-2's rate, 21 min", 12'500, 2.34, 21_min, {}, 5_min, 0.685, 0.724},
    {"100k GPUs at RSC-2's rate, 2 min", 12'500, 2.34, 2_min, {}, 2_min, 0.939, 0.941},
    {"12k GPUs, 1 per 1000, blocks 5 min", 1500, 1.0, {}, 5_min, 5_min, 0.898, 0.897},
    {"12k GPUs, 6.5 per 1000, blocks 10 s", 1500, 6.5, {}, 10_s, 5_min, 0.9205, 0.9215, 0.00006},
};

TEST(AnalyticEttr, ReproducesThePublishedTable) {
  for (const Row& row : kTable) {
    SCOPED_TRACE(row.name);
    CheckpointedJob job{.failures_per_second = row.nodes * row.per_1000_node_days / 1000 / 86'400,
                        .every = row.every,
                        .blocks = row.blocks,
                        .restart = row.restart};
    if (row.every == Duration::zero()) {
      job.every =
          Duration::from_seconds(young_interval_seconds(job.failures_per_second, row.blocks));
    }
    EXPECT_NEAR(ettr_first_order_v2(job), row.first_order, 0.0006);
    EXPECT_NEAR(ettr(job), row.exact, row.exact_precision);
    EXPECT_LT(ettr(job), ettr_if_restart_is_safe(job));
  }
}

// Failures that are 5% more frequent are outside of what the table rounds away.
TEST(AnalyticEttr, TheTableTellsARateThatIsFivePercentOff) {
  for (const Row& row : kTable) {
    if (row.every == Duration::zero()) continue;
    const CheckpointedJob job{
        .failures_per_second = 1.05 * row.nodes * row.per_1000_node_days / 1000 / 86'400,
        .every = row.every,
        .blocks = row.blocks,
        .restart = row.restart};
    EXPECT_GT(std::abs(ettr(job) - row.exact), row.exact_precision) << row.name;
  }
}

TEST(AnalyticEttr, YoungsIntervalsOfTheTable) {
  const double per_day = 1500.0 / 1000 / 86'400;
  EXPECT_NEAR(young_interval_seconds(per_day * 1.0, 5_min) / 60, 98, 0.1);
  EXPECT_NEAR(young_interval_seconds(per_day * 6.5, 10_s) / 60, 7.0, 0.05);
}

TEST(AnalyticEttr, NoIntervalBeatsTheBestOne) {
  for (const double lambda : {1e-6, 1e-4, 1e-3, 1e-2}) {
    for (const Duration blocks : {1_s, 30_s, 5_min}) {
      const auto ettr_at = [&](double every) {
        return ettr({.failures_per_second = lambda,
                     .every = Duration::from_seconds(every),
                     .blocks = blocks,
                     .restart = 5_min});
      };
      const double best = best_interval_seconds(lambda, blocks);
      for (const double factor : {0.5, 0.98, 1.02, 2.0}) {
        EXPECT_GT(ettr_at(best), ettr_at(best * factor)) << lambda << ' ' << to_string(blocks);
      }
      EXPECT_GE(ettr_at(best) * (1 + 1e-12), ettr_at(daly_interval_seconds(lambda, blocks)));
      EXPECT_GE(ettr_at(best) * (1 + 1e-12), ettr_at(young_interval_seconds(lambda, blocks)));
    }
  }
}

TEST(AnalyticEttr, DalyGivesUpWhereACheckpointTakesTwiceTheTimeBetweenFailures) {
  EXPECT_EQ(daly_interval_seconds(1.0 / 60, 2_min), 60);
}

}  // namespace
}  // namespace faultline::analytic
