// Taint-based eviction (kube-controller-manager, pkg/controller/tainteviction): a pod that does not tolerate a
// NoExecute taint of its node, or has tolerated it for its tolerationSeconds, is deleted with its own grace.
// The admission plugin DefaultTolerationSeconds gives every pod 300 s for unreachable and not-ready.
//
// A kubelet that is silent hears of the deletion when it is back: until then the pod stays, past its deletion
// time.
//
// Worked example: tainted unreachable at 10:00:40, 300 s, grace 30 s: deleted at 10:05:40, deletion time
// 10:06:10.
#pragma once

#include "policies/controller.h"
#include "policies/taint-eviction/taint_eviction_config.h"

namespace faultline {

class TaintEviction final : public Controller {
 public:
  std::string_view name() const override { return TaintEvictionConfig::kTag; }
  std::uint32_t watches() const override { return Watch::kTaints | Watch::kPodsOfNode; }
  void reconcile(const Request& request, Verbs& verbs) const override;
};

}  // namespace faultline
