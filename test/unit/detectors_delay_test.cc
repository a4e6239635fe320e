// The delay of a pushed signal over many nodes follows the law that the model card derives from it:
// U(0, 10 s) for the push plus U(0, 15 s) for the wait until the node's next report.
//
// Statistics. n = 20,000 nodes, one signal each at t = 1 h, seed 1, no retries. Kolmogorov-Smirnov:
// reject above 1.949 / sqrt(n) (alpha = 0.1%). Mutant: a report of 15.75 s (x 1.05) must be rejected.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/detectors/timing.h"

namespace faultline {
namespace {

constexpr int kNodes = 20'000;

DetectorsConfig pushing(Duration report) {
  DetectorsConfig config;
  config.report = report;
  config.channels.push_back(
      {.name = "push",
       .monitor = "m",
       .by = PushChannel{.delay = Distribution::make_uniform(0_s, 10_s).value()}});
  config.reasons.push_back(
      {.name = "R", .condition = "C", .severity = Severity::kFatal, .channel = "push"});
  config.xids = {.fatal = {}, .condition = "C", .channel = "push"};
  return config;
}

// P(U(0, 10) + U(0, 15) <= x).
double law(double x) {
  const auto half_square = [](double y) { return y > 0 ? y * y / 2 : 0; };
  return (half_square(x) - half_square(x - 10) - half_square(x - 15) + half_square(x - 25)) / 150;
}

double distance_from_law(const DetectorsConfig& config) {
  const Contract contract(config, {});
  const DetectionTiming timing(config, contract);
  const RandomSource random(1, 0);
  const SimTime signal = SimTime::at(1_h);
  std::vector<double> delays;
  for (int n = 0; n < kNodes; ++n) {
    const double u = random.uniform(StreamId("test/push"), static_cast<std::uint32_t>(n), 0);
    const SimTime published =
        timing.published_at(ReasonId(0), {.node = {NodeSlot(n), 0}, .started = SimTime::start()},
                            signal, SimTime::never(), u, random);
    delays.push_back((published - signal).seconds());
  }
  std::sort(delays.begin(), delays.end());
  double distance = 0;
  for (int i = 0; i < kNodes; ++i) {
    const double f = law(delays[static_cast<std::size_t>(i)]);
    distance = std::max(
        {distance, std::abs(f - i / double{kNodes}), std::abs(f - (i + 1) / double{kNodes})});
  }
  return distance;
}

TEST(DetectionDelay, PushAndReportFollowTheSumOfTwoUniforms) {
  const double critical = 1.949 / std::sqrt(double{kNodes});
  EXPECT_LT(distance_from_law(pushing(15_s)), critical);
  EXPECT_GT(distance_from_law(pushing(Duration::from_seconds(15.75))), critical);
}

}  // namespace
}  // namespace faultline
