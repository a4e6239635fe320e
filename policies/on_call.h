// The person on call: answers the page of a job that does not come back, after a while.
//
// The time to the answer is drawn once per episode of failing restarts on a slot, addressed by
// (slot, episode), so it is the same under every policy.
#pragma once

#include "policies/on-call/on_call_config.h"
#include "policies/policy.h"

namespace faultline {

// When the person acts on the failing pod of this node; never, if no pod fails there.
inline SimTime on_call_answers_at(const OnCallConfig& config, const PolicyInput& input) {
  const observed::Pod& pod = input.cluster.pod(input.node.slot);
  if (pod.failing_since.is_never()) return SimTime::never();
  const double u = input.random.uniform(StreamId("policy/on-call"), input.node.slot.value(),
                                        pod.failing_episodes);
  return pod.failing_since + config.answers.sample(u);
}

}  // namespace faultline
