#include "policies/status-checks/status_checks.h"

#include "models/base/ticks.h"

namespace faultline {

StatusChecks::StatusChecks(const StatusChecksConfig& config,
                           const std::vector<std::string>& condition_types)
    : config_(config) {
  for (std::size_t c = 0; c < condition_types.size(); ++c) {
    if (condition_types[c] == config.condition) instance_ = ConditionId(c);
  }
}

SimTime StatusChecks::acts_at(const observed::Node& node) const {
  if (!instance_ || node.bad_conditions == 0) return SimTime::never();
  const observed::Condition& instance = node.condition(*instance_);
  if (instance.status != ConditionStatus::kFalse) return SimTime::never();
  const SimTime at = instance.last_transition + config_.impaired_for;
  return at.is_never() ? at : next_tick(SimTime::at(config_.first_poll), config_.poll, at);
}

void StatusChecks::reconcile(const Request& request, Verbs& verbs) const {
  const observed::Node& node = request.picture.node(request.subject.node());
  if (node.under_repair()) return;
  const SimTime due = acts_at(node);
  if (request.now < due) {
    verbs.look_again(due);
    return;
  }
  verbs.delete_node(request.subject.node(),
                    config_.drain == DrainKind::kForced ? request.now : SimTime::never());
}

}  // namespace faultline
