// From a critical Xid to a replacement that is ready, under Karpenter with the defaults of AWS: the
// published "under 12 minutes", here with a median of 11 min 30 s to 12 min.
//
// The exact law, from the catalogue's parameters:
//
//   fault to ready = push + report + 599.5 s + 1 s + launch + registration
//
//   push ~ U(0, 10 s)       DCGM's policy callback
//   report ~ U(0, 15 s)     wait for the agent's next report (its phase is uniform)
//   600 s                   toleration of AcceleratedHardwareReady, exactly, from lastTransitionTime, which is in
//                           whole seconds: on average 599.5 s from the condition (its spread of 0.3 s is
//                           left out)
//   1 s                     batch window; the drain of 5 s runs beside the launch, and ends first
//   launch ~ lognormal (median 90 s, p95 4 min), registration ~ lognormal (median 5 s, p95 15 s)
//
// Statistics. n = 200 replications of llama3, seed 1, no retries: about 54,000 replacements. The
// standard error of the median is 1 / (2 f sqrt(N)) with f the density there, about 0.4 s. Check:
// |p50 - exact| <= 3 standard errors, alpha = 0.3%. p50 is read from a histogram with 32 buckets
// per doubling (16 s wide here, linear inside), so the exact law is read through the same buckets.
// Mutants: launch x 1.05 (4.5 s) must be rejected by the exact check, a toleration of 11 min by the
// window.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/engine/simulation.h"
#include "test/support/run_scenario.h"

namespace faultline {
namespace {

const ReplicationOptions kOptions{.seed = 1, .replications = 200};

// --- The exact law -----------------------------------------------------------------------------

// P(U(0, 10) + U(0, 15) <= x).
double detected_within(double x) {
  const auto half_square = [](double y) { return y > 0 ? y * y / 2 : 0; };
  return (half_square(x) - half_square(x - 10) - half_square(x - 15) + half_square(x - 25)) / 150;
}

class FaultToReady {
 public:
  // Launch and registration by the midpoints of equally likely cells: 1000 x 100.
  FaultToReady() {
    const Distribution launch = Distribution::make_lognormal_with_percentiles(90_s, 4_min).value();
    const Distribution registration =
        Distribution::make_lognormal_with_percentiles(5_s, 15_s).value();
    for (int l = 0; l < 1000; ++l) {
      const double launched = launch.quantile((l + 0.5) / 1000).seconds();
      for (int r = 0; r < 100; ++r) {
        provision_.push_back(launched + registration.quantile((r + 0.5) / 100).seconds());
      }
    }
  }
  double cdf(double seconds) const {
    double total = 0;
    for (const double provision : provision_) total += detected_within(seconds - 600.5 - provision);
    return total / static_cast<double>(provision_.size());
  }
  // The median as a histogram with buckets of 16 s shows it.
  double median_in_buckets() const {
    double lower = 512;
    while (cdf(lower + 16) < 0.5) lower += 16;
    const double below = cdf(lower);
    return lower + 16 * (0.5 - below) / (cdf(lower + 16) - below);
  }

 private:
  std::vector<double> provision_;
};

// --- Simulated ---------------------------------------------------------------------------------

struct Measured {
  double p50 = 0;
  double n = 0;

