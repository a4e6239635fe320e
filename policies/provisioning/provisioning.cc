#include "policies/provisioning/provisioning.h"

namespace faultline {

void Provisioning::reconcile(const Request& request, Verbs& verbs) const {
  const observed::MachineKey key = request.subject.machine();
  const observed::Machine& machine = request.picture.machine(key);
  if (machine.deleted.is_never() || machine.successor.valid()) return;
  const SimTime due = machine.deleted + config_.batch_window;
  if (request.now < due) {
    verbs.look_again(due);
  } else {
    verbs.launch(machine.pool, key);
  }
}

}  // namespace faultline
