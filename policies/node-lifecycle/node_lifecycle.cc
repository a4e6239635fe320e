#include "policies/node-lifecycle/node_lifecycle.h"

namespace faultline {

void NodeLifecycle::reconcile(const Request& request, Verbs& verbs) const {
  const observed::NodeKey key = request.subject.node();
  const observed::Node& node = request.picture.node(key);
  const auto keep = [&](observed::TaintName name, bool wanted) {
    if (wanted == (node.taint(name) != nullptr)) return;
    if (wanted) {
      verbs.taint(key, name, observed::TaintEffect::kNoExecute);
    } else {
      verbs.untaint(key, name);
    }
  };
  const ConditionStatus ready = node.condition(observed::kReady).status;
  keep(observed::kUnreachableTaint, ready == ConditionStatus::kUnknown);
  keep(observed::kNotReadyTaint, ready == ConditionStatus::kFalse);
}

}  // namespace faultline
