// The optimum of `tune` against the closed form (models/analytic/tolerance_window.h), in the scenario
// that meets its assumptions (test/support/alarm_scenario.h): C(T) seconds are lost per alarm, so ETTR is
// 1 - C(T) / (time between alarms), and the best window is T* = 745.47 s.
//
// Statistics. 21 windows from 0 to 30 min by 90 s, seed 1, no retries. The true best of the grid is 720 s (C is 0.3
// s above C(T*) there and 3.4 s above it at 810 s, 5.0 s at 630 s, by its second derivative m pi_h = 1/1200 per s). The procedure promises
// that the zone holds it with 95%; here the recommendation must also be one step away at most, and the bands
// (95% each, up to 21) must hold the closed form, up to overlaps (tolerance_window_test.cc), but for three:
// four misses of 21 have a probability of 2% at most if they were independent; they share luck, so this is a check of
// the level, not a proof. Mutant: the closed form for a `lasting` share x 1.05 misses the band of at least half.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "models/analytic/tolerance_window.h"
#include "sim/lab/experiments/tune.h"
#include "test/support/alarm_scenario.h"

namespace faultline {
namespace {

constexpr analytic::AlarmMix kMix{.lasting = 0.25, .act = 25_min, .clears_mean = 5_min};
constexpr std::int64_t kStepSeconds = 90;
constexpr std::int64_t kWindows = 21;
constexpr double kSecondsBetween = kDaysBetweenAlarms * 86400;

Duration window(std::size_t i) {
  return Duration::nanoseconds(static_cast<std::int64_t>(i) * kStepSeconds * 1'000'000'000);
}

std::size_t bands_that_miss(const TuneResults& results, const analytic::AlarmMix& mix) {
  std::size_t missed = 0;
  for (std::size_t i = 0; i < results.grid; ++i) {
    const double outage = (window(i) + mix.act).seconds();
    const double overlaps = outage * outage / kSecondsBetween / kSecondsBetween;
    const double ettr = 1 - analytic::window_cost_seconds(mix, window(i)) / kSecondsBetween;
    const Interval band = results.points[i].level.interval(0.95);
    missed += band.low - overlaps <= ettr && ettr <= band.high + overlaps ? 0 : 1;
  }
  return missed;
}

TEST(TuneClosedForm, TheRecommendationIsTheBestWindow) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < kWindows; ++i) {
    points.emplace_back(to_string(window(i)), alarm_scenario(kMix, window(i)));
  }
  std::vector<TunePoint> asked;
  for (const Point& point : points) {
    asked.push_back(
        {.point = &point, .objective = Objective::parse("ettr", point).value(), .conditions = {}});
  }
  Runner runner({.seed = 1});
  const TunePoint present = asked.front();
  Tuning tuning(std::move(asked), present,
                {.precision = {.half_width = 5e-7, .relative = false}, .most = 250},
                [&](const Point& point) -> const Rows& { return runner.rows(point); });
  for (auto needs = tuning.needs(); !needs.empty(); needs = tuning.needs()) {
    ASSERT_TRUE(runner.run(needs));
    tuning.look();
  }
  const TuneResults results = tuning.results();

  ASSERT_TRUE(results.recommended);
  const double best = analytic::best_window_seconds(kMix);
  EXPECT_NEAR(window(*results.recommended).seconds(), best, kStepSeconds);
  const auto nearest = static_cast<std::size_t>(std::round(best / kStepSeconds));
  EXPECT_EQ(results.points[nearest].contest.standing, PointStanding::kContender);
  EXPECT_EQ(results.points.front().contest.standing, PointStanding::kBeaten);
  EXPECT_EQ(results.points.back().contest.standing, PointStanding::kBeaten);

  EXPECT_LE(bands_that_miss(results, kMix), 3U);
  analytic::AlarmMix mutant = kMix;
  mutant.lasting *= 1.05;
  EXPECT_GE(bands_that_miss(results, mutant), results.grid / 2);
  RecordProperty("recommended", points[*results.recommended].label());
  RecordProperty("missed", std::to_string(bands_that_miss(results, kMix)));
  RecordProperty("missed_mutant", std::to_string(bands_that_miss(results, mutant)));
  RecordProperty("replications", std::to_string(results.replications));
}

}  // namespace
}  // namespace faultline
