#include "sim/engine/simulation.h"

namespace faultline {

Simulation::Simulation(const SimulationPlan& plan)
    : plan_(plan),
      capacity_(plan.scenario().capacity, plan.fleet().slots()),
      kernel_(plan.jobs().size(), plan.fleet().slots(), capacity_.machines()),
      active_(plan.fleet().slots()),
      standing_(plan, capacity_.machines()),
      places_(plan),
      parts_(plan, standing_, places_),
      control_(plan, kernel_, standing_, places_),
      machines_(plan, kernel_, standing_, capacity_),
      jobs_(plan, kernel_),
      holds_(plan, kernel_, standing_, places_, jobs_),
      hangs_(plan, kernel_, active_, draws_, places_, holds_, jobs_),
      speeds_(plan, active_, standing_, places_, parts_, jobs_),
      gangs_(plan, kernel_, standing_, control_, places_, jobs_, holds_, speeds_),
      effects_(plan, kernel_, active_, draws_, parts_, jobs_, holds_, hangs_, speeds_),
      placement_(plan, kernel_, standing_, control_, places_, jobs_, holds_, hangs_, speeds_,
                 gangs_),
      milestones_(plan, kernel_, places_, jobs_, hangs_, gangs_),
      signals_(plan, kernel_, active_, draws_, standing_, places_, jobs_, parts_),
      faults_(plan, kernel_, standing_, places_, draws_, active_) {}

struct Simulation::Hears {
  Simulation& s;

  void on(const FaultsEnd& ended) {
    s.signals_.forget_alarms(ended.slot);
    s.faults_.end_on(ended.slot);
  }
  void on(const MachineStruck& struck) { s.machines_.struck(struck.slot); }
  void on(const LemonMoves& moves) { s.faults_.lemon_moves(moves); }
  void on(const PlaceMoves& moves) { s.faults_.place_moves(moves); }
  void on(const JobTurns& turns) { s.faults_.job_turns(turns); }
  void on(const FaultMeetsJob& meets) { s.faults_.meets_job(meets); }
  void on(const AnotherIsBlamed& blamed) { s.faults_.another_is_blamed(blamed); }
  void on(const EffectEnds& ends) { s.effects_.end(ends); }
  void on(const EffectBegins& begins) { s.effects_.begin(begins.fault); }
  void on(const CorruptionFound& found) { s.effects_.found(found.fault); }
  void on(const SignalBegins& begins) { s.signals_.begin(begins.fault, begins.signal); }
  void on(const SignalsBegin& begins) { s.signals_.begin(begins.fault); }
  void on(const SignalsEnd& ends) { s.signals_.end(ends); }
  void on(const StepsBegin& steps) { s.signals_.count_anew(steps.job); }
  void on(const PodMoves& moves) { s.control_.pod_moves(moves); }
  void on(const PodRestarts& restarts) { s.control_.pod(restarts); }
  void on(const NodeObjectChanges& changes) { s.control_.node(changes); }
  void on(const MachineLaunches& launches) { s.control_.launched(launches.slot); }
  void on(const KubeletBack& back) { s.control_.kubelet_back(back.node); }
  void on(const ConditionReported& reported) { s.control_.condition(reported); }
  void on(const NodeToReplace& order) {
    s.machines_.replace(order, s.faults_.nothing_wrong(order.node.slot));
  }
  void on(const NodeToMend& order) {
    s.machines_.mend(order, s.faults_.nothing_wrong(order.node.slot));
  }
  void on(const NodeEmptied& emptied) { s.placement_.node_emptied(emptied); }
  void on(const PodEvicted& evicted) { s.placement_.evicted(evicted.node); }
  void on(const MachineGivenBack& given) { s.machines_.given_back(given.slot); }
  void on(const ConditionsChanged& changed) { s.placement_.conditions_changed(changed.node); }
  void on(const GangNodeCrashed& crashed) {
    s.gangs_.crashed(s.active_[crashed.fault], crashed.explained);
  }
  void on(const NodeReady& ready) { s.placement_.node_ready(ready); }
  void on(const FaultPasses& passes) { s.faults_.passes(passes.fault); }
  void on(const FaultDropped& dropped) { s.faults_.dropped(dropped.fault); }
  void on(const MachineLeaves& leaves) { s.machines_.leaves(leaves.node); }
  void on(const MachineWanted& wanted) { s.machines_.wanted(wanted.slot); }
  void on(const FaultForgotten& forgotten) { s.faults_.forget(forgotten.fault); }
};

void Simulation::begin(const RandomSource& random) {
  kernel_.begin(random, plan_.scenario().horizon);
  draws_.begin(random);
  standing_.begin(random);
  places_.begin();
  control_.begin();
  machines_.begin();
  holds_.begin();
  hangs_.begin();
  speeds_.begin();
  milestones_.begin();
  signals_.begin();
  faults_.begin();
  jobs_.begin();
  gangs_.begin();
}

std::uint64_t Simulation::run(const RandomSource& random, HappeningSink& sink) {
  kernel_.tell(sink);
  return run(random);
}

std::uint64_t Simulation::run(const RandomSource& random, RunMetrics& metrics) {
  kernel_.tell(metrics);
  return run(random);
}

std::uint64_t Simulation::run(const RandomSource& random) {
  Hears rooms{*this};
  begin(random);
  kernel_.agenda().drain(rooms);
  std::uint64_t events = 0;
  while (const std::optional<Calendar::Due> due = kernel_.next()) {
    ++events;
    handle(static_cast<Expect>(due->priority), due->slot);
    kernel_.agenda().drain(rooms);
  }
  kernel_.to_the_end();
  jobs_.end();
  kernel_.emit(RunEnded{}, HappeningId());
  return events;
}

void Simulation::handle(Expect what, Calendar::Slot slot) {
  const SlotLayout& layout = kernel_.layout();
  // Expectations of a node are about a generation up to the one in its place, or about the one that is
  // coming.
  const auto place = [&] { return kernel_.node_slot_of(slot); };
  const auto node = [&] { return standing_.of_parity(place(), kernel_.parity_of(slot)); };
  const auto coming = [&] { return standing_.coming(place()); };
  switch (what) {
    case Expect::kArrival: return faults_.arrival(layout.population_of(slot));
    case Expect::kFaultClears: return faults_.clears(layout.fault_of(slot));
    case Expect::kFaultFound: return faults_.found(layout.fault_of(slot));
    case Expect::kSignal: return signals_.advance(layout.fault_of(slot), layout.signal_of(slot));
    case Expect::kLook:
    case Expect::kTimesOut: return control_.appointment();
    case Expect::kRepaired: return machines_.mended(place());
    case Expect::kRemoved: return machines_.removed(node());
    case Expect::kMachineBack: return machines_.machine_back(layout.machine_of(slot));
    case Expect::kCapacityFound: return machines_.capacity_found(coming());
    case Expect::kRegistered: return machines_.registered(coming());
    case Expect::kJoined: return machines_.joined(coming());
    case Expect::kJob: return milestones_.fulfil(layout.job_of(slot));
  }
}

}  // namespace faultline
