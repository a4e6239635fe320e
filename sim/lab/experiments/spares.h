// How many spares a target needs: `faultline spares`.
//
// The question: the fewest spares s with which a condition on the metrics holds, shown with a
// stated confidence. Warm spares are `capacity.warm_spares` (ready nodes beyond the pool's own);
// cold ones are the stock `capacity.spares` that a launch draws from, after its lead time.
//
// The search. All numbers of spares meet the same randomness (common random numbers), each with the
// same number of replications. 0, 1, 2, 4, 8, ... are tried until one meets the target or `most` is
// reached; the interval in between is halved until one number does not meet it and the next one
// does; then the neighbours are run for the curve. Halving takes for granted that more spares are
// not worse; where the paired difference of two numbers of spares shows that they are, the answer
// says so.
//
// The verdict on a number of spares, for a lower limit (`ettr >= 95%`; an upper one is the mirror
// image): with t the one-sided Student-t quantile of the confidence, e the standard error of the
// mean,
//
//   kMeets      mean - t e >= limit           kMisses   mean + t e < limit         else kOpen
//
// Automatic replications (`cap`). A number of spares that is open gets twice as many, up to the cap; those
// that are decided stay as they are. The k looks share the error (Bonferroni): t is the quantile of
// 1 - (1 - confidence) / k, so that a wrong verdict stays as rare as the confidence says however often it is
// looked at. By hand: from 100 up to 800 there are 4 looks, and 95% become 98.75%.
//
// The answer is the first number that kMeets; an open one below it is named. The confidence holds
// for each number of spares by itself. Since worse numbers are even less likely to be taken for
// good, it is close to that of the answer too, as long as the curve rises.
//
// Worked example, by hand: ETTR 95.1%, 95.3%, 95.5% in three replications, target `ettr >= 95%` at
// 95%: mean 95.3%, e = 0.2/sqrt(3) = 0.1155 points, t(2, 95%) = 2.920: bound 94.963% - open.
//
// Errors: none; an experiment that was stopped answers from what is there (`complete` = false).
// Thread rule: one thread; what it runs, runs on all cores.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/accounts.h"
#include "sim/lab/experiments/spare_chain.h"
#include "sim/lab/expression/expression.h"
#include "sim/lab/point.h"
#include "sim/lab/runner.h"
#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

enum class SpareKind { kWarm, kCold };

struct SparesQuestion {
  SpareKind kind = SpareKind::kWarm;
  Condition target;  // with a relation that is a limit: <, <=, >, >=
  double confidence = 0.95;
  std::int64_t most = 64;
  std::uint32_t replications = 100;  // of each number of spares
  std::uint32_t cap = 0;             // doubled up to so many while a verdict is open; 0: not at all

  // After how many replications a verdict is looked at: 100, 200, 400, ..., cap.
  std::vector<std::uint32_t> looks() const;
  bool at_least() const {
    return target.relation == Relation::kGreater || target.relation == Relation::kGreaterEqual;
  }
};

enum class SparesVerdict { kMeets, kMisses, kOpen };

// A number of spares.
struct SparesPoint {
  std::int64_t spares = 0;
  std::shared_ptr<const Point> point;
  MeanEstimate value;  // of the target's expression
  double bound = 0;    // the one-sided confidence bound on the side of the target
  bool rare =
      false;  // few replications say anything but the most common value (stats/mean_limits.h)
  SparesVerdict verdict = SparesVerdict::kOpen;
  std::size_t stockouts = 0;  // replications in which a job waited for a machine at all
  MeanEstimate ettr;
  MeanEstimate stockout;
  MeanEstimate used_max;                 // most warm spares in use at once
  MeanEstimate replaced;                 // nodes
  std::array<double, kAccounts> lost{};  // share of the jobs' time, by account
  tl::expected<SpareChain, std::string> chain = tl::unexpected(std::string());
};

// What changes from one number of spares to another, paired.
struct SparesStep {
  std::int64_t from = 0;
  std::int64_t to = 0;
  MeanEstimate value;
  MeanEstimate gpu_hours;  // of kept work, a run
  double cost_gpu_hours = 0;
};

struct SparesAnswer {
  SparesQuestion question;
  std::vector<SparesPoint> curve;        // ascending
  std::optional<std::int64_t> fewest;    // nothing: no number up to `most` meets the target
  std::optional<std::int64_t> by_chain;  // the fewest by the Markov chain, where it can say
  std::vector<SparesStep> steps;         // around the answer, or along the curve
  // Two numbers of spares of the curve, the more of which is worse beyond the noise.
  std::optional<SparesStep> worse;
  bool complete = true;            // false: stopped before the end
  double gpu_hours_per_spare = 0;  // a run, in all pools that have spares

  const SparesPoint* at(std::int64_t spares) const;
  // What the report is about: the answer, or the most spares. The curve is not empty.
  const SparesPoint& main() const { return fewest ? *at(*fewest) : curve.back(); }
};

// How replications are had: a Runner, or something around it.
struct SparesRun {
  std::function<bool(const std::vector<Runner::Need>&)> run;
  std::function<const Rows&(const Point&)> rows;
};

// The scenario with that many spares.
std::shared_ptr<const Point> with_spares(const Scenario& scenario, SpareKind kind,
                                         std::int64_t spares);

SparesAnswer find_spares(const Scenario& scenario, const SparesQuestion& question,
                         const SparesRun& run);

// Every number of spares that the search may ask for: what a shard runs, since it cannot decide
// alone.
std::vector<std::shared_ptr<const Point>> all_numbers_of_spares(const Scenario& scenario,
                                                                const SparesQuestion& question);

// About as many as the search will ask for, to tell how long it takes.
std::vector<std::shared_ptr<const Point>> likely_numbers_of_spares(const Scenario& scenario,
                                                                   const SparesQuestion& question);

}  // namespace faultline
