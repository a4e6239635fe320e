// Whether a scenario keeps what its author expects of it (`expect:`, sim/scenario/expectation.h).
//
// An expectation with <, <=, >= or > is about a mean m, tested at its confidence c by one-sided limits of
// Student's t (Law, Simulation Modeling and Analysis, 5th ed., section 4.5). For `m >= b`:
//
//   holds      the lower limit, mean - t(n-1, c) s / sqrt(n), is at least b
//   fails      the upper limit is below b
//   undecided  b lies between the limits: more replications are needed
//
// so a true expectation is called failed, or a false one held, with probability 1 - c at most. Who looks
// several times shares 1 - c among the looks (Bonferroni), which keeps that promise.
//
// An expectation with == or != is about every single replication: it fails if one breaks it, and holds if
// none does. What "none of n" says of the next run is stated as an upper limit of its probability,
// 1 - (1-c)^(1/n): at 95% about 3/n, the rule of three (Hanley and Lippman-Hand, JAMA 249 (1983) 1743).
//
//   By hand: values 1, 2, 3, 4 have mean 2.5, s / sqrt(n) = 0.6455 and t(3, 95%) = 2.3534: the 95% limits
//   are 0.9809 and 4.0191. `x >= 0.9` holds, `x >= 4.1` fails, `x >= 2` is undecided.
//   None of 100 replications: 1 - 0.05^(1/100) = 2.95%.
//
// Replications that say nothing about an expression (NaN) are left out of `n` for == and !=, and weigh as in
// sim/lab/expression/expression.h for means. If no replication says anything, or a mean has one only: undecided.
//
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/lab/expression/expression.h"
#include "sim/lab/stats/mean_estimate.h"
#include "sim/scenario/scenario.h"

namespace faultline {

enum class Verdict { kHolds, kFails, kUndecided };
std::string_view to_string(Verdict verdict);  // "holds"

struct Judgement {
  Verdict verdict = Verdict::kUndecided;
  std::size_t n = 0;
  double mean = 0;         // of the left side; NaN: unknown
  Interval limits;         // each end holds with the look's confidence; NaN for == and !=
  std::size_t broken = 0;  // == and !=: replications that break it
  double break_chance =
      0;            // == and !=, none broken: upper limit of the chance that the next run does
  std::string why;  // of what is undecided for another reason than a limit: a sentence
};

// Whether it is about every replication, and not about the mean.
bool is_exact(const Condition& condition);

Judgement judge(const Condition& condition, double confidence,
                const std::vector<std::vector<double>>& rows, int looks = 1);

// An expectation whose metrics are known to exist.
struct Expected {
  Condition condition;
  double confidence = 0.95;
};
struct ExpectationProblem {
  std::size_t index = 0;  // in `expect`
  std::string sentence;
};
// The first problem of each expectation that has one.
tl::expected<std::vector<Expected>, std::vector<ExpectationProblem>> read_expectations(
    const Scenario& scenario, const std::vector<MetricName>& metrics);

}  // namespace faultline
