#include "policies/taint-eviction/taint_eviction.h"

#include <algorithm>

namespace faultline {
namespace {

Duration tolerated(const observed::PodOwner& owner, observed::TaintName taint) {
  if (taint == observed::kUnreachableTaint) return owner.tolerates_unreachable;
  if (taint == observed::kNotReadyTaint) return owner.tolerates_not_ready;
  return Duration::zero();
}

}  // namespace

void TaintEviction::reconcile(const Request& request, Verbs& verbs) const {
  const observed::Picture& picture = request.picture;
  const observed::Node& node = picture.node(request.subject.node());
  SimTime next = SimTime::never();
  for (const observed::Taint& taint : node.taints) {
    if (taint.effect != observed::TaintEffect::kNoExecute) continue;
    for (const observed::PodKey pod : node.pods) {
      const observed::PodOwner& owner = picture.owner_of(pod);
      if (!picture.pod(pod).deletion.is_never()) continue;
      const SimTime due = taint.added + tolerated(owner, taint.name);
      if (request.now < due) {
        next = std::min(next, due);
      } else {
        verbs.delete_pod(pod, owner.grace);
      }
    }
  }
  verbs.look_again(next);
}

}  // namespace faultline
