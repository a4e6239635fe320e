#include "models/faults/active_faults.h"

namespace faultline {

void ActiveFaults::clear() {
  for (const ActiveFault& fault : pool_) {
    if (fault.node.slot.valid()) first_[fault.node.slot.index()] = kNoFault;
  }
  pool_.clear();
  free_.clear();
}

std::uint32_t ActiveFaults::add(const ActiveFault& fault) {
  std::uint32_t index = 0;
  if (free_.empty()) {
    index = static_cast<std::uint32_t>(pool_.size());
    pool_.push_back(fault);
  } else {
    index = free_.back();
    free_.pop_back();
    pool_[index] = fault;
  }
  if (fault.node.slot.valid()) {
    std::uint32_t& first = first_[fault.node.slot.index()];
    pool_[index].next_on_node = first;
    first = index;
  }
  return index;
}

void ActiveFaults::remove(std::uint32_t index) {
  ActiveFault& fault = pool_[index];
  fault.id = FaultId();
  if (fault.node.slot.valid()) {
    std::uint32_t* link = &first_[fault.node.slot.index()];
    while (*link != index) link = &pool_[*link].next_on_node;
    *link = fault.next_on_node;
  }
  free_.push_back(index);
}

}  // namespace faultline
