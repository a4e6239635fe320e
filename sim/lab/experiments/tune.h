// The best setting of one or two knobs, with its uncertainty: the experiment behind `faultline tune`.
//
// Every point of the grid meets the same faults (replication r is the same randomness everywhere), so points
// are compared by paired differences. Two stages spend the replications:
//
//   contest   successive elimination (sim/lab/experiments/elimination.h) finds the points that may be the best. It ends
//             when the leader is known to give up at most a fifth of the precision, or with `most`.
//   levels    every point gets replications until its band, the 95% interval of its level, is as narrow as
//             the precision, or `most`. Levels are estimated through the leader (sim/lab/stats/reference_level.h), which
//             gets the most replications: few of the others' are then enough. The present setting gets as many
//             as the leader, so that what the recommendation is worth is known well.
//
// The recommendation is the contest's leader; the contenders that are left are its indifference zone: they
// hold the best point of the grid with 95% confidence. Levels never change that choice.
//
// Constraints. A condition is met by a point, or failed, when the interval of its left side says so;
// half of the 5% is spent on that (Bonferroni over points, conditions and looks), the other half on the
// contest, so the recommendation is a point that meets the conditions, and the zone holds the best of those that do,
// with 95% confidence together. (After the feasibility screening of Batur and Kim, "Finding feasible systems in the
// presence of constraints on multiple performance measures", ACM TOMACS 20 (2010) 13.)
//
// The levels' stopping is sequential: their bands cover 95% in the limit (Chow and Robbins 1965), and measured
// for 1,000 experiments in test/unit/lab_tune_test.cc.
//
// Differences to the recommendation. The data chose both ends of such an interval and when to stop, so each is
// one of the k (k - 1) / 2 pairs of points (the present setting is one) after one of the R rungs of the ladder:
//
//   mean(d) +- t(n - 1, 1 - b / 2) s(d) / sqrt(n),   b = (1 - confidence) / (R k (k - 1) / 2)
//
// All that could have been told hold at once with the stated confidence (Bonferroni), so those that are told do; each
// quantity for itself: the objective, GPU-hours, needless replacements. By hand: 31 points, ladder(100, 1000)
// has R = 7: b = 0.05 / 3255, t = 4.34 for 1,000 replications, where a single comparison has 1.96. Were the
// recommendation a point that was named before, k - 1 comparisons would do (t = 3.15): of 11 equal points, one
// experiment in seven then misses (test/unit/lab_tune_test.cc).
//
// Zone and intervals agree: b / 2 is no more than what the contest spends on one comparison, after the same
// rungs, so who is worse than the recommendation by such an interval leaves the zone within the contest's 5%. Who
// is beaten, perhaps by a third point, may still have an interval that holds zero: it is not the best, but how far it is
// behind the recommendation is open.
//
// No search. A surrogate (a Gaussian process over three and more knobs) was considered and left out. A replication costs
// about a millisecond, a grid of 31 windows about 5,000 of them (5 s on two cores), and nobody has to
// believe in a smooth surface: the best window of llama3 stands at a jump (4 min to 5 min gives 0.6 pp, further minutes take 0.2 pp
// each), because many alarms clear after exactly 5 min, and a smooth kernel would move it. Nor could it promise what
// the zone promises.
//
// Everything is a pure function of the rows, so of (scenarios, seed): threads, stores and shards change nothing.
//
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/lab/experiments/elimination.h"
#include "sim/lab/experiments/objective.h"
#include "sim/lab/expression/expression.h"
#include "sim/lab/runner.h"
#include "sim/lab/stats/reference_level.h"
#include "sim/lab/stats/sequential_stopping.h"

namespace faultline {

// A point with what is asked of it; expressions read the columns of that point's metrics.
struct TunePoint {
  const Point* point = nullptr;
  Objective objective;
  std::vector<Condition> conditions;
};

struct TuneRule {
  double confidence = 0.95;
  Precision precision{.half_width = 0.001, .relative = false};
  std::uint32_t first = 100;  // replications of every point at the first look
  std::uint32_t most = 1000;  // of any point
};

struct TunedPoint {
  Contestant contest;
  Feasibility feasible = Feasibility::kMet;
  std::uint32_t replications = 0;  // that its numbers are over
  MeanEstimate level;              // of the objective
  bool precise = false;            // its band is as narrow as was asked for
  bool pareto = false;  // no other has a better objective and fewer needless replacements
  // To the recommendation, paired. The intervals of all points, by `difference_confidence`, hold at once.
  MeanEstimate behind;     // how much better the recommendation is, in the objective's unit
  MeanEstimate gpu_hours;  // how much more cost it has (sim/lab/experiments/objective.h)
  double needless = 0;     // needless replacements
  MeanEstimate more_needless;
  double replacements = 0;
  double ettr = 0;
  std::vector<MeanEstimate> conditions;  // left sides
};

struct TuneResults {
  std::vector<TunedPoint> points;      // of the grid, then the present setting if it is not there
  std::size_t grid = 0;                // how many points the grid has
  std::optional<std::size_t> present;  // the scenario as it is
  std::optional<std::size_t> recommended;  // nothing if no point meets the conditions
  double precision = 0;                    // half-width, in the objective's unit
  double tie = 0;
  double difference_confidence = 0;  // of each single difference
  std::uint64_t replications = 0;    // over all points
  bool decided = false;              // the recommendation gives up at most `tie`
  bool finished = false;             // it ended by itself
};

class Tuning {
 public:
  using RowsOf = std::function<const Rows&(const Point&)>;

  // `points`: the grid. `present`: the scenario as it is; not a candidate unless it equals a point of the grid.
  Tuning(std::vector<TunePoint> points, TunePoint present, TuneRule rule, RowsOf rows);

  // The most that may be needed, for every point.
  std::vector<Runner::Need> most() const;
  // What is needed next; nothing when it is finished.
  std::vector<Runner::Need> needs() const;
  // After the needs were met.
  void look();

  // Something was looked at.
  bool begun() const { return contest_.looks() > 0; }
  TuneResults results() const;
  const std::vector<TunePoint>& points() const { return points_; }

 private:
  bool is_candidate(std::size_t i) const { return i < grid_; }
  std::vector<double> values(const Objective& objective, std::size_t i) const;
  std::vector<double> column(std::size_t metric, std::size_t i) const;
  void take(std::size_t i, std::uint32_t n);
  Feasibility feasibility(std::size_t i) const;
  void look_at_contest();
  void plan_levels();
  std::uint32_t rung_above(std::uint32_t n) const;
  std::size_t reference() const;
  MeanEstimate to_recommended(const std::vector<double>& point,
                              const std::vector<double>& recommended) const;
  double difference_confidence() const;
  // Takes those out of the zone that the levels' replications show to be worse than the recommendation.
  static void leave_the_worse(TuneResults& results);
  TunedPoint tuned(std::size_t i) const;

  std::vector<TunePoint> points_;
  std::size_t grid_ = 0;
  std::size_t present_ = 0;
  TuneRule rule_;
  RowsOf rows_;
  std::vector<std::uint32_t> ladder_;
  Elimination contest_;
  std::vector<std::uint32_t> replications_;  // that were looked at
  std::vector<std::uint32_t> wanted_;        // at the next look, by the levels
  std::vector<std::vector<double>> values_;  // of the objective, over those that were looked at
  std::vector<Feasibility> feasible_;
  double precision_ = 0;
};

}  // namespace faultline
