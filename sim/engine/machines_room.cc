#include "sim/engine/machines_room.h"

#include <algorithm>
#include <limits>

#include "models/base/check.h"

namespace faultline {

MachinesRoom::MachinesRoom(const SimulationPlan& plan, Kernel& kernel, Standing& standing,
                           Capacity& capacity)
    : plan_(plan),
      kernel_(kernel),
      standing_(standing),
      capacity_(capacity),
      in_shop_as_(capacity.machines()) {}

void MachinesRoom::begin() { capacity_.begin(kernel_.random()); }

void MachinesRoom::decide(const RepairDecided& decided, bool needless) {
  const HappeningId told = kernel_.emit_of(decided.node.slot, decided);
  if (needless) kernel_.emit(RepairWasNeedless{decided.node}, told);
}

void MachinesRoom::replace(const NodeToReplace& order, bool needless) {
  const NodeId node = order.node;
  StandingMachine& machine = standing_.touch(node.slot);
  const bool boots = node.generation > machine.generation;
  FAULTLINE_CHECK_AT(
      kernel_.now(),
      boots || (machine.standing && !machine.leaving && machine.generation == node.generation),
      "{} is replaced, but it does not stand", plan_.fleet().name(node));
  decide({.node = node, .action = RepairAction::kReplace, .on_call = order.on_call}, needless);
  if (boots) {
    machine.early = false;
    return kernel_.cancel(kernel_.of_node(Expect::kJoined, node));
  }
  machine.leaving = true;
  kernel_.post(NodeEmptied{.node = node, .leaves = true});
}

void MachinesRoom::mend(const NodeToMend& order, bool needless) {
  const NodeId node = order.node;
  decide({.node = node, .action = RepairAction::kRepairInPlace, .on_call = true}, needless);
  standing_.touch(node.slot).mending = true;
  kernel_.expect(kernel_.of_node(Expect::kRepaired, node), kernel_.now() + order.hands_on,
                 Expect::kRepaired);
  kernel_.post(NodeEmptied{.node = node, .leaves = false});
}

void MachinesRoom::mended(NodeSlot slot) {
  const NodeId node = standing_.node(slot);
  kernel_.emit_of(slot, NodeRepaired{node});
  standing_.touch(slot).mending = false;
  kernel_.post(FaultsEnd{slot});
  kernel_.post(NodeObjectChanges{.node = node, .what = NodeObject::kMended});
  kernel_.post(NodeReady{.node = node, .fit = TrainingJob::Fit::kInPlace});
}

void MachinesRoom::leaves(NodeId node) {
  kernel_.emit_of(node.slot, NodeDrained{node});
  StandingMachine& machine = standing_.touch(node.slot);
  const bool boots = node.generation > machine.generation;
  const Duration served = boots ? Duration::zero() : kernel_.now() - machine.started;
  if (!boots) {
    machine.standing = false;
    moves(node.slot, /*comes=*/false);
    kernel_.post(FaultsEnd{node.slot});
    if (machine.early) {
      kernel_.expect(kernel_.of_node(Expect::kJoined, standing_.coming(node.slot)), kernel_.now(),
                     Expect::kJoined);
    }
  }
  const Duration terminate = capacity_.terminate(node);
  if (capacity_.shop() != nullptr) {
    to_shop(node, served);
    if (terminate == Duration::zero()) return removed(node);
  }
  kernel_.expect(kernel_.of_node(Expect::kRemoved, node), kernel_.now() + terminate,
                 Expect::kRemoved);
}

void MachinesRoom::removed(NodeId node) {
  kernel_.cancel(kernel_.of_node(Expect::kRemoved, node));
  kernel_.emit(NodeRemoved{node}, kernel_.newest(node.slot));
  kernel_.post(NodeObjectChanges{.node = node, .what = NodeObject::kRemoved});
  if (capacity_.limited() && capacity_.shop() == nullptr) {
    capacity_.machine_leaves(node, kernel_.now());
    kernel_.expect(kernel_.layout().machine_back(), capacity_.next_return(), Expect::kMachineBack);
  }
}

void MachinesRoom::wanted(NodeSlot slot) {
  StandingMachine& machine = standing_.touch(slot);
  if (machine.timeouts == 0) ++machine.next;
  const NodeId node = standing_.coming(slot);
  kernel_.emit_of(slot, NodeRequested{node});
  const LaunchPlan launch =
      machine.timeouts == 0
          ? capacity_.request(node, kernel_.now())
          : capacity_.request_again(node, machine.timeouts, machine.machines[node.generation % 2],
                                    kernel_.now());
  if (launch.launched > kernel_.now()) {
    kernel_.emit_of(slot, CapacityMissing{node});
    kernel_.expect(kernel_.of_node(Expect::kCapacityFound, node), launch.launched,
                   Expect::kCapacityFound);
  }
  follow_launch(node, launch);
}

void MachinesRoom::follow_launch(NodeId node, const LaunchPlan& launch) {
  if (launch.launched.is_never()) return;  // it waits for a machine
  StandingMachine& machine = standing_.touch(node.slot);
  machine.machines[node.generation % 2] = launch.machine;
  if (launch.launched <= kernel_.now()) kernel_.post(MachineLaunches{node.slot});
  if (capacity_.shop() != nullptr && launch.joined == kernel_.now() && !machine.standing) {
    registered(node);
    return joined(node);
  }
  kernel_.expect(kernel_.of_node(Expect::kRegistered, node), launch.registered,
                 Expect::kRegistered);
  kernel_.expect(kernel_.of_node(Expect::kJoined, node), launch.joined, Expect::kJoined);
}

void MachinesRoom::capacity_found(NodeId node) {
  kernel_.emit_of(node.slot, CapacityFound{node});
  kernel_.post(MachineLaunches{node.slot});
}

void MachinesRoom::given_back(NodeSlot slot) {
  const NodeId node = standing_.coming(slot);
  kernel_.cancel(kernel_.of_node(Expect::kRegistered, node));
  kernel_.cancel(kernel_.of_node(Expect::kJoined, node));
  kernel_.emit_of(slot, RegistrationTimedOut{node});
  std::uint16_t& timeouts = standing_.touch(slot).timeouts;
  if (timeouts < std::numeric_limits<std::uint16_t>::max()) ++timeouts;
}

void MachinesRoom::registered(NodeId node) {
  // Its place may still be taken by the generation before the last, if that terminates very slowly.
  const bool is_taken = !kernel_.expected(kernel_.of_node(Expect::kRemoved, node)).is_never();
  if (is_taken) removed({node.slot, node.generation - 2});
  StandingMachine& machine = standing_.touch(node.slot);
  machine.registered = node.generation;
  machine.timeouts = 0;
  kernel_.emit_of(node.slot, NodeRegistered{node});
  kernel_.post(NodeObjectChanges{.node = node, .what = NodeObject::kRegistered});
}

void MachinesRoom::joined(NodeId node) {
  StandingMachine& machine = standing_.touch(node.slot);
  if (!machine.early) {
    kernel_.post(NodeObjectChanges{.node = node, .what = NodeObject::kInitialised});
  }
  // The place is taken until the old one is drained: the pods' names are.
  machine.early = machine.standing;
  if (machine.early) return;
  machine.generation = node.generation;
  machine.standing = true;
  machine.leaving = false;
  machine.started = kernel_.now();
  if (capacity_.shop() == nullptr) machine.lemon = standing_.lemons().launched(node);
  kernel_.emit_of(node.slot, NodeJoined{node});
  moves(node.slot, /*comes=*/true);
  kernel_.post(NodeReady{.node = node, .fit = TrainingJob::Fit::kAnew});
}

void MachinesRoom::machine_back(MachineId machine) {
  if (capacity_.shop() != nullptr) return repair_stage_ends(machine);
  const Capacity::Served served = capacity_.machine_returns(kernel_.now());
  kernel_.expect(kernel_.layout().machine_back(), capacity_.next_return(), Expect::kMachineBack);
  if (served.node.slot.valid()) serve(served);
}

void MachinesRoom::serve(const Capacity::Served& served) {
  if (served.plan.launched > kernel_.now()) {
    kernel_.expect(kernel_.of_node(Expect::kCapacityFound, served.node), served.plan.launched,
                   Expect::kCapacityFound);
  } else {
    kernel_.emit_of(served.node.slot, CapacityFound{served.node});
  }
  follow_launch(served.node, served.plan);
}

void MachinesRoom::struck(NodeSlot slot) {
  capacity_.shop()->record_fault(standing_.machine(standing_.node(slot)), kernel_.now());
}

void MachinesRoom::to_shop(NodeId node, Duration served) {
  const MachineId machine = standing_.machine(node);
  in_shop_as_[machine.index()] = node;
  work_begins(capacity_.shop()->admit(machine, kernel_.now(), served));
}

void MachinesRoom::work_begins(const RepairShop::Work& work) {
  if (!work.machine.valid()) return;
  kernel_.expect(kernel_.layout().machine_back(work.machine.value()), work.ends,
                 Expect::kMachineBack);
}

void MachinesRoom::repair_stage_ends(MachineId machine) {
  const NodeId node = in_shop_as_[machine.index()];
  const RepairShop::StageEnd end = capacity_.shop()->stage_ends(machine, kernel_.now());
  const HappeningId ended = kernel_.emit(
      RepairStageEnded{
          .node = node, .stage = end.stage, .outcome = end.outcome, .retired = end.retired},
      kernel_.newest(node.slot));
  work_begins(end.next);
  if (end.outcome == RepairOutcome::kEscalated) return work_begins(end.goes_on);
  if (end.outcome == RepairOutcome::kMended) standing_.mend(machine);
  if (end.retired) return;
  const Capacity::Served served = capacity_.offer(machine, kernel_.now());
  if (!served.node.slot.valid()) return;
  kernel_.newest(served.node.slot) = ended;
  serve(served);
}

}  // namespace faultline
