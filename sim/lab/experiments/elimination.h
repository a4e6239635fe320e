// Successive elimination: which of k points is the best, with the replications where that is undecided.
//
// All contenders are looked at after n_1 < n_2 < ... < n_R replications (the ladder). At each look, point i
// is beaten, and gets no more of them, if some contender j that may be chosen has
//
//   mean(y_j - y_i) > t(n - 1, 1 - a) s(y_j - y_i) / sqrt(n),   a = (1 - confidence) / ((k - 1) R)
//
// over the n common replications. The looks end when one contender is left, when the leader is known to be
// at most `tie` worse than any other, or with the ladder.
//
// Guarantee: the true best point b is beaten with a probability of at most 1 - confidence, however the points
// are correlated (common random numbers): it takes one of the (k - 1) R events mean(y_j - y_b) - (mu_j - mu_b) >
// t s / sqrt(n), since mu_j <= mu_b, and each has at most the probability a (Bonferroni). Exact for normal
// differences, asymptotically right for others. So the contenders that are left hold the best one with
// that confidence: they are the indifference zone.
//
// Source: the paired screening of Nelson, Swann, Goldsman and Song, "Simple procedures for selecting the best
// simulated system when the number of alternatives is large", Operations Research 49 (2001) 950-963, under
// common random numbers as in Nelson and Matejcik, Management Science 41 (1995) 1935-1945; the
// Bonferroni inequality over the looks in place of their two stages.
//
// Constraints. A point that is known not to meet them is out; one that is not known to meet them stays but
// beats nobody. The caller decides both, with an error of its own (sim/lab/experiments/tune.h).
//
//   Worked by hand: a ladder of one look at n = 4, two points, confidence 95%: a = 0.05, t(3, 95%) = 2.3534.
//   y_j - y_i = 1, 2, 3, 2: mean 2, s = 0.8165, bound 0.9608: i is beaten.
//
// Errors: none. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace faultline {

inline constexpr std::string_view kEliminationProcedure =
    "successive screening by paired t (Nelson, Swann, Goldsman and Song 2001), Bonferroni over "
    "points "
    "and looks";

// What is known about the constraints of a point.
enum class Feasibility { kUnknown, kMet, kFailed };

enum class PointStanding { kContender, kBeaten, kInfeasible, kUndefined };

struct Contestant {
  PointStanding standing = PointStanding::kContender;
  std::uint32_t replications = 0;  // that the last look at it was over
  std::size_t beaten_by = 0;       // if beaten
};

struct EliminationRule {
  double confidence = 0.95;
  std::vector<std::uint32_t> ladder;  // ascending, from 2 on
};

// From `first` by steps of half as much again up to `most`.
std::vector<std::uint32_t> ladder(std::uint32_t first, std::uint32_t most);

class Elimination {
 public:
  Elimination(std::size_t points, EliminationRule rule);

  // Leads unless another one has a better mean: for what is in use, where nothing speaks for a change.
  void favour(std::size_t point) { favoured_ = point; }

  // What the next look needs of every contender; nothing if the contest is over.
  std::optional<std::uint32_t> needed() const;

  // values[i]: of contender i, larger is better, as many as were needed (those of others are not read);
  // a point with a NaN is out as undefined.
  void look(const std::vector<std::vector<double>>& values,
            const std::vector<Feasibility>& feasible, double tie);

  const std::vector<Contestant>& contestants() const { return contestants_; }
  // The contender with the best mean (of equal ones the favoured, or the first), of those that are known to meet the constraints; if there is none, of all
  // contenders. Nothing if nobody is left.
  std::optional<std::size_t> leader() const { return leader_; }
  // Whether the leader is known to be within `tie` of the best.
  bool decided() const { return decided_; }
  std::uint32_t looks() const { return looks_; }

 private:
  // The t of the bound, at a look over n replications.
  double bound_per_error(std::uint32_t n) const;
  std::vector<std::size_t> contenders() const;

  EliminationRule rule_;
  std::vector<Contestant> contestants_;
  std::optional<std::size_t> favoured_;
  std::optional<std::size_t> leader_;
  std::uint32_t looks_ = 0;
  bool decided_ = false;
};

}  // namespace faultline
