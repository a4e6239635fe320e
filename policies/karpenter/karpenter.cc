#include "policies/karpenter/karpenter.h"

#include <algorithm>

#include "models/base/ticks.h"
#include "policies/on_call.h"

namespace faultline {

KarpenterPolicy::KarpenterPolicy(const KarpenterConfig& config,
                                 const std::vector<std::string>& condition_names)
    : config_(config) {
  const auto& unknown = config.unknown_counts;
  for (std::size_t c = 0; c < condition_names.size(); ++c) {
    const std::string& name = condition_names[c];
    if (config.status_checks && name == config.status_checks->condition) {
      instance_ = ConditionId(c);
    }
    const auto toleration = config.tolerations.find(name);
    if (toleration == config.tolerations.end()) continue;
    rules_.push_back(
        {.condition = ConditionId(c),
         .unknown_counts = std::find(unknown.begin(), unknown.end(), name) != unknown.end(),
         .toleration = toleration->second});
  }
}

bool KarpenterPolicy::matches_any(const observed::Node& node) const {
  return std::any_of(rules_.begin(), rules_.end(), [&](const Rule& rule) {
    return rule.matches(node.condition(rule.condition).status);
  });
}

SimTime KarpenterPolicy::due(const observed::Node& node) const {
  SimTime earliest = SimTime::never();
  if (node.bad_conditions == 0) return earliest;
  for (const Rule& rule : rules_) {
    const observed::Condition& condition = node.condition(rule.condition);
    const SimTime at = condition.last_transition + rule.toleration;
    earliest = std::min(earliest, rule.matches(condition.status) ? at : SimTime::never());
  }
  return earliest;
}

SimTime KarpenterPolicy::impaired_due(const observed::Node& node) const {
  if (!instance_ || node.bad_conditions == 0) return SimTime::never();
  const observed::Condition& instance = node.condition(*instance_);
  if (instance.status != ConditionStatus::kFalse) return SimTime::never();
  const SimTime at = instance.last_transition + config_.status_checks->impaired_for;
  return at.is_never() ? at : next_tick(SimTime::start(), config_.status_checks->poll, at);
}

void KarpenterPolicy::reconcile(const PolicyInput& input, RepairActions& actions) const {
  const observed::Node& node = input.cluster.node(input.node);
  if (node.under_repair) return;
  const SimTime due_at = due(node);
  const SimTime impaired_at = impaired_due(node);
  if (due_at.is_never() && impaired_at.is_never()) return;
  if (impaired_at <= input.now) {
    replace(input, actions, /*on_call=*/false);
    return;
  }
  if (input.now < due_at) {
    actions.look_again(std::min(due_at, impaired_at));
    return;
  }
  const observed::Pool& pool = input.cluster.pool_of(input.node);
  const std::int64_t unhealthy =
      std::count_if(pool.suspects.begin(), pool.suspects.end(),
                    [&](NodeId suspect) { return matches_any(input.cluster.node(suspect)); });
  const std::int64_t allowed = config_.gate.allowed(pool.nodes);
  if (unhealthy > allowed) {
    actions.report_blocked(input.node,
                           {.unhealthy = unhealthy, .allowed = allowed, .total = pool.nodes});
    actions.look_again(std::min(input.now + config_.blocked_requeue, impaired_at));
    return;
  }
  replace(input, actions, /*on_call=*/false);
}

void KarpenterPolicy::pod_failing(const PolicyInput& input, RepairActions& actions) const {
  if (!config_.on_call) return;
  const observed::Node& node = input.cluster.node(input.node);
  if (node.under_repair) return;
  const SimTime answer = on_call_answers_at(*config_.on_call, input);
  if (answer.is_never()) return;
  if (input.now < answer) {
    actions.look_again(answer);
  } else if (due(node).is_never() && impaired_due(node).is_never()) {
    replace(input, actions, /*on_call=*/true);  // otherwise Karpenter will come
  }
}

void KarpenterPolicy::replace(const PolicyInput& input, RepairActions& actions,
                              bool on_call) const {
  const observed::Condition& ready = input.cluster.node(input.node).condition(observed::kReady);
  const bool holds_pods = ready.status == ConditionStatus::kUnknown &&
                          input.now - ready.last_transition < config_.silent_evicted_after;
  actions.replace(input.node, {.drain = holds_pods ? config_.drain_silent : config_.drain,
                               .launch_after = config_.batch_window,
                               .on_call = on_call});
}

}  // namespace faultline
