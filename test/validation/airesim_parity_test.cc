// Parity with AIReSim on its small and middle settings; the large ones are in
// airesim_parity_slow_test.cc. What is compared, and how: test/support/airesim.h.
#include "test/support/airesim.h"

namespace faultline::airesim {
namespace {

TEST(AIReSimParity, SmallAndMiddleSettings) {
  compare([](const std::string& setting) { return setting.front() != 'l'; }, 10);
}

// All rates x 1.05. Failures of M1: 419.6 +- 1.4 (one standard error) against 440.6 +- 1.0: z = 12.
TEST(AIReSimParity, ARateFivePercentTooHighFails) {
  const std::map<std::string, Metrics> settings = reference();
  Scenario scenario = project_scenario(file_of("m1_llama3_like"));
  for (FaultClassConfig& fault_class : scenario.faults.classes) fault_class.rate->count *= 1.05;
  const Metrics ours = simulate(scenario, 400);
  EXPECT_GT(z_of(ours.at("total_failures"), settings.at("m1_llama3_like").at("total_failures")),
            limit(252));
}

}  // namespace
}  // namespace faultline::airesim
