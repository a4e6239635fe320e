#include "models/collectives/tuning.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr double kMicrosecond = 1e-6;
constexpr double kShortestRoute = 2;  // cables: up and down again

struct Row {
  double base, nvlink, net;
};
// By protocol: LL, LL128, Simple.
constexpr Row kRing[] = {{6.6, 0.6, 2.7}, {14.0, 1.9, 4.0}, {8.4, 3.4, 14.0}};
constexpr Row kTree[] = {{6.8, 0.6, 5.0}, {14.0, 1.25, 8.5}, {8.4, 4.0, 14.0}};
// LL sends 4 bytes of flag with 4 of data and reaches less than half; LL128 has 120 bytes of data in
// 128. NCCL takes 8% off a tree's bandwidth.
constexpr double kRingShare[] = {0.25, 0.92, 1.0};
constexpr double kTreeShare[] = {0.92 / 3.8, 0.92 * 120 / 128, 0.92};

}  // namespace

StepLatency nccl_latency(CollectiveAlgorithm algorithm, Protocol protocol) {
  const auto p = static_cast<std::size_t>(protocol);
  const Row& row = algorithm == CollectiveAlgorithm::kTree ? kTree[p] : kRing[p];
  return {row.base * kMicrosecond, row.nvlink * kMicrosecond, row.net * kMicrosecond};
}

double data_share(CollectiveAlgorithm algorithm, Protocol protocol) {
  const auto p = static_cast<std::size_t>(protocol);
  return algorithm == CollectiveAlgorithm::kTree ? kTreeShare[p] : kRingShare[p];
}

StepLatency software_latency(const Fabric& fabric, CollectiveAlgorithm algorithm,
                             Protocol protocol) {
  StepLatency latency = nccl_latency(algorithm, protocol);
  const auto less = [&](double& step, ElementKind kind) {
    step = std::max(0.0, step - kShortestRoute * fabric.latency(kind));
  };
  less(latency.nvlink, ElementKind::kGpuPort);
  less(latency.net, ElementKind::kNic);
  return latency;
}

}  // namespace faultline
