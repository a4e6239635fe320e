#include "sim/engine/control_room.h"

namespace faultline {

using observed::MachineKey;
using observed::NodeKey;
using observed::PodKey;

ControlRoom::ControlRoom(const SimulationPlan& plan, Kernel& kernel, const Standing& standing,
                         const Places& places)
    : plan_(plan),
      kernel_(kernel),
      standing_(standing),
      places_(places),
      plane_(plan.controllers(), plan.make_picture(), *this),
      slots_at_start_(plan.fleet().slots()),
      slots_(plan.fleet().slots()) {
  for (std::size_t j = 0; j < plan.jobs().size(); ++j) {
    first_place_.push_back(pods_.size());
    for (std::uint32_t rank = 0; rank < plan.jobs()[j].places.size(); ++rank) {
      pods_.emplace_back(pods_.size());
    }
  }
}

void ControlRoom::begin() {
  plane_.begin(kernel_.random());
  late_ = false;
  slots_.clear();
  later_nodes_.clear();
  later_machines_.clear();
  place_of_pod_.clear();
  for (std::size_t j = 0; j < first_place_.size(); ++j) {
    const auto ranks = static_cast<std::uint32_t>(plan_.jobs()[j].places.size());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      pod_of(JobId(j), rank) = PodKey(place_of_pod_.size());
      place_of_pod_.push_back({.job = JobId(j), .rank = rank});
    }
  }
}

void ControlRoom::settle() {
  plane_.settle(kernel_.now());
  if (!plane_.next_changed()) return;
  const Appointments::Next next = plane_.next();
  const Calendar::Slot slot = kernel_.layout().control();
  if (kernel_.expected(slot) == next.at && late_ == next.late) return;
  late_ = next.late;
  kernel_.expect(slot, next.at, next.late ? Expect::kTimesOut : Expect::kLook);
}

void ControlRoom::appointment() {
  plane_.take_next(kernel_.now());
  settle();
}

void ControlRoom::condition(const ConditionReported& reported) {
  const NodeId node = reported.node;
  const NodeKey key = key_of(node);
  const ConditionStatus before = plane_.picture().node(key).condition(reported.condition).status;
  plane_.observe(observed::ConditionSet{.node = key,
                                        .type = reported.condition,
                                        .status = reported.status,
                                        .reason = reported.reason},
                 kernel_.now());
  if (before == reported.status) return;
  const HappeningId changed = kernel_.emit(ConditionChanged{.node = node,
                                                            .condition = reported.condition,
                                                            .status = reported.status,
                                                            .reason = reported.reason},
                                           reported.cause);
  kernel_.newest(node.slot) = changed;
  if (reported.fault.valid()) {
    kernel_.emit(FaultBehind{.node = node,
                             .reason = reported.reason,
                             .fault = reported.fault,
                             .fault_class = reported.fault_class,
                             .since_fault = kernel_.now() - reported.struck},
                 changed);
  }
  settle();
  kernel_.post(ConditionsChanged{node});
}

void ControlRoom::node(const NodeObjectChanges& changes) {
  const NodeId node = changes.node;
  switch (changes.what) {
    case NodeObject::kRegistered: {
      Slot& slot = slots_.touch(node.slot.index());
      slot.nodes[node.generation % 2] = NodeKey(plane_.picture().nodes());
      later_nodes_.push_back(node);
      plane_.observe(observed::NodeAdded{.pool = plan_.fleet().pool_of(node.slot),
                                         .machine = slot.coming,
                                         .labels = {},
                                         .name = {}},
                     kernel_.now());
      break;
    }
    case NodeObject::kInitialised: {
      const NodeKey key = key_of(node);
      plane_.observe(observed::ConditionSet{.node = key, .type = observed::kReady, .reason = {}},
                     kernel_.now());
      const PlaceShare& share = places_.share(node.slot);
      if (share.job.valid()) bind(share.job, share.rank, key);
      break;
    }
    case NodeObject::kMended: mended(node); break;
    case NodeObject::kRemoved:
      plane_.observe(observed::NodeGone{key_of(node)}, kernel_.now());
      break;
  }
  settle();
}

// The node came up anew, and its agent with it.
void ControlRoom::mended(NodeId node) {
  const NodeKey key = key_of(node);
  plane_.observe(observed::MaintenanceSet{.node = key, .in_maintenance = false}, kernel_.now());
  for (std::size_t c = 0; c < plane_.picture().condition_types().size(); ++c) {
    const observed::Condition& bad = plane_.picture().node(key).condition(ConditionId(c));
    if (!observed::is_bad(bad.status)) continue;
    condition({.node = node,
               .condition = ConditionId(c),
               .status = ConditionStatus::kTrue,
               .reason = bad.reason,
               .cause = kernel_.newest(node.slot),
               .fault = {},
               .fault_class = {},
               .struck = {}});
  }
}

