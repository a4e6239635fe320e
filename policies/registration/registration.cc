#include "policies/registration/registration.h"

namespace faultline {

void Registration::reconcile(const Request& request, Verbs& verbs) const {
  const observed::MachineKey key = request.subject.machine();
  const observed::Machine& machine = request.picture.machine(key);
  if (machine.launched.is_never() || machine.node.valid() || !machine.deleted.is_never()) return;
  const SimTime due = machine.launched + config_.ttl;
  if (request.now < due) {
    verbs.time_out(due);
  } else {
    verbs.delete_machine(key);
  }
}

}  // namespace faultline
