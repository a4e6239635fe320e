// The person on call: answers the page of a job that does not come back, after a while, and deletes the node or
// works on it. Ours, not Kubernetes'.
//
// If, at the answer, some other controller is going to act on the node (`ControllerList::acts_at`: a
// toleration that runs, an impaired instance), the person leaves it to that controller, also where a gate
// blocks it; should the condition clear while the pod still fails, the person acts then. After
// `overrides_after` the person acts whatever the others say: nobody looks at a closed gate for 15 days.
//
// The time to the answer is drawn once per episode of failing restarts on a place, addressed by (place,
// episode), so it is the same under every policy.
//
// Worked example: a pod fails since 1:00, the page is answered at 1:30. An alarm from 1:28 on is due at 1:38 and
// blocked by the gate then. With `overrides_after` 4 h the node is deleted at 5:00; with `infinite`, when the
// gate opens.
#pragma once

#include "policies/controller.h"
#include "policies/on-call/on_call_config.h"

namespace faultline {

class OnCall final : public Controller {
 public:
  explicit OnCall(OnCallControllerConfig config) : config_(std::move(config)) {}

  std::string_view name() const override { return OnCallControllerConfig::kTag; }
  std::uint32_t watches() const override { return watching(Watch::kPages); }
  bool is_a_person() const override { return true; }
  void reconcile(const Request& request, Verbs& verbs) const override;

 private:
  OnCallControllerConfig config_;
};

}  // namespace faultline
