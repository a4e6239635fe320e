#include "sim/engine/faults_room.h"

#include <algorithm>

namespace faultline {

FaultsRoom::FaultsRoom(const SimulationPlan& plan, Kernel& kernel, const Standing& standing,
                       const Places& places, FaultDraws& draws, ActiveFaults& faults)
    : plan_(plan),
      kernel_(kernel),
      standing_(standing),
      places_(places),
      draws_(draws),
      faults_(faults),
      victims_(plan, standing, places, draws),
      script_(plan.classes(), plan.fleet(), plan.job_names()),
      fleet_arrivals_(plan.classes(), FaultClock::kAlways, plan.everything(), 0,
                      plan.warm_spares()),
      exposures_(plan.jobs().size()) {
  if (fleet_arrivals_.counts_lemons()) victims_.count(0);
  for (std::uint32_t j = 0; j < plan.jobs().size(); ++j) {
    job_arrivals_.emplace_back(plan.classes(), FaultClock::kRunning, plan.of_job(JobId(j)), 1 + j);
    if (job_arrivals_.back().counts_lemons()) victims_.count(1 + j);
  }
}

void FaultsRoom::begin() {
  faults_.clear();
  next_fault_ = 0;
  script_.begin();
  fleet_arrivals_.begin(kernel_.random());
  for (Arrivals& arrivals : job_arrivals_) arrivals.begin(kernel_.random());
  std::fill(exposures_.begin(), exposures_.end(), Exposure());
  victims_.begin();
  if (const Victims::Lemons& lemons = victims_.lemons(0)) {
    fleet_arrivals_.set_lemons(lemons->size(), kernel_.now());
  }
  for (std::uint32_t j = 0; j < job_arrivals_.size(); ++j) {
    if (const Victims::Lemons& lemons = victims_.lemons(1 + j)) {
      job_arrivals_[j].set_lemons(lemons->size(), SimTime::start());
    }
    kernel_.expect(kernel_.layout().arrival(1 + j), job_arrivals_[j].next(), Expect::kArrival);
  }
  kernel_.expect(kernel_.layout().arrival(0), fleet_arrivals_.next(), Expect::kArrival);
  kernel_.expect(kernel_.layout().script(), script_.next(), Expect::kArrival);
}

void FaultsRoom::arrival(std::uint32_t population) {
  if (population == kScript) {
    const Arrival scripted = script_.take();
    kernel_.expect(kernel_.layout().script(), script_.next(), Expect::kArrival);
    return strike(scripted, population);
  }
  Arrivals& arrivals = population == 0 ? fleet_arrivals_ : job_arrivals_[population - 1];
  const Arrival struck = arrivals.take();
  SimTime next = arrivals.next();
  if (population > 0 && !next.is_never()) {
    const Exposure& exposure = exposures_[population - 1];
    next = exposure.since + (next.since_start() - exposure.before);
  }
  kernel_.expect(kernel_.layout().arrival(population), next, Expect::kArrival);
  strike(struck, population);
}

void FaultsRoom::strike(const Arrival& arrival, std::uint32_t population) {
  const auto part = static_cast<std::uint32_t>(arrival.part);
  const Fleet& fleet = plan_.fleet();
  const bool of_fleet = population == 0 || population == kScript;
  if (!arrival.level) {
    strike_job(arrival, population, of_fleet ? JobId(part) : JobId(population - 1));
    return;
  }
  if (of_fleet) {
    switch (*arrival.level) {
      case DomainLevel::kGpu: {
        const Fleet::GpuPlace place = fleet.gpu(arrival.part);
        strike_node(arrival, population, place.slot, place.gpu, {});
        return;
      }
      case DomainLevel::kNode:
        strike_node(arrival, population, victims_.of(arrival, population, NodeSlot(part)), 0, {});
        return;
      default: strike_domain(arrival, population, {*arrival.level, arrival.part}); return;
    }
  }
  const JobId job(population - 1);
  const std::vector<NodeSlot>& places = places_.of(job);
  switch (*arrival.level) {
    case DomainLevel::kGpu: {
      const std::uint32_t gpus = fleet.pool(plan_.jobs()[job.index()].pool).gpus_per_node;
      strike_node(arrival, population, places[part / gpus], part % gpus, {});
      return;
    }
    case DomainLevel::kNode:
      strike_node(arrival, population, victims_.of(arrival, population, places[part]), 0, {});
      return;
    default: {
      const Domain first = plan_.first_domain(job, *arrival.level);
      strike_domain(arrival, population, {first.level, first.n + part});
      return;
    }
  }
}

void FaultsRoom::strike_domain(const Arrival& arrival, std::uint32_t population, Domain domain) {
  HappeningId first;
  const auto strike_one = [&](NodeSlot slot) {
    const HappeningId struck = strike_node(arrival, population, slot, 0, first);
    if (!first.valid()) first = struck;
  };
  const DomainTree& domains = plan_.fleet().domains();
  if (population == 0 || population == kScript) {
    domains.for_each_node(domain, strike_one);
    return;
  }
  for (const NodeSlot place : places_.of(JobId(population - 1))) {
    if (domains.contains(domain, place)) strike_one(place);
  }
}

HappeningId FaultsRoom::strike_node(const Arrival& arrival, std::uint32_t population, NodeSlot slot,
                                    std::uint32_t gpu, HappeningId parent) {
  if (!slot.valid()) return {};  // there is none of the kind that it strikes
  const StandingMachine& machine = standing_[slot];
  if (!machine.standing) return {};  // no machine is there to break
  const FaultClass& fault_class = plan_.classes()[arrival.fault_class.index()];
  ActiveFault fault{.id = FaultId(next_fault_),
                    .fault_class = arrival.fault_class,
                    .node = standing_.node(slot),
                    .job = machine.leaving ? JobId() : places_.job_on(slot),
                    .gpu = gpu,
                    .struck = kernel_.now(),
                    .clears = SimTime::never(),
                    .ordinal = arrival.ordinal,
                    .population = population,
                    .primary = !parent.valid()};
  if (fault_class.weibull_scale > 0 && population != kScript &&
      draws_.draw(fault_class, fault, FaultDraws::kAccepted) >=
          fault_class.acceptance(kernel_.now() - machine.started)) {
    return {};
  }
  fault.struck_as = kernel_.emit(FaultStruck{.fault = fault.id,
                                             .fault_class = fault.fault_class,
                                             .node = fault.node,
                                             .job = fault.job,
                                             .gpu = gpu,
                                             .primary = fault.primary},
                                 parent);
  kernel_.newest(slot) = fault.struck_as;
  const std::uint32_t index = add(fault);
  kernel_.post(SignalsBegin{index});
  if (plan_.scenario().capacity.shop && fault_class.config->effect != FaultEffect::kNone) {
    kernel_.post(MachineStruck{slot});
  }
  if (faults_[index].clears == kernel_.now()) kernel_.post(FaultPasses{index});
  return fault.struck_as;
}

void FaultsRoom::strike_job(const Arrival& arrival, std::uint32_t population, JobId job) {
  if (places_.is_done(job)) return;
  ActiveFault fault{.id = FaultId(next_fault_),
                    .fault_class = arrival.fault_class,
                    .node = {},
                    .job = job,
                    .struck = kernel_.now(),
                    .clears = SimTime::never(),
                    .ordinal = arrival.ordinal,
                    .population = population};
  fault.struck_as = kernel_.emit(
      FaultStruck{.fault = fault.id, .fault_class = fault.fault_class, .node = {}, .job = job},
      HappeningId());
  add(fault);
}

std::uint32_t FaultsRoom::add(const ActiveFault& fault) {
  ++next_fault_;
  const std::uint32_t index = faults_.add(fault);
  kernel_.make_room(faults_.capacity());
  const FaultClass& fault_class = plan_.classes()[fault.fault_class.index()];
  if (fault_class.config->clears) {
    const SimTime clears = kernel_.now() + draws_.sample(*fault_class.config->clears, fault_class,
                                                         fault, FaultDraws::kClears);
    faults_[index].clears = clears;
    if (clears != kernel_.now()) {
      kernel_.expect(kernel_.layout().fault(Expect::kFaultClears, index), clears,
                     Expect::kFaultClears);
    }
  }
  kernel_.post(EffectBegins{index});
  return index;
}

HappeningId FaultsRoom::is_gone(ActiveFault& fault) {
  fault.present = false;
  return kernel_.emit(FaultCleared{.fault = fault.id,
                                   .fault_class = fault.fault_class,
                                   .node = fault.node,
                                   .job = fault.job},
                      fault.struck_as);
}

void FaultsRoom::clears(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const HappeningId cleared = is_gone(fault);
  kernel_.post(EffectEnds{.fault = index, .cleared = cleared});
  if (fault.node.slot.valid()) {
    kernel_.newest(fault.node.slot) = cleared;
    kernel_.post(SignalsEnd{.fault = index});
  } else {
    kernel_.post(FaultForgotten{index});
  }
}

void FaultsRoom::passes(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  kernel_.cancel(kernel_.layout().fault(Expect::kFaultClears, index));
  is_gone(fault);
  const NodeSlot slot = fault.node.slot;
  if (!slot.valid()) return forget(index);
  // What was published at once is taken back, unless the machine leaves anyway.
  kernel_.post(
      SignalsEnd{.fault = index,
                 .by = standing_[slot].leaving ? SignalsEndBy::kStays : SignalsEndBy::kClears});
}

void FaultsRoom::found(std::uint32_t index) {
  kernel_.post(CorruptionFound{index});
  if (!faults_[index].node.slot.valid()) {
    kernel_.post(FaultDropped{index});  // over with the restart that it causes
  } else if (!faults_[index].present) {
    kernel_.post(SignalsEnd{.fault = index, .by = SignalsEndBy::kStays});
  }
}

void FaultsRoom::end_on(NodeSlot slot) {
  for (std::uint32_t index = faults_.first_on(slot); index != kNoFault;
       index = faults_[index].next_on_node) {
    kernel_.cancel(kernel_.layout().fault(Expect::kFaultClears, index));
    faults_[index].present = false;
    kernel_.post(EffectEnds{.fault = index, .cleared = {}, .with_machine = true});
    kernel_.post(SignalsEnd{.fault = index, .by = SignalsEndBy::kDropped});
  }
}

void FaultsRoom::dropped(std::uint32_t index) {
  kernel_.cancel(kernel_.layout().fault(Expect::kFaultClears, index));
  faults_[index].present = false;
  forget(index);
}

void FaultsRoom::forget(std::uint32_t index) {
  const ActiveFault& fault = faults_[index];
  // What it has corrupted is still to be found.
  const auto found = kernel_.layout().fault(Expect::kFaultFound, index);
  if (fault.present || !fault.id.valid() || !kernel_.expected(found).is_never()) return;
  faults_.remove(index);
}

void FaultsRoom::another_is_blamed(const AnotherIsBlamed& blamed) {
  ActiveFault misplaced = faults_[blamed.fault];
  misplaced.node = standing_.node(blamed.slot);
  misplaced.clears = SimTime::never();
  misplaced.primary = false;
  misplaced.misplaced = misplaced.present = true;
  const std::uint32_t index = faults_.add(misplaced);
  kernel_.make_room(faults_.capacity());
  kernel_.post(SignalBegins{.fault = index, .signal = blamed.signal});
}

void FaultsRoom::job_turns(const JobTurns& turns) {
  Exposure& exposure = exposures_[turns.job.index()];
  const Calendar::Slot slot = kernel_.layout().arrival(turns.job.value() + 1);
  if (!turns.busy) {
    exposure.before += kernel_.now() - exposure.since;
    kernel_.cancel(slot);
    return;
  }
  exposure.since = kernel_.now();
  Arrivals& arrivals = job_arrivals_[turns.job.index()];
  const SimTime clock = SimTime::at(exposure.before);
  if (const Victims::Lemons& lemons = victims_.lemons(turns.job.value() + 1)) {
    arrivals.set_lemons(lemons->size(), clock);
  }
  if (arrivals.has_lives()) arrivals.restart(clock);
  if (const SimTime next = arrivals.next(); !next.is_never()) {
    kernel_.expect(slot, kernel_.now() + (next - clock), Expect::kArrival);
  }
}

void FaultsRoom::lemon_moves(const LemonMoves& moves) {
  victims_.lemon_moves(moves.slot, moves.comes);
  const Victims::Lemons& lemons = victims_.lemons(0);
  if (!lemons) return;
  fleet_arrivals_.set_lemons(lemons->size(), kernel_.now());
  kernel_.expect(kernel_.layout().arrival(0), fleet_arrivals_.next(), Expect::kArrival);
}

bool FaultsRoom::nothing_wrong(NodeSlot slot) const {
  for (std::uint32_t index = faults_.first_on(slot); index != kNoFault;
       index = faults_[index].next_on_node) {
    const ActiveFault& fault = faults_[index];
    const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
    const bool real = fault.present && !fault.misplaced && !config.false_alarm;
    if (real && (fault.clears.is_never() || config.effect != FaultEffect::kNone)) return false;
  }
  return true;
}

}  // namespace faultline
