// Karpenter's termination of a node that is being deleted (kubernetes-sigs/karpenter 22664681,
// pkg/controllers/node/termination, terminator/eviction.go): taint, drain, end of the instance.
//
// A forced drain (its termination time has passed) deletes every pod with `pod_grace`, past budgets and
// do-not-disrupt. A graceful one evicts them and takes no for an answer: a budget that allows nothing holds the
// node for ever. Either way it waits for the pods that are left, but not for one that is past its deletion time
// by more than `stuck_after`, and looks each `requeue`; no drain is shorter than `min_drain`.
//
// How long a drain takes is a result, not a setting. Worked examples, deleted at 0 s, forced:
//   the kubelet answers: the pod is gone at 1 s, the node drained at 5 s (`min_drain`);
//   the kubelet is silent: deletion time 1 s, stuck from 61 s on; at the look at 61 s it is not yet *more* than
//   1 min, at 62 s it is: drained at 62 s;
//   silent, and its pod was evicted so long ago that it counts as stuck: drained at 5 s.
#pragma once

#include <string>

#include "policies/controller.h"
#include "policies/termination/termination_config.h"

namespace faultline {

class Termination final : public Controller {
 public:
  explicit Termination(TerminationConfig config) : config_(std::move(config)) {}

  std::string_view name() const override { return TerminationConfig::kTag; }
  std::uint32_t watches() const override { return Watch::kDeletions | Watch::kPodsOfNode; }
  void reconcile(const Request& request, Verbs& verbs) const override;

 private:
  // Asks the pod to go. When the drain looks at it next: at or before now, it holds the node no longer; never,
  // it will not go by itself.
  SimTime drain(const Request& request, observed::PodKey key, bool forced, Verbs& verbs) const;

  TerminationConfig config_;
};

}  // namespace faultline
