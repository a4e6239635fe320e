// Two policies face the same faults: what differs between them shows through far less noise.
//
// Statistics. n = 200 replications of llama3, seed 1, no retries. The variance of the paired
// difference of ettr_ratio, over that of a difference of independent runs, Var(a) + Var(b). With n
// = 200 each variance is known to 10%; neighbouring windows (10 and 15 min) must be below 1/10,
// distant ones (10 min and 0 s, which differ by hundreds of needless replacements) below 1/3. The
// bounds are far from the values, so alpha is negligible. Mutant: the second policy with another
// seed has nothing in common and must be above the bound (near 1).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/support/estimate.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

std::vector<double> ettr(const char* window, std::uint64_t seed) {
  const std::string setting = "policy.tolerations.AcceleratedHardwareReady=" + std::string(window);
  return column(
      run_scenario(project_scenario("llama3", {setting}), {.seed = seed, .replications = 200}),
      "ettr_ratio");
}

double variance_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  return sample_variance(difference(a, b)) / (sample_variance(a) + sample_variance(b));
}

TEST(CommonRandomNumbers, APairedDifferenceHasLessThanATenthOfTheVariance) {
  const std::vector<double> ten = ettr("10m", 1);
  const double paired = variance_ratio(ten, ettr("15m", 1));
  const double paired_far = variance_ratio(ten, ettr("0s", 1));
  const double unpaired = variance_ratio(ten, ettr("15m", 2));
  EXPECT_LT(paired, 0.1);
  EXPECT_LT(paired_far, 1.0 / 3);
  EXPECT_GT(unpaired, 0.7);
  RecordProperty("paired", std::to_string(paired));
  RecordProperty("paired_far", std::to_string(paired_far));
  RecordProperty("unpaired", std::to_string(unpaired));
}

}  // namespace
}  // namespace faultline
