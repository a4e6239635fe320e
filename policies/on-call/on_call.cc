#include "policies/on-call/on_call.h"

namespace faultline {

void OnCall::reconcile(const Request& request, Verbs& verbs) const {
  const observed::Pod& pod = request.picture.pod(request.subject.pod());
  if (pod.page.since.is_never() || !pod.node.valid()) return;
  const observed::Node& node = request.picture.node(pod.node);
  if (node.under_repair()) return;
  const auto draw = [&](const char* stream) {
    return request.random.uniform(StreamId(stream), pod.page.place, pod.page.episode);
  };
  const SimTime answer = pod.page.since + config_.pages.answers.sample(draw("policy/on-call"));
  if (request.now < answer) {
    verbs.look_again(answer);
    return;
  }
  const SimTime overrides = pod.page.since + config_.pages.overrides_after;
  if (request.now < overrides && !request.controllers.acts_at(node).is_never()) {
    verbs.look_again(overrides);
  } else if (config_.mends) {
    verbs.work_on(pod.node, config_.mends->sample(draw("policy/hands-on")));
  } else {
    verbs.delete_node(pod.node, request.now);
  }
}

}  // namespace faultline
