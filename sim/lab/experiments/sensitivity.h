// One at a time: which assumption moves a result the most, so which number is worth measuring.
//
// Each assumption is scaled down and up by the same share, everything else as it is; the effect is the paired
// difference of the objective to the base (sim/lab/stats/paired_difference.h), because common random numbers strike
// every variant with the same faults. The swing of an assumption is the length of the range from its lowest to
// its highest effect, 0 (the base) included; a tornado diagram is the list by falling swing (Eschenbach,
// "Spiderplots versus tornado diagrams for sensitivity analysis", Interfaces 22 (1992) 40-46).
//
// Many effects are looked at, so their intervals hold together: with m effects each one is an interval at
// 1 - (1 - c)/m (Bonferroni). An assumption has a detectable effect if one of its two intervals leaves 0 out.
// An effect that is not known (NaN) counts as none in the swing. An interval takes two pairs: an assumption without
// any, because the experiment was interrupted, was not tested, which is something else than having no effect.
//
// What is left out by this method: assumptions that matter only together.
//
//   By hand: base 1, 2, 3; low 1, 2, 3 (never differs); high 2, 3, 5: differences 1, 1, 2, mean 4/3, error
//   1/3. The low side cannot have an effect; its interval is [0, 0]. m = 1 effect that varies: t(2, 97.5%) =
//   4.3027, interval 4/3 +- 1.4342: it holds 0, so no effect is detectable. The swing is 4/3.
//
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/lab/expression/expression.h"
#include "sim/lab/runner.h"
#include "sim/lab/stats/mean_estimate.h"

namespace faultline {

struct Effect {
  std::size_t n = 0;     // pairs
  double mean = 0;       // of the difference to the base; NaN: unknown
  Interval interval;     // holds together with all others
  bool never = false;    // no pair differs
  bool refused = false;  // the scenario does not allow it

  bool detectable() const { return interval.low > 0 || interval.high < 0; }
  bool tested() const;  // there is an interval
};

struct Sensitivity {
  std::size_t index = 0;  // of the assumption
  Effect low;             // scaled down
  Effect high;            // scaled up
  double swing = 0;

  bool detectable() const { return low.detectable() || high.detectable(); }
  bool tested() const { return low.tested() || high.tested(); }
};

// The rows of an assumption's two variants; null: the scenario does not allow that one, so nothing is known.
struct VariantRows {
  const Rows* low = nullptr;
  const Rows* high = nullptr;
};

// By falling swing; those with a detectable effect first, those that were not tested last. Rows are paired by their replication numbers.
std::vector<Sensitivity> tornado(const Expression& objective, const Rows& base,
                                 const std::vector<VariantRows>& variants,
                                 double confidence = 0.95);

}  // namespace faultline
