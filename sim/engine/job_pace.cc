#include "sim/engine/job_pace.h"

#include <algorithm>
#include <map>
#include <utility>

#include "models/base/check.h"
#include "models/workloads/work_clock.h"

namespace faultline {
namespace {

constexpr auto kFull = static_cast<double>(WorkClock::kFullSpeed);

// Numbers the kinds of places in the order in which they come.
class Kinds {
 public:
  explicit Kinds(std::vector<JobPace::Kind>& kinds) : kinds_(kinds) {}

  std::uint32_t number(const std::optional<StepParts>& parts) {
    const JobPace::Kind kind{.parts = parts.value_or(StepParts{}), .cut = !parts};
    const auto [known, added] = known_.try_emplace(std::pair(kind.cut, kind.parts.seconds),
                                                   static_cast<std::uint32_t>(kinds_.size()));
    if (added) kinds_.push_back(kind);
    return known->second;
  }

 private:
  std::vector<JobPace::Kind>& kinds_;
  std::map<std::pair<bool, std::array<double, kStepParts>>, std::uint32_t> known_;
};

std::vector<std::uint32_t> kinds_of_places(const DegradesConfig& degrades, const Fabric& fabric,
                                           const StepPace& pace, Kinds& kinds) {
  if (degrades.part == DegradedPart::kGpu) {
    return {kinds.number(degrades.to > 0 ? std::optional(pace.with_slow_gpu(degrades.to))
                                         : std::nullopt)};
  }
  std::vector<std::uint32_t> of_place;
  const std::uint32_t gpus = fabric.nodes() * fabric.gpus_per_node();
  of_place.reserve(gpus);
  std::map<ElementId, std::uint32_t> of_element;  // several GPUs share a switch, or a NIC
  for (GpuIndex gpu = 0; gpu < gpus; ++gpu) {
    const ElementId element = degraded_element(degrades.part, fabric, gpu);
    auto known = of_element.find(element);
    if (known == of_element.end()) {
      const FabricState state({{.element = element,
                                .bandwidth = degrades.to,
                                .extra_latency = degrades.extra_latency}});
      known = of_element.emplace(element, kinds.number(pace.with(state))).first;
    }
    of_place.push_back(known->second);
  }
  return of_place;
}

}  // namespace

ElementId degraded_element(DegradedPart part, const Fabric& fabric, GpuIndex gpu) {
  const std::uint32_t node = fabric.node_of(gpu);
  const std::uint32_t rail = fabric.rail_of(gpu);
  const std::uint32_t leaf = fabric.leaf_of(node, rail);
  switch (part) {
    case DegradedPart::kNvlink: return fabric.gpu_port(gpu);
    case DegradedPart::kNic: return fabric.nic(node, rail);
    case DegradedPart::kUplink: return fabric.leaf_uplink(leaf, fabric.uplink_of(node, rail));
    case DegradedPart::kLeaf: return fabric.element(ElementKind::kLeaf, leaf);
    case DegradedPart::kSpine:
      return fabric.element(ElementKind::kSpine,
                            fabric.spine_above(leaf, fabric.uplink_of(node, rail)));
    case DegradedPart::kCore:
      return fabric.element(
          ElementKind::kCore,
          fabric.core_above(fabric.spine_above(leaf, fabric.uplink_of(node, rail)),
                            fabric.spine_uplink_of(node, rail)));
    case DegradedPart::kGpu: break;
  }
  FAULTLINE_CHECK(false, "the speed of a GPU is no part of the fabric");
  return {};
}

JobPace::JobPace(const TrainingStep& step, const Fabric& fabric, std::uint32_t first_node,
                 const FaultCatalogueConfig& faults)
    : sum_(step), gpus_per_node_(fabric.gpus_per_node()) {
  const StepPace pace(step, fabric, first_node);
  healthy_parts_ = pace.healthy();
  healthy_ = sum_.time(healthy_parts_);
  Kinds kinds(kinds_);
  for (const FaultClassConfig& fault_class : faults.classes) {
    of_class_.push_back(fault_class.degrades
                            ? kinds_of_places(*fault_class.degrades, fabric, pace, kinds)
                            : std::vector<std::uint32_t>{});
  }
}

std::int64_t JobPace::speed(const StepParts& parts, std::int64_t known_speed) const {
  const double extra = sum_.time(parts).total - healthy_.total;
  const double step = healthy_.total * kFull / static_cast<double>(known_speed) + extra;
  return static_cast<std::int64_t>(kFull * healthy_.total / step + 0.5);
}

}  // namespace faultline
