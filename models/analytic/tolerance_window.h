// How long to tolerate an alarm before acting on it, when some alarms clear by themselves: the cost
// of a window T, and the best T. Renewal reward over one alarm; the judge of `faultline tune`.
//
// The model. An alarm stops the job. With probability `lasting` (pi_h: hang, broken part) it stays
// until somebody acts; otherwise (pi_t = 1 - pi_h) it clears by itself after a time D with CDF F
// and survival S = 1 - F. The controller waits T, then acts at a cost of R (restart and everything
// around it). An alarm that clears by T, T included, costs its own length and no restart.
//
//   C(T)  = pi_h (T + R) + pi_t (E[min(D,T)] + S(T) R),   E[min(D,T)] = integral of S from 0 to T
//   C'(T) = pi_h + pi_t (S(T) - f(T) R)
//
// So it pays to wait while the recovery hazard of those that are still there,
// pi_t f(T) / (pi_h + pi_t S(T)), is more than 1/R. If that hazard falls with T (it does for
// exponential D: who is still there is ever more likely to be a lasting one), the best T is unique:
//
//   T* = (1/m) ln(pi_t (m R - 1) / pi_h)  for exponential D of rate m, if positive, else 0
//        (m R <= 1: never wait; pi_h = 0 and m R > 1: wait forever, infinite)
//
// Both C and T* follow by differentiation from the model above; there is no other source.
//
// Worked example, by hand. pi_h = 1/4, D exponential of mean 300 s, R = 1500 s, so m R = 5:
//   T*     = 300 ln(0.75 x 4 / 0.25) = 300 ln 12 = 745.47 s, where e^{-m T*} = 1/12
//   C(0)   = 1500 s
//   C(T*)  = 0.25 (745.47 + 1500) + 0.75 (300 x 11/12 + 1500/12) = 561.37 + 300 = 861.37 s
//   C'(0)  = 0.25 + 0.75 (1 - 5) = -2.75;  C'(T*) = 0.25 - 0.75 x 4 / 12 = 0
//
// Units: seconds as double, except where a Duration says so. Thread rule: pure functions.
#pragma once

#include <functional>

#include "models/base/time.h"

namespace faultline::analytic {

struct AlarmMix {
  double lasting = 0;          // pi_h, 0..1
  Duration act = 0_s;          // R: what acting costs
  Duration clears_mean = 1_s;  // of the others, exponential; more than 0
};

double window_cost_seconds(const AlarmMix& mix, Duration window);
double window_cost_derivative(const AlarmMix& mix, Duration window);
double best_window_seconds(const AlarmMix& mix);

// The same cost for any law of D, by adaptive Gauss-Kronrod quadrature of the survival function
// (relative error 1e-9 where `cdf` is smooth; about 1e-5 of the window where it jumps).
double window_cost_seconds(double lasting, Duration act, const std::function<double(double)>& cdf,
                           Duration window);

}  // namespace faultline::analytic
