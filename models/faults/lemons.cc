#include "models/faults/lemons.h"

namespace faultline {
namespace {

constexpr StreamId kAtStart("faults/lemons");
constexpr StreamId kLaunched("faults/lemon-launched");

}  // namespace

void Lemons::begin(const RandomSource& random) {
  random_ = &random;
  if (!exist()) return;
  lemons_.clear();
  const std::size_t first = machines_ - count_;
  for (std::size_t j = first; j < machines_; ++j) {
    const double u = random.uniform(kAtStart, static_cast<std::uint32_t>(j - first), 0);
    const MachineId drawn(static_cast<std::size_t>(u * static_cast<double>(j + 1)));
    lemons_.insert(lemons_.contains(drawn) ? MachineId(j) : drawn);
  }
}

bool Lemons::launched(NodeId node) const {
  return exist() && random_->uniform(kLaunched, node.slot.value(), node.generation) < share_;
}

}  // namespace faultline
