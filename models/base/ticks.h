// Something that happens again and again, exactly a period apart.
//
// Worked example: ticks of 15 s from 5 s on. The next one at or after 0 s is at 5 s, at or after 5 s at
// 5 s, a nanosecond later at 20 s.
//
// Thread rule: a pure function.
#pragma once

#include "models/base/time.h"

namespace faultline {

// The first tick at or after `t`, which is not `never`; with period 0, `t` itself.
constexpr SimTime next_tick(SimTime first, Duration period, SimTime t) {
  if (period == Duration::zero()) return t;
  if (t <= first) return first;
  const Duration late = (t - first) % period;
  return late == Duration::zero() ? t : t + (period - late);
}

}  // namespace faultline
