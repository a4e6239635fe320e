#include "policies/node-repair/node_repair.h"

#include <algorithm>

namespace faultline {

NodeRepair::NodeRepair(const NodeRepairConfig& config,
                       const std::vector<std::string>& condition_types)
    : config_(config) {
  const auto& unknown = config.unknown_counts;
  for (std::size_t c = 0; c < condition_types.size(); ++c) {
    const std::string& type = condition_types[c];
    const auto toleration = config.tolerations.find(type);
    if (toleration == config.tolerations.end()) continue;
    const bool if_unknown = std::find(unknown.begin(), unknown.end(), type) != unknown.end();
    rules_.push_back({.match = {.type = ConditionId(c), .if_unknown = if_unknown},
                      .toleration = toleration->second});
  }
}

bool NodeRepair::cares_for(ConditionId type) const {
  return std::any_of(rules_.begin(), rules_.end(),
                     [&](const Rule& rule) { return rule.match.type == type; });
}

std::vector<observed::ConditionMatch> NodeRepair::counts() const {
  std::vector<observed::ConditionMatch> matches;
  for (const Rule& rule : rules_) matches.push_back(rule.match);
  return matches;
}

SimTime NodeRepair::acts_at(const observed::Node& node) const {
  SimTime earliest = SimTime::never();
  if (node.bad_conditions == 0) return earliest;
  for (const Rule& rule : rules_) {
    const observed::Condition& condition = node.condition(rule.match.type);
    if (!rule.match.matches(condition.status)) continue;
    earliest = std::min(earliest, condition.last_transition + rule.toleration);
  }
  return earliest;
}

void NodeRepair::reconcile(const Request& request, Verbs& verbs) const {
  const observed::Node& node = request.picture.node(request.subject.node());
  if (node.under_repair()) return;
  const SimTime due = acts_at(node);
  if (request.now < due) {
    verbs.look_again(due);
    return;
  }
  const observed::Pool& pool = request.picture.pool(node.pool);
  if (!gate_is_open(pool, request.self)) {
    verbs.wait_for_gate({.unhealthy = pool.matching[request.self],
                         .allowed = config_.gate.allowed(pool.nodes),
                         .total = pool.nodes},
                        config_.blocked_requeue);
    return;
  }
  verbs.delete_node(request.subject.node(), request.now);
}

}  // namespace faultline
