// A training step taken apart: what a rank waits for, and how the waits add up.
//
// The parts are seconds before anything is hidden. What can overlap with compute is hidden up to the
// share that the workload gives, and never for longer than the compute lasts:
//
//   exposed(t, share) = t - min(share x t, compute)
//
// So a healthy step hides what its share says, and one whose gradients take ten times as long on a
// slow NIC hides no more than there is to hide behind.
//
//   total = compute + exposed TP + CP + PP + exposed DP + bubble
//   bubble = (compute + exposed TP + CP) x (pp - 1) / (v m)     (Narayanan et al., SC21)
//
// Example: compute 5 s, DP 0.4 s of which 90% overlap: 0.04 s are seen. On a NIC at a fiftieth DP
// takes 20 s; 18 s could overlap but compute has 5 s, so 15 s are seen.
//
// Thread rule: values; immutable after construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/collectives/plan.h"
#include "models/collectives/step_time.h"
#include "models/collectives/tuning.h"

namespace faultline {

enum class StepPart : std::uint8_t { kCompute, kTp, kCp, kPp, kGradients, kParameters };
inline constexpr std::size_t kStepParts = 6;

// Seconds of each part; the order of StepPart.
struct StepParts {
  std::array<double, kStepParts> seconds{};

  double& operator[](StepPart part) { return seconds[static_cast<std::size_t>(part)]; }
  double operator[](StepPart part) const { return seconds[static_cast<std::size_t>(part)]; }
};

// Adds the parts of a step up. Small: kept where a whole StepPlan is not.
class StepSum {
 public:
  explicit StepSum(const TrainingStep& step);
  StepTime time(const StepParts& parts) const;

 private:
  double tp_hidden_;
  double dp_hidden_;
  double bubble_share_;
  double at_peak_;  // seconds of a step at the peak of every GPU
};

class StepPlan {
 public:
  // One kind of collective, in all its groups at once.
  struct Collective {
    StepPart part = StepPart::kTp;
    Phase phase;
    double times = 1;  // that a step waits for it, one after another
    double base = 0;   // seconds once per operation
  };

  // The step fits the fabric (`step_misfit`).
  StepPlan(const TrainingStep& step, const Fabric& fabric, std::uint32_t first_node = 0);

  double compute() const { return compute_; }
  const std::vector<Collective>& collectives() const { return collectives_; }
  const StepLatency& software() const { return software_; }
  const StepSum& sum() const { return sum_; }
  // The parts, if each collective's phase takes `seconds(collective)`.
  template <class Seconds>
  StepParts parts(Seconds seconds) const {
    StepParts parts;
    parts[StepPart::kCompute] = compute_;
    for (const Collective& collective : collectives_) {
      parts[collective.part] = collective.times * (collective.base + seconds(collective));
    }
    return parts;
  }

 private:
  // Every group of `size` ranks that are `stride` apart sends round its ring.
  void add(StepPart part, double times, double base, std::int64_t steps, std::int64_t stride,
           std::int64_t size, double bytes);

  StepSum sum_;
  StepLatency software_;
  GpuIndex first_gpu_;
  std::int64_t ranks_;
  double wire_per_byte_;
  double compute_;
  std::vector<Collective> collectives_;
};

}  // namespace faultline
