#include "models/observed/cluster.h"

#include <utility>

#include "models/base/check.h"

namespace faultline::observed {

Cluster::Cluster(std::vector<std::string> pool_names, std::vector<PoolId> pool_of,
                 std::vector<std::string> condition_names, std::vector<bool> published)
    : condition_names_(std::move(condition_names)),
      nodes_at_start_(pool_names.size()),
      pool_of_(std::move(pool_of)),
      pools_(pool_names.size()),
      slots_(0) {
  FAULTLINE_CHECK(condition_names_.size() <= kMaxConditions, "{} condition types are too many",
                  condition_names_.size());
  for (std::size_t c = 0; c < condition_names_.size(); ++c) {
    healthy_[c].status = published[c] ? ConditionStatus::kTrue : ConditionStatus::kAbsent;
  }
  for (std::size_t p = 0; p < pools_.size(); ++p) pools_[p].name = std::move(pool_names[p]);
  for (const PoolId pool : pool_of_) ++nodes_at_start_[pool.index()];
  Slot at_start;
  at_start.nodes[0].exists = true;
  at_start.nodes[0].conditions = healthy_;
  slots_ = TouchedTable<Slot>(pool_of_.size(), at_start);
  reset();
}

void Cluster::reset() {
  slots_.clear();
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    pools_[p].nodes = nodes_at_start_[p];
    pools_[p].suspects.clear();
  }
}

Node& Cluster::existing(NodeId id) {
  Node& node = slots_.touch(id.slot.index()).nodes[id.generation % 2];
  FAULTLINE_CHECK(node.exists && node.generation == id.generation,
                  "generation {} of node slot {} does not exist", id.generation, id.slot.value());
  return node;
}

void Cluster::update_suspect(NodeId id, Node& node, int bad_before) {
  if ((bad_before > 0) == (node.bad_conditions > 0)) return;
  auto& suspects = pools_[pool_of_[id.slot.index()].index()].suspects;
  if (node.bad_conditions > 0) {
    node.suspect_position = static_cast<std::uint32_t>(suspects.size());
    suspects.push_back(id);
    return;
  }
  const NodeId last = suspects.back();
  suspects[node.suspect_position] = last;
  existing(last).suspect_position = node.suspect_position;
  suspects.pop_back();
}

bool Cluster::set_condition(NodeId id, ConditionId type, ConditionStatus status, ReasonId reason,
                            SimTime now) {
  Node& node = existing(id);
  Condition& condition = node.conditions[type.index()];
  condition.reason = reason;
  if (condition.status == status) return false;
  const int bad_before = node.bad_conditions;
  if (is_bad(condition.status)) --node.bad_conditions;
  if (is_bad(status)) ++node.bad_conditions;
  condition.status = status;
  condition.last_transition = whole_seconds(now);
  update_suspect(id, node, bad_before);
  return true;
}

void Cluster::add_node(NodeId id, SimTime now) {
  Node& node = slots_.touch(id.slot.index()).nodes[id.generation % 2];
  FAULTLINE_CHECK_AT(now, !node.exists, "a Node of the same place still exists");
  node.generation = id.generation;
  node.exists = true;
  node.under_repair = false;
  node.bad_conditions = 0;
  // The places of conditions that nobody names are not touched.
  for (std::size_t c = 0; c < condition_names_.size(); ++c) {
    node.conditions[c] = healthy_[c];
    node.conditions[c].last_transition = whole_seconds(now);
  }
  ++pools_[pool_of_[id.slot.index()].index()].nodes;
  set_condition(id, kReady, ConditionStatus::kFalse, ReasonId(), now);
}

void Cluster::initialised(NodeId id, SimTime now) {
  set_condition(id, kReady, ConditionStatus::kTrue, ReasonId(), now);
}

void Cluster::set_under_repair(NodeId id, bool under_repair) {
  existing(id).under_repair = under_repair;
}

void Cluster::remove_node(NodeId id) {
  Node& node = existing(id);
  const int bad_before = node.bad_conditions;
  node.bad_conditions = 0;
  update_suspect(id, node, bad_before);
  node.exists = false;
  --pools_[pool_of_[id.slot.index()].index()].nodes;
}

void Cluster::set_failing(NodeSlot slot, SimTime since) {
  Pod& pod = slots_.touch(slot.index()).pod;
  if (!since.is_never() && pod.failing_since.is_never()) ++pod.failing_episodes;
  pod.failing_since = since;
}

}  // namespace faultline::observed
