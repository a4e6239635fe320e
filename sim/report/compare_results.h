// What the reports of `compare` are made from: points, what changed, what came of it.
//
// Thread rule: immutable; the points must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/lab/experiments/compare.h"
#include "sim/lab/point.h"
#include "sim/lab/stats/selection.h"
#include "sim/scenario/changes.h"

namespace faultline {

struct ComparedCandidate {
  std::string name;  // "B": in tables
  const Point* point = nullptr;
  std::vector<FieldChange> changes;
  Question question;
  Comparison comparison;
  std::vector<std::string> stories;  // of comparison.worst
};

// All points against each other, over the replications that all of them have.
struct Ranking {
  std::size_t replications = 0;
  std::vector<MeanEstimate> estimates;  // the baseline, then the candidates
  Selection selection;
};

// Nothing where two replications of all points are not there, or one point says nothing about it. `by`: of each
// point.
std::optional<Ranking> rank(const CommonRows& rows, const std::vector<Expression>& by,
                            bool larger_is_better);

struct CompareResults {
  const Point* baseline = nullptr;
  std::vector<ComparedCandidate> candidates;
  std::optional<Ranking> ranking;  // of three points and more
  std::uint64_t seed = 1;
  std::uint32_t requested = 0;          // replications of each
  std::optional<std::string> stopping;  // what --reps auto came to
  bool fail_undecided = false;
  std::string
      remark;  // said before anything else, if it is not empty: why this is not the whole answer

  // "A" for the baseline, "B" for the first candidate, ... "AA".
  static std::string letter(std::size_t point);
  // Of point 0 .. candidates.size(): what it is.
  const Point& point(std::size_t p) const { return p == 0 ? *baseline : *candidates[p - 1].point; }
  Expression::Unit unit() const { return candidates.front().question.by.unit(); }
  const std::string& by() const { return candidates.front().question.by.text(); }
  // For titles: "ettr", "cost in GPU-hours".
  std::string title() const { return by() == "cost" ? "cost in GPU-hours" : by(); }
  // Some --fail-if came to this, for some candidate.
  bool any(Judgement judgement) const;
};

// "failed", "passed", "undecided".
std::string_view outcome(const ThresholdResult& threshold);
// "ettr.delta < -0.5pp: -0.83 pp +- 0.08, 95% interval -0.91 to -0.75 pp, 100 replications".
std::string threshold_text(const ThresholdResult& threshold);

}  // namespace faultline
