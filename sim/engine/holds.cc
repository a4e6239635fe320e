#include "sim/engine/holds.h"

namespace faultline {

Holds::Holds(const SimulationPlan& plan, Kernel& kernel, const Standing& standing,
             const Places& places, Jobs& jobs)
    : kernel_(kernel),
      standing_(standing),
      places_(places),
      jobs_(jobs),
      slots_(plan.fleet().slots()) {}

void Holds::begin() {
  slots_.clear();
  sickens_.clear();
}

void Holds::sicken(std::uint32_t fault, NodeSlot slot) {
  if (fault >= sickens_.size()) sickens_.resize(fault + 1);
  sickens_[fault] = true;
  ++slots_.touch(slot.index()).sick;
}

bool Holds::heal(std::uint32_t fault, NodeSlot slot) {
  if (fault >= sickens_.size() || !sickens_[fault]) return false;
  sickens_[fault] = false;
  --slots_.touch(slot.index()).sick;
  return true;
}

void Holds::update(NodeSlot slot, TrainingJob::Fit fit) {
  const JobId job = places_.job_on(slot);
  if (!job.valid()) return;
  Slot& state = slots_.touch(slot.index());
  const StandingMachine& machine = standing_[slot];
  const NodeId node = standing_.node(slot);
  const bool fails = state.sick > 0 && machine.fit();
  const bool holds = fails || !machine.fit();
  if (fails != state.failing) {
    state.failing = fails;
    kernel_.post(
        PodRestarts{.node = node,
                    .failing_since = fails ? jobs_.model(job).restart_fails_at(kernel_.now(), fit)
                                           : SimTime::never()});
    if (machine.leaving) jobs_.sick_node_leaves(job);
  }
  if (holds == state.holding) return;
  state.holding = holds;
  if (holds) {
    jobs_.hold(job, node, kernel_.newest(slot));
  } else {
    jobs_.release(job, node, fit, kernel_.newest(slot));
  }
}

void Holds::leave(NodeSlot slot, JobId job) {
  Slot& state = slots_.touch(slot.index());
  if (state.failing) {
    state.failing = false;
    kernel_.post(PodRestarts{.node = standing_.node(slot)});
    jobs_.sick_node_leaves(job);
  }
  if (!state.holding) return;
  state.holding = false;
  jobs_.release(job, standing_.node(slot), TrainingJob::Fit::kAnew, kernel_.newest(slot));
}

void Holds::leave_for_spare(NodeSlot slot, JobId job, HappeningId moved) {
  slots_.touch(slot.index()).holding = false;
  jobs_.release(job, standing_.node(slot), TrainingJob::Fit::kAnew, moved);
}

}  // namespace faultline
