// Numbers of spares meet the same faults: what one spare more does shows in few replications.
//
// The spares' own faults are drawn apart (models/faults/arrivals.h), so the other machines meet the
// same faults whatever the number of spares. Between 2 and 4 spares of llama3 next to nothing
// changes but the faults of two more idle machines; between 0 and 1 the job stops waiting for
// launches. The variance of the paired difference of the ETTR over that of two independent runs, n
// = 60: its estimate has a relative standard error of about sqrt(2/59) = 18% for each of the
// variances. Drawn together, it is about 1.
#include <gtest/gtest.h>

#include <string>

#include "sim/lab/metric_values.h"
#include "sim/lab/stats/paired_difference.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

std::vector<double> ettr_with(int spares) {
  const Scenario scenario =
      project_scenario("llama3", {"capacity.warm_spares=" + std::to_string(spares)});
  return column(run_scenario(scenario, {.seed = 11, .replications = 60}), "ettr_ratio");
}

TEST(SparePairing, OneSpareMoreIsSeenUnderTheSameFaults) {
  const auto two = ettr_with(2);
  const PairedDifference more = paired_difference(two, ettr_with(4));
  const PairedDifference first = paired_difference(ettr_with(0), ettr_with(1));
  RecordProperty("2 to 4", std::to_string(more.variance_ratio));
  RecordProperty("0 to 1", std::to_string(first.variance_ratio));
  EXPECT_LT(more.variance_ratio, 0.1);
  EXPECT_LT(first.variance_ratio, 0.25);
  EXPECT_TRUE(first.shown(0.999));
}

}  // namespace
}  // namespace faultline