  bool in_the_published_window() const { return 690 <= p50 && p50 <= 720; }
  bool agrees(const FaultToReady& law) const {
    const double exact = law.median_in_buckets();
    const double density = (law.cdf(exact + 8) - law.cdf(exact - 8)) / 16;
    return std::abs(p50 - exact) <= 3 / (2 * density * std::sqrt(n));
  }
};

Measured measure(const Scenario& scenario) {
  const SimulationPlan plan(scenario);
  const ReplicationTable table = run_replications(plan, kOptions);
  std::size_t channel = 0;
  while (scenario.detectors.channels[channel].name != "dcgm-policy") ++channel;
  const Histogram& histogram = table.pooled.fault_to_ready_by_channel[channel];
  return {.p50 = histogram.quantile_seconds(0.5), .n = static_cast<double>(histogram.count())};
}

TEST(CriticalXid, FaultToReadyIsUnderTwelveMinutes) {
  const FaultToReady law;
  const Measured measured = measure(project_scenario("llama3"));
  EXPECT_GT(measured.n, 50'000);
  EXPECT_TRUE(measured.in_the_published_window()) << measured.p50;
  EXPECT_TRUE(measured.agrees(law)) << measured.p50 << ", exact " << law.median_in_buckets();
  RecordProperty("p50_seconds", std::to_string(measured.p50));
  RecordProperty("exact_p50_seconds", std::to_string(law.median_in_buckets()));

  const Measured slow_launch = measure(
      project_scenario("llama3", {"capacity.launch=!lognormal {median: 94.5s, p95: 252s}"}));
  EXPECT_FALSE(slow_launch.agrees(law)) << slow_launch.p50;
  const Measured patient =
      measure(project_scenario("llama3", {"policy.tolerations.AcceleratedHardwareReady=11m"}));
  EXPECT_FALSE(patient.in_the_published_window()) << patient.p50;
}

// The phases of one repair: from the Xid's condition to the decision, to the end of the drain.
class XidRepairs final : public HappeningSink {
 public:
  explicit XidRepairs(const SimulationPlan& plan) : plan_(plan) {}

  void on(const Happening& happening) override {
    if (const auto* changed = std::get_if<ConditionChanged>(&happening.what)) {
      const bool by_xid = changed->reason.valid() &&
                          plan_.contract().reason(changed->reason).name.starts_with("NvidiaXID");
      if (changed->status == ConditionStatus::kFalse && by_xid) {
        seen_[changed->node] = happening.time;
        condition_ = happening.id;
      } else {
        seen_.erase(changed->node);
      }
    } else if (const auto* behind = std::get_if<FaultBehind>(&happening.what)) {
      if (happening.cause == condition_) detect.push_back(behind->since_fault.seconds());
    } else if (const auto* decided = std::get_if<RepairDecided>(&happening.what)) {
      decided_[decided->node] = happening.time;
      if (const auto seen = seen_.find(decided->node); seen != seen_.end()) {
        tolerate.push_back(happening.time - observed::whole_seconds(seen->second));
      }
    } else if (const auto* drained = std::get_if<NodeDrained>(&happening.what)) {
      if (seen_.count(drained->node) > 0) drain.push_back(happening.time - decided_[drained->node]);
    } else if (std::holds_alternative<RunEnded>(happening.what)) {
      seen_.clear();
      decided_.clear();
      condition_ = {};
    }
  }

  std::vector<double> detect;
  std::vector<Duration> tolerate;
  std::vector<Duration> drain;

 private:
  const SimulationPlan& plan_;
  std::map<NodeId, SimTime> seen_;
  std::map<NodeId, SimTime> decided_;
  HappeningId condition_;  // of an Xid, the last one
};

double share_of(const std::vector<Duration>& durations, Duration value) {
  return static_cast<double>(std::count(durations.begin(), durations.end(), value)) /
         static_cast<double>(durations.size());
}

// Another condition of the same node, or a person, may have come first: once in hundreds.
TEST(CriticalXid, SecondsToDetectTenMinutesToTolerateFiveSecondsToDrain) {
  const Scenario scenario = project_scenario("llama3");
  const SimulationPlan plan(scenario);
  Simulation simulation(plan);
  XidRepairs repairs(plan);
  for (std::uint32_t r = 0; r < 10; ++r) simulation.run(RandomSource(1, r), repairs);

  ASSERT_GT(repairs.tolerate.size(), 2000U);
  EXPECT_LE(*std::max_element(repairs.detect.begin(), repairs.detect.end()), 25);
  EXPECT_LE(*std::max_element(repairs.tolerate.begin(), repairs.tolerate.end()), 10_min);
  EXPECT_GT(share_of(repairs.tolerate, 10_min), 0.99);
  EXPECT_GT(share_of(repairs.drain, 5_s), 0.99);
}

}  // namespace
}  // namespace faultline
