#include "sim/engine/degraded_parts.h"

#include <algorithm>

namespace faultline {

bool DegradedParts::is_cut(const ActiveFault& fault) const {
  const JobPace::Kind* kind = nullptr;
  if (fault.job.valid()) {
    kind = pace_under(fault, fault.job);
  } else if (!is_shared(fault)) {
    for (const SimulationPlan::Job& job : plan_.jobs()) {
      if (job.pool != plan_.fleet().pool_of(fault.node.slot)) continue;
      kind = &job.pace->kind(fault.fault_class, job.places.front(), fault.gpu);
    }
  }
  return kind != nullptr && kind->cut;
}

const JobPace::Kind* DegradedParts::pace_under(const ActiveFault& fault, JobId job) const {
  const NodeSlot at = place_of(fault, job);
  if (!at.valid()) return nullptr;
  return &plan_.jobs()[job.index()].pace->kind(fault.fault_class, at, fault.gpu);
}

NodeSlot DegradedParts::place_of(const ActiveFault& fault, JobId job) const {
  const DegradedPart part = degrades(fault)->part;
  const NodeSlot struck = fault.node.slot;
  const std::vector<NodeSlot>& places = plan_.jobs()[job.index()].places;
  const auto place = [&](NodeSlot slot) {
    const PlaceShare& share = places_.share(slot);
    return share.job == job ? places[share.rank] : NodeSlot();
  };
  if (!is_shared(fault)) return standing_[struck].leaving ? NodeSlot() : place(struck);
  if (!is_of_leaf(part)) return struck;
  const auto at_leaf = static_cast<std::uint32_t>(plan_.scenario().fleet.fabric->nodes_per_leaf);
  const std::uint32_t first = struck.value() / at_leaf * at_leaf;
  const std::uint32_t after = std::min(first + at_leaf, plan_.fleet().slots());
  NodeSlot moved = place(struck);
  for (NodeSlot slot(first); slot.value() < after; slot = NodeSlot(slot.value() + 1)) {
    const NodeSlot at = place(slot);
    if (at == slot) return struck;  // it stands where it stood at the start
    if (at.valid() && part == DegradedPart::kLeaf) moved = at;
  }
  return moved;
}

}  // namespace faultline
