#include "sim/lab/expression/threshold.h"

#include <cmath>

namespace faultline {

Judgement judge(const Condition& condition, const Interval& interval) {
  if (std::isnan(interval.low) || std::isnan(interval.high)) return Judgement::kOpen;
  const bool low = condition.holds(interval.low);
  const bool high = condition.holds(interval.high);
  const bool one_point = interval.low == interval.high;
  // Whether an end meets an equality says nothing about the values between.
  if (condition.relation == Relation::kEqual || condition.relation == Relation::kNotEqual) {
    const bool out_of_reach = !interval.holds(condition.bound);
    if (!one_point && !out_of_reach) return Judgement::kOpen;
  }
  if (low != high) return Judgement::kOpen;
  return low ? Judgement::kHolds : Judgement::kDoesNotHold;
}

}  // namespace faultline
