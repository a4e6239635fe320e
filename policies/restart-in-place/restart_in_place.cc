#include "policies/restart-in-place/restart_in_place.h"

#include "policies/on_call.h"

namespace faultline {

void RestartInPlacePolicy::pod_failing(const PolicyInput& input, RepairActions& actions) const {
  if (input.cluster.node(input.node).under_repair) return;
  const SimTime answer = on_call_answers_at(config_.on_call, input);
  if (answer.is_never()) return;
  if (input.now < answer) {
    actions.look_again(answer);
    return;
  }
  const double u = input.random.uniform(StreamId("policy/hands-on"), input.node.slot.value(),
                                        input.cluster.pod(input.node.slot).failing_episodes);
  actions.repair_in_place(input.node, config_.repair.sample(u));
}

}  // namespace faultline
