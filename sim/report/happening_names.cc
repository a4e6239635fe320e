#include "sim/report/happening_names.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace faultline {
namespace {

HappeningNames::Lists lists_of(const SimulationPlan& plan) {
  HappeningNames::Lists lists;
  for (const Fleet::Pool& pool : plan.fleet().pools())
    lists.pools.push_back({pool.name, pool.slots});
  for (const SimulationPlan::Job& job : plan.jobs()) lists.jobs.push_back(job.config->name);
  for (const FaultClass& fault_class : plan.classes()) {
    lists.classes.push_back({fault_class.config->name, fault_class.unit == ExposureUnit::kGpu});
  }
  lists.conditions = plan.contract().conditions();
  for (const Reason& reason : plan.contract().reasons()) lists.reasons.push_back(reason.name);
  return lists;
}

FleetConfig fleet_of(const HappeningNames::Lists& lists) {
  FleetConfig config;
  for (const HappeningNames::Pool& pool : lists.pools) {
    PoolConfig& added = config.pools.emplace_back();
    added.name = pool.name;
    added.nodes = pool.nodes;
  }
  return config;
}

const std::string& name_of(const std::string& name) { return name; }
const std::string& name_of(const HappeningNames::Class& fault_class) { return fault_class.name; }

template <class Id, class Named>
bool find_in(const std::vector<Named>& all, std::string_view name, Id& id) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& one) { return name_of(one) == name; });
  if (found == all.end()) return false;
  id = Id(static_cast<std::size_t>(found - all.begin()));
  return true;
}

}  // namespace

HappeningNames::HappeningNames(const SimulationPlan& plan) : HappeningNames(lists_of(plan)) {}

HappeningNames::HappeningNames(Lists lists)
    : lists_(std::move(lists)), fleet_(fleet_of(lists_), /*warm_spares_per_pool=*/0) {}

bool HappeningNames::find(std::string_view name, JobId& id) const {
  return find_in(lists_.jobs, name, id);
}
bool HappeningNames::find(std::string_view name, FaultClassId& id) const {
  return find_in(lists_.classes, name, id);
}
bool HappeningNames::find(std::string_view name, ConditionId& id) const {
  return find_in(lists_.conditions, name, id);
}
bool HappeningNames::find(std::string_view name, ReasonId& id) const {
  return find_in(lists_.reasons, name, id);
}

bool HappeningNames::find(std::string_view name, NodeId& id) const {
  const std::optional<NodeSlot> slot = fleet_.find(name);
  if (!slot) return false;
  NodeId found{*slot};
  if (const std::size_t mark = name.rfind(".g"); mark != std::string_view::npos) {
    std::from_chars(name.data() + mark + 2, name.data() + name.size(), found.generation);
  }
  // "train-7.g07", "train-007" and the like are not names.
  if (text(found) != name) return false;
  id = found;
  return true;
}

}  // namespace faultline