void ControlRoom::launched(NodeSlot slot) {
  const MachineKey machine = slots_[slot.index()].coming;
  if (!machine.valid()) return;
  plane_.observe(observed::MachineLaunched{machine}, kernel_.now());
  settle();
}

void ControlRoom::kubelet_back(NodeId node) {
  plane_.kubelet_back(key_of(node), kernel_.now());
  settle();
}

void ControlRoom::pod_moves(const PodMoves& moves) {
  if (moves.to.valid()) {
    bind(moves.job, moves.rank, key_of(standing_.node(moves.to)));
  } else {
    plane_.observe(observed::PodGone{pod_of(moves.job, moves.rank)}, kernel_.now());
  }
  settle();
}

void ControlRoom::bind(JobId job, std::uint32_t rank, NodeKey node) {
  PodKey& pod = pod_of(job, rank);
  const NodeKey before = plane_.picture().pod(pod).node;
  if (before == node) return;
  if (before.valid()) {
    pod = PodKey(plane_.picture().pods());
    place_of_pod_.push_back({.job = job, .rank = rank});
    plane_.observe(observed::PodAdded{.owner = observed::OwnerKey(job.index()), .node = node},
                   kernel_.now());
  } else {
    plane_.observe(observed::PodBound{.pod = pod, .node = node}, kernel_.now());
  }
}

void ControlRoom::pod(const PodRestarts& restarts) {
  const NodeSlot slot = restarts.node.slot;
  const PlaceShare& share = places_.share(slot);
  if (!share.job.valid()) return;  // (it has left with its place)
  const PodKey pod = pod_of(share.job, share.rank);
  const bool failed = !plane_.picture().pod(pod).page.since.is_never();
  std::uint32_t& episodes = slots_.touch(slot.index()).episodes;
  if (!restarts.failing_since.is_never() && !failed) ++episodes;
  plane_.observe(
      observed::PodPaged{
          .pod = pod,
          .page = {.since = restarts.failing_since, .place = slot.value(), .episode = episodes}},
      kernel_.now());
  settle();
}

// --- what the control plane tells

void ControlRoom::node_deleted(NodeKey node, std::size_t by) {
  kernel_.post(
      NodeToReplace{.node = node_of(node), .on_call = plan_.controllers()[by].is_a_person()});
}

void ControlRoom::worked_on(NodeKey node, Duration takes, std::size_t) {
  kernel_.post(NodeToMend{.node = node_of(node), .hands_on = takes});
}

void ControlRoom::blocked(NodeKey key, const GateClosed& gate, Duration every) {
  const NodeId node = node_of(key);
  kernel_.emit_of(node.slot, RepairBlocked{.node = node,
                                           .unhealthy = gate.unhealthy,
                                           .allowed = gate.allowed,
                                           .total = gate.total,
                                           .every = every});
}

void ControlRoom::pod_stops(PodKey pod) {
  const NodeKey node = plane_.picture().pod(pod).node;
  if (!plane_.picture().node(node).deleted.is_never()) return;  // (its node is emptied)
  kernel_.post(PodEvicted{node_of(node)});
}

void ControlRoom::pod_gone(PodKey pod, NodeKey key) {
  const observed::Node& node = plane_.picture().node(key);
  const Place& place = place_of_pod_[pod.index()];
  if (!node.deleted.is_never() || pod_of(place.job, place.rank) != pod) return;
  kernel_.post(PodMoves{.job = place.job, .rank = place.rank, .to = node_of(key).slot});
}

void ControlRoom::drained(NodeKey node) { kernel_.post(MachineLeaves{node_of(node)}); }

NodeSlot ControlRoom::slot_of(MachineKey machine) const {
  return machine.index() < slots_at_start_ ? NodeSlot(machine.index())
                                           : later_machines_[machine.index() - slots_at_start_];
}

void ControlRoom::launch(MachineKey machine) {
  const NodeSlot slot = slot_of(plane_.picture().machine(machine).replaces);
  later_machines_.push_back(slot);
  slots_.touch(slot.index()).coming = machine;
  kernel_.post(MachineWanted{slot});
}

void ControlRoom::given_back(MachineKey machine) {
  kernel_.post(MachineGivenBack{slot_of(machine)});
}

}  // namespace faultline
