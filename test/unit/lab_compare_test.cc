// Comparisons: what is paired, what counts as a hazard, which replications were the worst, and when a
// threshold has failed.
#include "sim/lab/experiments/compare.h"

#include <gtest/gtest.h>

#include <numeric>

#include <cmath>
#include <functional>
#include <limits>

#include "sim/lab/experiments/objective.h"
#include "test/support/eventful_world.h"

namespace faultline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Point plain() { return Point("plain", EventfulWorld().scenario); }

// With one more fault class, so that the columns of most classes are elsewhere.
Point with_another_class() {
  EventfulWorld world;
  world.scenario.faults.classes.insert(world.scenario.faults.classes.begin(),
                                       world.scenario.faults.classes.front());
  world.scenario.faults.classes.front().name = "another";
  return Point("other", world.scenario);
}

std::size_t index(const std::vector<MetricName>& names, const std::string& text) {
  for (std::size_t m = 0; m < names.size(); ++m) {
    if (names[m].text() == text) return m;
  }
  ADD_FAILURE() << "no metric " << text;
  return 0;
}

// Rows of zeros in which some metrics have the given values, one per replication.
Rows rows(const Point& point, std::vector<std::uint32_t> finished,
          const std::map<std::string, std::vector<double>>& columns) {
  Rows rows{.finished = std::move(finished), .values = {}};
  for (std::size_t r = 0; r < rows.finished.size(); ++r) {
    rows.values.emplace_back(point.metrics().size());
    for (const auto& [text, values] : columns) {
      rows.values.back()[index(point.metrics(), text)] = values[r];
    }
  }
  return rows;
}

Question ask(const Point& a, const Point& b, const std::string& by,
             const std::vector<std::string>& fail_if = {}) {
  auto asked = question(by, fail_if, a, b);
  EXPECT_TRUE(asked) << (asked ? "" : asked.error());
  return asked ? *asked : Question{};
}

