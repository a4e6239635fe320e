// The spare pool as a continuous-time Markov chain: how often fewer machines are fit than the work
// needs. The judge of `faultline spares`.
//
// The model. N machines work and s stand by, warm: one of them takes a failed machine's place at
// once. A failed machine is repaired by one of c crews (or without waiting), first by a machine
// (mean `repair`), then, with probability `manual_share`, by hand (mean `manual`, crews of its
// own). A repaired machine goes on the shelf, where at the start K cold ones lie; each missing
// machine draws one from the shelf, first come first served, and has it after a lead time. All
// times are exponential and independent.
//
//   r   machines in repair            l   machines on their way from the shelf
//   out = l + max(0, r - K)           places without a fit machine; stock-out: out > s
//
// A machine at work fails at rate lambda, an idle one at lambda_s. A gang stands still while fewer
// than N are fit: then all of them are idle. A farm goes on with those that are fit.
//
//   failures per second   fit = N + s - out:  gang, fit < N: fit lambda_s;
//                         else min(N, fit) lambda + max(0, fit - N) lambda_s
//   repairs per second    min(r, c) / repair;  by hand min(r', c') / manual
//   arrivals per second   l / lead
//
// With one stage and no lead time (or an endless shelf) this is the machine repair model of Palm
// (1947): a birth-death chain with a product form (Gross & Harris, Fundamentals of Queueing Theory,
// ch. 2). Special cases: a farm without spares is M/M/c//N; a gang whose idle machines do not fail
// and unlimited crews is Erlang's loss system, stock-out = B(s + 1, N lambda repair); lambda_s =
// lambda and unlimited crews: out is binomial(N + s, rho / (1 + rho)), rho = lambda repair. With
// unlimited crews, and a shelf that is empty, endless or at hand, only the mean of the times
// matters, not their law (Sevastyanov 1957; K. W. Ross, Multiservice Loss Models, ch. 2).
//
// Worked example, by hand. N = 1, s = 1, a gang, idle machines do not fail, lambda repair = 1/4.
//
//   one crew         pi = (1, 1/4, 1/16) / (21/16) = (16, 4, 1) / 21: stock-out 1/21 = 4.762%,
//                    spares in use 5/21; a failure finds no spare: (4/21) / (20/21) = 1/5
//   unlimited crews  pi = (1, 1/4, 1/32) / (41/32) = (32, 8, 1) / 41: stock-out 1/41 = 2.439%
//
// Two implementations that share only the rates: sparse LU of the balance equations (any setting)
// and the product form in log space (one stage). They agree to 1e-12.
//
// Units: rates per second; durations are means. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/base/time.h"
#include "models/base/units.h"

namespace faultline::analytic {

struct SparePool {
  std::int64_t nodes = 1;               // N, more than 0
  std::int64_t warm_spares = 0;         // s
  double failures_per_second = 0;       // lambda, of a machine at work; more than 0
  double idle_failures_per_second = 0;  // lambda_s, of an idle one
  bool gang = true;                     // false: a farm
  Duration repair = 1_h;                // more than 0
  Limit crews;                          // c, unlimited or more than 0
  double manual_share = 0;              // 0..1
  Duration manual = 1_h;                // more than 0, if manual_share is
  Limit manual_crews;                   // c'
  Limit cold_spares{0};                 // K; unlimited: repair does not matter
  Duration lead;                        // 0: at once
};

struct SparePoolShares {
  std::vector<double> out;         // out[n]: share of the time with n places without a fit machine
  double stockout = 0;             // share of the time with more than s
  double spares_in_use = 0;        // mean of min(out, s)
  double mean_out = 0;             // mean of out
  double failures_per_second = 0;  // of all machines together
  double finds_none = 0;           // share of the failures that leave fewer than N fit
  std::size_t states = 0;          // of the chain
  double residual = 0;             // the largest |flow in - flow out| of a state / the largest rate

  // The smallest n with P(out <= n) >= q, q in (0, 1).
  std::int64_t quantile(double q) const;
};

// By sparse LU, with the null state (nothing is broken) pinned to 1 and normalised afterwards;
// where that state is rare (below 1e-8 of the most likely one), once more with the most likely one
// pinned. A chain of more than one dimension is cut where the share of the states at the edge is
// below 1e-13. The error is a sentence: too many states.
tl::expected<SparePoolShares, std::string> spare_pool(const SparePool& pool);

// Whether the product form holds: one stage of repair without a lead time, or an endless shelf.
bool has_product_form(const SparePool& pool);
SparePoolShares spare_pool_by_product_form(const SparePool& pool);

}  // namespace faultline::analytic
