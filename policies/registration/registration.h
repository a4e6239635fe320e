// Karpenter's registration time-out (kubernetes-sigs/karpenter 22664681, nodeclaim/lifecycle/liveness.go): a
// machine whose Node has not registered in time is given back; registering exactly then is in time. What comes
// after registration is not its business: there is no time-out of initialisation.
//
// Worked example: launched at 10:03, `ttl` 15 min, it would register at 10:20:30: given back at 10:18.
#pragma once

#include <string>

#include "policies/controller.h"
#include "policies/registration/registration_config.h"

namespace faultline {

class Registration final : public Controller {
 public:
  explicit Registration(RegistrationConfig config) : config_(std::move(config)) {}

  std::string_view name() const override { return RegistrationConfig::kTag; }
  std::uint32_t watches() const override { return watching(Watch::kMachines); }
  void reconcile(const Request& request, Verbs& verbs) const override;

 private:
  RegistrationConfig config_;
};

}  // namespace faultline
