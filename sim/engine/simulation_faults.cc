// A fault strikes a part, and is gone again.

#include <algorithm>

#include "sim/engine/simulation.h"

namespace faultline {

Duration Simulation::drawn(const Distribution& distribution, const ActiveFault& fault,
                           FaultDraws::Question question) {
  return distribution.sample(distribution.is_fixed() ? 0.5 : detail(fault, question));
}

double Simulation::detail(const ActiveFault& fault, FaultDraws::Question question) {
  return fault_draws_.draw(plan_.classes()[fault.fault_class.index()].detail_stream, fault.ordinal,
                           fault.population, question);
}

void Simulation::arrival(std::uint32_t population) {
  if (population == kScript) {
    const Arrival scripted = script_.take();
    expect(layout_.script(), script_.next(), Expect::kArrival);
    strike(scripted, population);
    return;
  }
  Arrivals& arrivals = population == 0 ? fleet_arrivals_ : job_arrivals_[population - 1];
  const Arrival struck = arrivals.take();
  SimTime next = arrivals.next();
  if (population > 0 && !next.is_never()) {
    const JobState& job = jobs_[population - 1];
    next = job.busy_since + (next.since_start() - job.busy_before);
  }
  expect(layout_.arrival(population), next, Expect::kArrival);
  strike(struck, population);
}

void Simulation::strike(const Arrival& arrival, std::uint32_t population) {
  const ExposureUnit unit = plan_.classes()[arrival.fault_class.index()].unit;
  const auto part = static_cast<std::uint32_t>(arrival.part);
  const Fleet& fleet = plan_.fleet();
  if (population == 0 || population == kScript) {
    switch (unit) {
      case ExposureUnit::kJob: strike_job(arrival, population, JobId(part)); return;
      case ExposureUnit::kGpu: {
        const Fleet::GpuPlace place = fleet.gpu(arrival.part);
        strike_node(arrival, population, place.slot, place.gpu, {});
        return;
      }
      case ExposureUnit::kNode:
        strike_node(arrival, population, victim(arrival, population, NodeSlot(part)), 0, {});
        return;
      case ExposureUnit::kRack: {
        const Fleet::SlotRange rack = fleet.rack(part);
        strike_together(arrival, population, rack.count,
                        [&](std::uint32_t n) { return NodeSlot(rack.first + n); });
        return;
      }
    }
  }
  const JobId job(population - 1);
  const std::vector<NodeSlot>& places = jobs_[job.index()].places;
  const Fleet::Pool& pool = fleet.pool(plan_.jobs()[job.index()].pool);
  switch (unit) {
    case ExposureUnit::kJob: strike_job(arrival, population, job); return;
    case ExposureUnit::kGpu:
      strike_node(arrival, population, places[part / pool.gpus_per_node], part % pool.gpus_per_node,
                  {});
      return;
    case ExposureUnit::kNode:
      strike_node(arrival, population, victim(arrival, population, places[part]), 0, {});
      return;
    case ExposureUnit::kRack: {
      const std::uint32_t first = part * pool.nodes_per_rack;
      const auto left = static_cast<std::uint32_t>(places.size()) - first;
      strike_together(arrival, population, std::min(pool.nodes_per_rack, left),
                      [&](std::uint32_t n) { return places[first + n]; });
      return;
    }
  }
}

template <class SlotOf>
void Simulation::strike_together(const Arrival& arrival, std::uint32_t population,
                                 std::uint32_t count, SlotOf slot_of) {
  HappeningId first;
  for (std::uint32_t n = 0; n < count; ++n) {
    const HappeningId struck = strike_node(arrival, population, slot_of(n), 0, first);
    if (!first.valid()) first = struck;
  }
}

HappeningId Simulation::strike_node(const Arrival& arrival, std::uint32_t population, NodeSlot slot,
                                    std::uint32_t gpu, HappeningId parent) {
  if (!slot.valid()) return {};  // there is none of the kind that it strikes
  SlotState& state = touch(slot);
  if (!state.standing) return {};  // no machine is there to break
  const FaultClass& fault_class = plan_.classes()[arrival.fault_class.index()];
  const FaultClassConfig& config = *fault_class.config;
  ActiveFault fault{.id = FaultId(next_fault_),
                    .fault_class = arrival.fault_class,
                    .node = standing_node(slot),
                    .job = state.leaving ? JobId() : job_on(slot),
                    .gpu = gpu,
                    .struck = now_,
                    .clears = SimTime::never(),
                    .ordinal = arrival.ordinal,
                    .population = population,
                    .primary = !parent.valid()};
  if (fault_class.weibull_scale > 0 && population != kScript &&
      detail(fault, FaultDraws::kAccepted) >= fault_class.acceptance(now_ - state.started)) {
    return {};
  }
  ++next_fault_;
  if (config.clears) fault.clears = now_ + drawn(*config.clears, fault, FaultDraws::kClears);
  fault.struck_as = emit(FaultStruck{.fault = fault.id,
                                     .fault_class = fault.fault_class,
                                     .node = fault.node,
                                     .job = fault.job,
                                     .gpu = gpu,
                                     .primary = fault.primary},
                         parent);
  state.last = fault.struck_as;
  const std::uint32_t index = faults_.add(fault);
  calendar_.grow(layout_.slots(faults_.capacity()));
  if (RepairShop* shop = capacity_.shop(); shop != nullptr && config.effect != FaultEffect::kNone) {
    shop->record_fault(machine_in(slot, state.generation), now_);
  }
  affect_job(index);
  const bool explained = raise_signals(index);
  if (fault.job.valid() && effect_of(fault) == FaultEffect::kCrash) {
    after_crash(slot, fault.job, explained);
  }
  if (fault.clears == now_) {
    is_gone(faults_[index]);
    // What was published at once is taken back, unless the machine leaves anyway.
    if (!state.leaving) clear_signals(index);
    forget_if_over(index);
  } else {
    expect(layout_.fault(Expect::kFaultClears, index), fault.clears, Expect::kFaultClears);
  }
  return fault.struck_as;
}

void Simulation::strike_job(const Arrival& arrival, std::uint32_t population, JobId id) {
  if (jobs_[id.index()].model.state() == TrainingJob::State::kDone) return;
  const FaultClassConfig& config = *plan_.classes()[arrival.fault_class.index()].config;
  ActiveFault fault{.id = FaultId(next_fault_++),
                    .fault_class = arrival.fault_class,
                    .node = {},
                    .job = id,
                    .struck = now_,
                    .clears = SimTime::never(),
                    .ordinal = arrival.ordinal,
                    .population = population};
  if (config.clears) fault.clears = now_ + drawn(*config.clears, fault, FaultDraws::kClears);
  fault.struck_as =
      emit(FaultStruck{.fault = fault.id, .fault_class = fault.fault_class, .node = {}, .job = id},
           HappeningId());
  const std::uint32_t index = faults_.add(fault);
  calendar_.grow(layout_.slots(faults_.capacity()));
  affect_job(index);
  if (config.effect == FaultEffect::kPlanned && faults_[index].clears != now_) {
    JobState& job = jobs_[id.index()];
    job.model.hold(now_, telling(job, job.last), {});
    follow(id);
  }
  // A fault of the job's own is over with the restart that it causes; what lasts is a hang,
  // maintenance, a slow-down, or corruption that is yet to be found.
  const bool lasts = faults_[index].hangs || config.effect == FaultEffect::kPlanned ||
                     config.effect == FaultEffect::kSlow || config.effect == FaultEffect::kSilent;
  if (!lasts || faults_[index].clears == now_) {
    undo_effect(faults_[index]);
    is_gone(faults_[index]);
    forget_if_over(index);
  } else {
    expect(layout_.fault(Expect::kFaultClears, index), faults_[index].clears, Expect::kFaultClears);
  }
}

HappeningId Simulation::is_gone(ActiveFault& fault) {
  fault.present = false;
  return emit(FaultCleared{.fault = fault.id,
                           .fault_class = fault.fault_class,
                           .node = fault.node,
                           .job = fault.job},
              fault.struck_as);
}

void Simulation::fault_clears(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const HappeningId cleared = is_gone(fault);
  const bool held = fault.holds;
  undo_effect(fault);
  if (fault.node.slot.valid()) {
    touch(fault.node.slot).last = cleared;
    clear_signals(index);
    if (held) update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
  } else if (plan_.classes()[fault.fault_class.index()].config->effect == FaultEffect::kPlanned) {
    JobState& job = jobs_[fault.job.index()];
    job.model.release(now_, telling(job, cleared), {}, TrainingJob::Fit::kAnew);
    follow(fault.job);
  }
  forget_if_over(index);
}

bool Simulation::is_over(std::uint32_t index) const {
  const ActiveFault& fault = faults_[index];
  return fault.signals == decltype(fault.signals){} &&
         calendar_.at(layout_.fault(Expect::kFaultFound, index)).is_never();
}

void Simulation::drop(std::uint32_t index) {
  calendar_.cancel(layout_.fault(Expect::kFaultClears, index));
  for (std::size_t s = 0; s < kMaxSignals; ++s) {
    calendar_.cancel(layout_.fault(Expect::kSignal, index, s));
  }
  undo_effect(faults_[index]);
  std::erase_if(counting_, [&](const auto& signal) { return signal.first == index; });
  // What it has corrupted is still to be found.
  faults_[index].present = false;
  faults_[index].signals = {};
  forget_if_over(index);
}

void Simulation::end_faults_on(NodeSlot slot) {
  touch(slot).alarms = {};
  for (std::uint32_t index = faults_.first_on(slot); index != kNoFault;) {
    const std::uint32_t next = faults_[index].next_on_node;
    drop(index);
    index = next;
  }
}

}  // namespace faultline
