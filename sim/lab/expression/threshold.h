// A condition judged by an interval: whether it is shown to hold, shown not to, or left open.
//
// `ettr.delta < -0.5pp` is about the true difference; what is known of it is an interval. The
// condition is
//
//   shown to hold   if every value of the interval meets it
//   shown not to    if no value does
//   open            otherwise, or if there is no interval: more replications may decide
//
// Each end of a two-sided 95% interval is beyond the truth at most one time in 40, so a gate that
// fails on "shown to hold" fails for nothing at most that often (stats/mean_limits.h: also where few
// replications say anything else than the others, which shows little of a mean).
//
// Two candidates that say the same in every one of n >= 30 paired replications are taken for the same: of a change
// that was never seen to do anything, no size is known, and no number of replications would bound it. What is
// known is how often it does something at most, 1 - 0.05^(1/n) with 95% confidence (3.0% for n = 100), and the
// report says so.
//
// Thread rule: pure functions.
#pragma once

#include <string_view>

#include "sim/lab/expression/expression.h"
#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

enum class Judgement { kHolds, kOpen, kDoesNotHold };

Judgement judge(const Condition& condition, const Interval& interval);

}  // namespace faultline
