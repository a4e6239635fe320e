// Karpenter's provisioner, as far as a fleet of constant size needs it (kubernetes-sigs/karpenter 22664681,
// pkg/controllers/provisioning): a machine that is being deleted leaves the capacity model, its pods are to be
// scheduled elsewhere, and after the batch window a machine is made for them. It is neither launched before
// the deletion nor waited for by it. A machine that was given back because it did not register is
// followed by another one in the same way.
//
// Worked example: deleted at 12:00:00, `batch_window` 1 s: the next machine is requested at 12:00:01, whatever
// the drain takes.
#pragma once

#include <string>

#include "policies/controller.h"
#include "policies/provisioning/provisioning_config.h"

namespace faultline {

class Provisioning final : public Controller {
 public:
  explicit Provisioning(ProvisioningConfig config) : config_(std::move(config)) {}

  std::string_view name() const override { return ProvisioningConfig::kTag; }
  std::uint32_t watches() const override { return watching(Watch::kMachineEnds); }
  void reconcile(const Request& request, Verbs& verbs) const override;

 private:
  ProvisioningConfig config_;
};

}  // namespace faultline