TEST(CommonRows, PairByReplicationAndByName) {
  const Point a = plain();
  const Point b = with_another_class();
  const std::string of_last = "faults_total{class=\"maintenance\"}";
  const Rows of_a = rows(a, {0, 1, 3}, {{of_last, {10, 11, 13}}});
  const Rows of_b = rows(b, {1, 2, 3}, {{of_last, {21, 22, 23}}});
  const CommonRows common = common_rows({&a, &b}, {&of_a, &of_b});
  EXPECT_EQ(common.replications, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(common.names.size(), a.metrics().size());
  const std::size_t m = index(common.names, of_last);
  EXPECT_EQ(column(common.rows[0], m), (std::vector<double>{11, 13}));
  EXPECT_EQ(column(common.rows[1], m), (std::vector<double>{21, 23}));
}

TEST(Compare, VerdictsOfPairedDifferences) {
  EXPECT_EQ(difference({1, 2, 3}, {1, 2, 3}).finding, Finding::kSame);
  EXPECT_EQ(difference({1, 2, 3}, {1.1, 2.1, 3.11}).finding, Finding::kHigher);
  EXPECT_EQ(difference({1, 2, 3}, {0.9, 1.9, 2.89}).finding, Finding::kLower);
  EXPECT_EQ(difference({1, 2, 3}, {2, 2, 2}).finding, Finding::kUndetected);
  EXPECT_EQ(difference({1}, {2}).finding, Finding::kUnknown);
  EXPECT_EQ(difference({kNan, kNan}, {1, 2}).finding, Finding::kUnknown);
  // A replication of which one says nothing is no pair.
  const Difference known = difference({1, kNan, 3, 4}, {2, 3, kNan, 5});
  EXPECT_EQ(known.paired.difference.n, 2u);
  EXPECT_EQ(known.baseline.mean, 2.5);
}

TEST(Compare, HazardsThatAreNewOrGrow) {
  const Point a = plain();
  const Rows of_a =
      rows(a, {0, 1, 2, 3},
           {{"needless_replacements_total", {1, 2, 3, 2}}, {"stockout_ratio", {0, 0.1, 0, 0}}});
  const Rows of_b = rows(a, {0, 1, 2, 3},
                         {{"needless_replacements_total", {5, 6, 7, 6.5}},
                          {"gate_blocked_total", {0, 0, 9, 0}},
                          {"stockout_ratio", {0.1, 0, 0, 0}}});
  const Comparison comparison = compare(a, of_a, a, of_b, ask(a, a, "ettr"));
  const auto hazard = [&](const std::string& name) {
    for (const Hazard& one : comparison.hazards) {
      if (comparison.names[one.metric].name == name) return one;
    }
    return Hazard{};
  };
  EXPECT_EQ(hazard("needless_replacements_total").change, Hazard::Change::kGrows);
  EXPECT_EQ(hazard("needless_replacements_total").candidate_worst, 7);
  EXPECT_EQ(hazard("gate_blocked_total").change, Hazard::Change::kNew);
  EXPECT_EQ(hazard("gate_blocked_total").candidate_runs, 1u);
  EXPECT_EQ(hazard("gate_blocked_total").worst_replication, 2u);
  EXPECT_EQ(hazard("stockout_ratio").change, Hazard::Change::kNone);
  EXPECT_EQ(hazard("unhealthy_peak_ratio").change, Hazard::Change::kNone);
}

TEST(Compare, TheWorstReplicationsByTheDirectionOfTheMetric) {
  const Point a = plain();
  const Rows of_a = rows(a, {4, 5, 6, 7}, {{"ettr_ratio", {0.9, 0.9, 0.9, 0.9}}});
  const Rows of_b = rows(a, {4, 5, 6, 7}, {{"ettr_ratio", {0.95, 0.7, 0.9, 0.8}}});
  using Indices = std::vector<std::size_t>;
  EXPECT_EQ(compare(a, of_a, a, of_b, ask(a, a, "ettr")).worst, (Indices{1, 3}));
  EXPECT_EQ(compare(a, of_a, a, of_b, ask(a, a, "1 - ettr")).worst, (Indices{0}));
  EXPECT_FALSE(ask(a, a, "needless_replacements").larger_is_better);
  EXPECT_FALSE(ask(a, a, "lost{redo}").larger_is_better);
  EXPECT_TRUE(ask(a, a, "lost{productive}").larger_is_better);
}

TEST(Compare, MeansOverThingsWeighByTheirCounts) {
  const Point a = plain();
  const Rows of_a =
      rows(a, {0, 1},
           {{"mttr_seconds{phase=\"gate\"}", {2, 4}}, {"faulty_nodes_replaced_total", {1, 3}}});
  // Only one replication has repairs at all: nothing is known of the spread.
  const Rows of_b =
      rows(a, {0, 1},
           {{"mttr_seconds{phase=\"gate\"}", {kNan, 4}}, {"faulty_nodes_replaced_total", {0, 3}}});
  const Comparison comparison = compare(a, of_a, a, of_b, ask(a, a, "mttr{gate}"));
  const Difference& gate =
      comparison.metrics[index(comparison.names, "mttr_seconds{phase=\"gate\"}")];
  EXPECT_DOUBLE_EQ(gate.baseline.mean, 3.5);
  EXPECT_DOUBLE_EQ(gate.candidate.mean, 4);
  EXPECT_EQ(gate.finding, Finding::kUnknown);
  EXPECT_DOUBLE_EQ(comparison.by.baseline.mean, 3.5);
}

Judgement judged(const std::string& text, double low, double high) {
  const auto condition = Condition::parse(text, {{"ettr_ratio", "", ""}}, true);
  EXPECT_TRUE(condition) << text;
  return judge(*condition, {.low = low, .high = high});
}

TEST(Threshold, IsJudgedByTheWholeInterval) {
  EXPECT_EQ(judged("ettr.delta < -0.5pp", -0.009, -0.006), Judgement::kHolds);
  EXPECT_EQ(judged("ettr.delta < -0.5pp", -0.009, -0.004), Judgement::kOpen);
  EXPECT_EQ(judged("ettr.delta < -0.5pp", -0.005, 0.004), Judgement::kDoesNotHold);
  EXPECT_EQ(judged("ettr < 90%", kNan, kNan), Judgement::kOpen);
  EXPECT_EQ(judged("ettr == 0", -1, 1), Judgement::kOpen);
  EXPECT_EQ(judged("ettr == 0", 0, 0), Judgement::kHolds);
  EXPECT_EQ(judged("ettr == 0", 0, 1), Judgement::kOpen);
  EXPECT_EQ(judged("ettr == 0", 0.5, 1), Judgement::kDoesNotHold);
  EXPECT_EQ(judged("ettr != 0", 0.5, 1), Judgement::kHolds);
  EXPECT_EQ(judged("ettr != 0", -1, 1), Judgement::kOpen);
  EXPECT_EQ(judged("ettr != 0", 0, 0), Judgement::kDoesNotHold);
}

TEST(Threshold, OfADifferenceOrOfTheCandidateItself) {
  const Point a = plain();
  const Rows of_a = rows(a, {0, 1, 2}, {{"ettr_ratio", {0.80, 0.85, 0.90}}});
  const Rows of_b = rows(a, {0, 1, 2}, {{"ettr_ratio", {0.79, 0.839, 0.8885}}});
  const Comparison comparison = compare(
      a, of_a, a, of_b, ask(a, a, "ettr", {"ettr.delta < -0.5pp", "ettr < 50%", "ettr < 84%"}));
  EXPECT_EQ(comparison.thresholds[0].judgement, Judgement::kHolds);
  EXPECT_NEAR(comparison.thresholds[0].estimate.mean, -0.0108, 1e-4);
  EXPECT_EQ(comparison.thresholds[1].judgement, Judgement::kDoesNotHold);
  EXPECT_NEAR(comparison.thresholds[1].estimate.mean, 0.8392, 1e-4);
  EXPECT_EQ(comparison.thresholds[2].judgement, Judgement::kOpen);
}

// A change that was never seen to do anything in 30 replications passes, whatever its size might be; after 29, or
// where one of them differs, nothing is decided.
TEST(Threshold, OfTwoThatSayTheSameInEveryReplication) {
  const Point a = plain();
  const std::vector<std::string> thresholds{"ettr.delta < -0.5pp", "ettr.delta >= 0", "ettr < 50%"};
  const auto judged = [&](std::uint32_t n, double last) {
    std::vector<std::uint32_t> replications(n);
    std::iota(replications.begin(), replications.end(), 0U);
    std::vector<double> before(n, 0.8);
    for (std::uint32_t r = 0; r < n; ++r) before[r] += r * 1e-3;
    std::vector<double> after = before;
    after.back() += last;
    return compare(a, rows(a, replications, {{"ettr_ratio", before}}), a,
                   rows(a, replications, {{"ettr_ratio", after}}), ask(a, a, "ettr", thresholds))
        .thresholds;
  };
  const auto same = judged(30, 0);
  EXPECT_EQ(same[0].judgement, Judgement::kDoesNotHold);
  EXPECT_EQ(same[1].judgement, Judgement::kHolds);
  EXPECT_TRUE(same[0].all_same);
  EXPECT_FALSE(same[2].all_same);  // not about a difference
  for (const auto& open : {judged(29, 0), judged(30, -0.01)}) {
    EXPECT_EQ(open[0].judgement, Judgement::kOpen);
    EXPECT_FALSE(open[0].all_same);
  }
}

TEST(Question, ErrorsNameTheOption) {
  const Point a = plain();
  EXPECT_EQ(question("etr", {}, a, a).error(),
            "--by: column 1: unknown metric `etr`; did you mean ettr?");
  EXPECT_EQ(question("ettr", {"ettr.delta"}, a, a).error().substr(0, 11), "--fail-if: ");
}

// Each point pays for the GPUs that it owns: more goodput can cost more.
TEST(Compare, ByCost) {
  const Point a = plain();
  Scenario larger = a.scenario();
  larger.capacity.warm_spares += 4;
  const Point b("larger", std::move(larger));
  ASSERT_GT(owned_gpu_hours(b), owned_gpu_hours(a));
  const Rows of_a = rows(a, {0, 1, 2}, {{"goodput_ratio", {0.50, 0.60, 0.70}}});
  const Rows of_b = rows(b, {0, 1, 2}, {{"goodput_ratio", {0.50, 0.61, 0.72}}});
  const Question asked = ask(a, b, "cost");
  EXPECT_FALSE(asked.larger_is_better);
  const Comparison comparison = compare(a, of_a, b, of_b, asked);
  EXPECT_NEAR(comparison.by.baseline.mean, owned_gpu_hours(a) * 0.40, 1e-9);
  EXPECT_NEAR(comparison.by.candidate.mean, owned_gpu_hours(b) * 0.39, 1e-9);
  EXPECT_NEAR(comparison.by_candidate[2], owned_gpu_hours(b) * 0.28, 1e-9);
  EXPECT_EQ(comparison.worst.front(), 0U) << "where the spares brought nothing";
}

}  // namespace
}  // namespace faultline
