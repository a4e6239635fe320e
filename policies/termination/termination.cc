#include "policies/termination/termination.h"

#include <algorithm>

#include "models/base/ticks.h"

namespace faultline {

SimTime Termination::drain(const Request& request, observed::PodKey key, bool forced,
                           Verbs& verbs) const {
  const observed::Picture& picture = request.picture;
  if (picture.owner_of(key).ignores_drain) return request.now;
  const SimTime deletion = picture.pod(key).deletion;
  if (forced && request.now + config_.pod_grace < deletion) {
    verbs.delete_pod(key, config_.pod_grace);
  } else if (!forced && deletion.is_never() && !verbs.evict(key)) {
    return SimTime::never();
  }
  const SimTime stuck = picture.pod(key).deletion + config_.stuck_after;
  if (stuck < request.now || stuck.is_never()) return stuck;
  const SimTime deleted = picture.node(request.subject.node()).deleted;
  return next_tick(deleted, config_.requeue, stuck + 1_ns);
}

void Termination::reconcile(const Request& request, Verbs& verbs) const {
  const observed::NodeKey key = request.subject.node();
  const observed::Node& node = request.picture.node(key);
  if (node.deleted.is_never() || node.drained) return;
  if (node.taint(observed::kDisruptedTaint) == nullptr) {
    verbs.taint(key, observed::kDisruptedTaint, observed::TaintEffect::kNoSchedule);
  }
  const bool forced = node.terminate_by <= request.now;
  SimTime drained = node.deleted + config_.min_drain;
  for (const observed::PodKey pod : node.pods) {
    drained = std::max(drained, drain(request, pod, forced, verbs));
  }
  if (drained <= request.now) {
    verbs.terminate(key);
  } else {
    verbs.look_again(forced ? drained : std::min(drained, node.terminate_by));
  }
}

}  // namespace faultline
