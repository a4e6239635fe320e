// A machine is in the repair shop; which machines are lemons, and where they stand.

#include <algorithm>

#include "sim/engine/simulation.h"

namespace faultline {

MachineId Simulation::machine_in(NodeSlot slot, std::uint32_t generation) const {
  return generation == 0 ? MachineId(slot.index()) : slots_[slot.index()].machines[generation % 2];
}

void Simulation::to_shop(NodeId node) {
  const MachineId machine = machine_in(node.slot, node.generation);
  in_shop_as_[machine.index()] = node;
  work_begins(capacity_.shop()->admit(machine, now_, now_ - slots_[node.slot.index()].started));
}

void Simulation::work_begins(const RepairShop::Work& work) {
  if (!work.machine.valid()) return;
  expect(layout_.machine_back(work.machine.value()), work.ends, Expect::kMachineBack);
}

void Simulation::repair_stage_ends(MachineId machine) {
  const NodeId node = in_shop_as_[machine.index()];
  const RepairShop::StageEnd end = capacity_.shop()->stage_ends(machine, now_);
  const HappeningId ended = emit(
      RepairStageEnded{
          .node = node, .stage = end.stage, .outcome = end.outcome, .retired = end.retired},
      slots_[node.slot.index()].last);
  work_begins(end.next);
  if (end.outcome == RepairOutcome::kEscalated) {
    work_begins(end.goes_on);
    return;
  }
  if (end.outcome == RepairOutcome::kMended) lemons_.mend(machine);
  if (end.retired) return;
  const Capacity::Served served = capacity_.offer(machine, now_);
  if (!served.node.slot.valid()) return;
  touch(served.node.slot).last = ended;
  serve(served);
}

void Simulation::serve(const Capacity::Served& served) {
  if (served.plan.launched > now_) {
    expect(expectation(Expect::kCapacityFound, served.node), served.plan.launched,
           Expect::kCapacityFound);
  } else {
    capacity_found(served.node);
  }
  follow_launch(served.node, served.plan);
}

void Simulation::leave_now() {
  // What a launch brings may make other nodes leave: they are appended.
  for (std::size_t n = 0; n < leaving_now_.size(); ++n) {
    const auto [slot, launch_after] = leaving_now_[n];
    const NodeId node = standing_node(slot);
    node_drained(slot);
    const NodeId coming{slot, node.generation + 1};
    if (launch_after == Duration::zero()) {
      node_requested(coming);
    } else {
      expect(expectation(Expect::kRequested, coming), now_ + launch_after, Expect::kRequested);
    }
  }
  leaving_now_.clear();
}

bool Simulation::is_lemon(NodeSlot slot) const {
  if (!lemons_.exist()) return false;
  if (!in_shop_as_.empty() && lemons_.members().empty()) return false;  // all are mended
  const SlotState& state = slots_[slot.index()];
  if (state.generation > 0 && in_shop_as_.empty()) return state.lemon;
  return lemons_.contains(machine_in(slot, state.generation));
}

void Simulation::lemons_begin() {
  if (!lemons_.exist()) return;
  lemons_.begin(*random_);
  if (fleet_lemons_) fleet_lemons_->clear();
  for (JobState& job : jobs_) {
    if (job.lemons) job.lemons->clear();
  }
  for (const MachineId machine : lemons_.members()) {
    if (machine.index() >= shares_.size()) continue;  // it is in stock
    const NodeSlot slot(machine.index());
    const JobId job = job_on(slot);
    if (fleet_lemons_) fleet_lemons_->insert(slot);
    if (job.valid() && jobs_[job.index()].lemons) jobs_[job.index()].lemons->insert(slot);
  }
  if (fleet_lemons_) fleet_arrivals_.set_lemons(fleet_lemons_->size(), now_);
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    if (jobs_[j].lemons) job_arrivals_[j].set_lemons(jobs_[j].lemons->size(), SimTime::start());
  }
}

void Simulation::lemon_comes_or_goes(NodeSlot slot, bool comes) {
  if (!is_lemon(slot)) return;
  const auto count = [&](IndexSet<NodeSlot>& lemons) {
    if (comes) {
      lemons.insert(slot);
    } else {
      lemons.erase(slot);
    }
  };
  const JobId job = job_on(slot);
  if (job.valid() && jobs_[job.index()].lemons) count(*jobs_[job.index()].lemons);
  if (fleet_lemons_) {
    count(*fleet_lemons_);
    fleet_arrivals_.set_lemons(fleet_lemons_->size(), now_);
    expect(layout_.arrival(0), fleet_arrivals_.next(), Expect::kArrival);
  }
}

NodeSlot Simulation::victim(const Arrival& arrival, std::uint32_t population, NodeSlot candidate) {
  const FaultClass& fault_class = plan_.classes()[arrival.fault_class.index()];
  if (population == kScript || fault_class.config->victims == FaultVictims::kAll) return candidate;
  if (fault_class.config->victims == FaultVictims::kLemons) {
    const IndexSet<NodeSlot>& lemons =
        population == 0 ? *fleet_lemons_ : *jobs_[population - 1].lemons;
    if (lemons.size() == 0) return {};
    return lemons.at(std::min<std::size_t>(arrival.part, lemons.size() - 1));
  }
  // Among the sound ones each has the same chance: draw until one is met.
  const std::vector<NodeSlot>* places = population == 0 ? nullptr : &jobs_[population - 1].places;
  const std::size_t parts = places == nullptr ? plan_.fleet().slots() : places->size();
  for (std::uint32_t attempt = 0; attempt < FaultDraws::kMostAttempts; ++attempt) {
    if (!is_lemon(candidate)) return candidate;
    const double u = fault_draws_.draw(fault_class.detail_stream, arrival.ordinal, population,
                                       FaultDraws::victim(attempt));
    const auto part = static_cast<std::size_t>(u * static_cast<double>(parts));
    candidate = places == nullptr ? NodeSlot(part) : (*places)[part];
  }
  return {};
}

}  // namespace faultline
