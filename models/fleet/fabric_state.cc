#include "models/fleet/fabric_state.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/base/check.h"

namespace faultline {

void WordHash::add(std::uint64_t word) {
  std::uint64_t z = (value_ ^ word) + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  value_ = z ^ (z >> 31);
}

void WordHash::add(double value) { add(std::bit_cast<std::uint64_t>(value + 0.0)); }

FabricState::FabricState(std::vector<FabricFault> faults) : faults_(std::move(faults)) {
  for (const FabricFault& fault : faults_) {
    FAULTLINE_CHECK(fault.bandwidth >= 0 && fault.bandwidth <= 1, "bandwidth {}", fault.bandwidth);
  }
  std::sort(faults_.begin(), faults_.end(),
            [](const FabricFault& a, const FabricFault& b) { return a.element < b.element; });
  std::size_t kept = 0;
  for (const FabricFault& fault : faults_) {
    if (kept > 0 && faults_[kept - 1].element == fault.element) {
      FabricFault& worst = faults_[kept - 1];
      worst.bandwidth = std::min(worst.bandwidth, fault.bandwidth);
      worst.extra_latency = std::max(worst.extra_latency, fault.extra_latency);
    } else {
      faults_[kept++] = fault;
    }
  }
  faults_.resize(kept);
  std::erase_if(faults_, [](const FabricFault& fault) {
    return fault.bandwidth == 1 && fault.extra_latency == Duration::zero();
  });
  WordHash hash;
  for (const FabricFault& fault : faults_) {
    hash.add(std::uint64_t{fault.element.value()});
    hash.add(fault.bandwidth);
    hash.add(static_cast<std::uint64_t>(fault.extra_latency.ns()));
  }
  key_ = hash.value();
}

}  // namespace faultline
