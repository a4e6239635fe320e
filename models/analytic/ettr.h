// Effective training time ratio (ETTR) of a job that saves a checkpoint every so often: the share
// of wall time that is kept work. Closed forms, to judge the simulator by; nothing here is
// simulated.
//
// The model. Failures of the whole job are a Poisson process of rate lambda (an N-node job at r_f
// failures per node and second has lambda = N r_f). A segment is `every` = tau of work and then
// `blocks` = delta of checkpoint. A failure throws the segment's work away; after `restart` = R the
// segment begins anew from the last checkpoint.
//
//   exact, failures at all times E[segment] = (1/lambda) e^{lambda R} (e^{lambda (tau+delta)} - 1)
//   exact, none during restart   E[segment] = (1/lambda + R) (e^{lambda (tau+delta)} - 1)
//   ETTR                         tau / E[segment]
//
// The first is Daly, "A higher order estimate of the optimum checkpoint interval for restart
// dumps", Future Generation Computer Systems 22 (2006) 303-312: a restart that fails begins again.
// The second follows by renewal reward: a segment meets e^{lambda (tau+delta)} - 1 failures on
// average, each costs R, and with R = 0 the segment takes (1/lambda) (e^{lambda (tau+delta)} - 1).
//
// Published first-order forms, Kokolis et al., "Revisiting reliability in large-scale machine
// learning research clusters", HPCA 2025 (arXiv 2410.21680), for comparison and not for fitting:
// they expand the exact form to first order in lambda, so they are too low when lambda (tau + R) is
// not small.
//
//   version 1    1 - lambda (R + tau/2)
//   version 2    (1 - lambda (R + tau/2)) / (1 + delta/tau)
//
// The best interval tau, given delta and lambda = 1/M (the restart does not matter to it):
//
//   Young 1974   sqrt(2 delta M)         (this is what Kokolis et al. call Daly's)
//   Daly 2006    sqrt(2 delta M) (1 + sqrt(delta/(2M))/3 + delta/(18 M)) - delta; M if delta >= 2M
//   exact        M (1 + W(-e^{-1 - delta/M})), W the principal branch of Lambert's function;
//                from d/dtau of tau / E[segment] = 0, that is 1 - tau/M = e^{-(tau+delta)/M}
//
// Worked example, by hand. One failure in 10 h, a checkpoint after 1 h of work that blocks 6 min,
// restart 12 min: lambda R = 0.02 and e^0.02 = 1.02020134; lambda (tau + delta) = 0.11 and
// e^0.11 = 1.11627807.
//
//   exact              10 x 1.02020134 x 0.11627807 = 1.186270 h, ETTR = 0.842978
//   safe restart       (10 + 0.2) x 0.11627807      = 1.186036 h, ETTR = 0.843145
//   first order v1     1 - 0.1 (0.2 + 0.5)          = 0.93
//   first order v2     0.93 / 1.1                   = 0.845455
//   Young              sqrt(2 x 0.1 x 10)           = 1.414214 h
//   Daly               1.414214 (1 + 0.0235702 + 0.000555556) - 0.1 = 1.348333 h
//   exact best         tau/M = 0.134835: 1 - 0.134835 = 0.865165 = e^{-0.144835}
//
// Invariants: 0 < ETTR <= 1 for the exact forms; the first-order forms can be negative.
// Units: failures per second; durations. Results in seconds, or a ratio.
// Thread rule: pure functions.
#pragma once

#include "models/base/time.h"

namespace faultline::analytic {

struct CheckpointedJob {
  double failures_per_second = 0;  // lambda, of the whole job; 0 is allowed
  Duration every = 1_h;            // tau, work between two checkpoints; more than 0
  Duration blocks = 0_s;           // delta, time that a checkpoint stops the work
  Duration restart = 0_s;          // R, from a failure to working again
};

double expected_segment_seconds(const CheckpointedJob& job);
double ettr(const CheckpointedJob& job);

double expected_segment_seconds_if_restart_is_safe(const CheckpointedJob& job);
double ettr_if_restart_is_safe(const CheckpointedJob& job);

double ettr_first_order_v1(const CheckpointedJob& job);
double ettr_first_order_v2(const CheckpointedJob& job);

double young_interval_seconds(double failures_per_second, Duration blocks);
double daly_interval_seconds(double failures_per_second, Duration blocks);
double best_interval_seconds(double failures_per_second, Duration blocks);

}  // namespace faultline::analytic
