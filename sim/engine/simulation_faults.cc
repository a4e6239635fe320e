// A fault strikes, does its damage, is seen, and clears.

#include <algorithm>

#include "models/base/check.h"
#include "sim/engine/simulation.h"

namespace faultline {
namespace {

// Questions that are decided by a draw of their own, per fault. Signals have two more each.
enum Question : std::uint32_t { kClears, kFound, kSurfaces, kAccepted, kFirstSignalQuestion };
constexpr std::uint32_t kCaught = 0;  // of a signal: coverage and push delay
constexpr std::uint32_t kDelay = 1;   // of a signal: its own delay

constexpr std::uint32_t signal_question(std::size_t signal, std::uint32_t what) {
  return kFirstSignalQuestion + 2 * static_cast<std::uint32_t>(signal) + what;
}

constexpr std::uint32_t draw_number(std::uint32_t population, std::uint32_t question) {
  return (population << 8) | question;
}

}  // namespace

Duration Simulation::drawn(const Distribution& distribution, const ActiveFault& fault,
                           std::uint32_t question) const {
  return distribution.sample(distribution.is_fixed() ? 0.5 : detail(fault, question));
}

double Simulation::detail(const ActiveFault& fault, std::uint32_t question) const {
  return random_->uniform(plan_.classes()[fault.fault_class.index()].detail_stream, fault.ordinal,
                          draw_number(fault.population, question));
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
      case ExposureUnit::kNode: strike_node(arrival, population, NodeSlot(part), 0, {}); return;
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
    case ExposureUnit::kNode: strike_node(arrival, population, places[part], 0, {}); return;
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
  SlotState& state = touch(slot);
  if (!state.standing) return {};  // no machine is there to break
  const FaultClass& fault_class = plan_.classes()[arrival.fault_class.index()];
  const FaultClassConfig& config = *fault_class.config;
  ActiveFault fault{.id = FaultId(next_fault_),
                    .fault_class = arrival.fault_class,
                    .node = standing_node(slot),
                    .job = state.leaving ? JobId() : job_on(slot),
                    .struck = now_,
                    .clears = SimTime::never(),
                    .ordinal = arrival.ordinal,
                    .population = population,
                    .primary = !parent.valid()};
  if (fault_class.weibull_scale > 0 && population != kScript &&
      detail(fault, kAccepted) >= fault_class.acceptance(now_ - state.started)) {
    return {};
  }
  ++next_fault_;
  if (config.clears) fault.clears = now_ + drawn(*config.clears, fault, kClears);
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
  affect_job(index);
  raise_signals(index);
  if (fault.clears == now_) {
    is_gone(faults_[index]);
    forget_if_over(index);
  } else {
    expect(layout_.fault(Expect::kFaultClears, index), fault.clears, Expect::kFaultClears);
  }
  return fault.struck_as;
}

void Simulation::strike_job(const Arrival& arrival, std::uint32_t population, JobId id) {
  const FaultClassConfig& config = *plan_.classes()[arrival.fault_class.index()].config;
  ActiveFault fault{.id = FaultId(next_fault_++),
                    .fault_class = arrival.fault_class,
                    .node = {},
                    .job = id,
                    .struck = now_,
                    .clears = SimTime::never(),
                    .ordinal = arrival.ordinal,
                    .population = population};
  if (config.clears) fault.clears = now_ + drawn(*config.clears, fault, kClears);
  fault.struck_as =
      emit(FaultStruck{.fault = fault.id, .fault_class = fault.fault_class, .node = {}, .job = id},
           HappeningId());
  const std::uint32_t index = faults_.add(fault);
  calendar_.grow(layout_.slots(faults_.capacity()));
  affect_job(index);
  if (config.effect == FaultEffect::kPlanned && faults_[index].clears != now_) {
    JobState& job = jobs_[id.index()];
    job.model.hold(now_, answers_, {});
    emit_answers(job, job.last);
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

void Simulation::affect_job(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
  if (config.effect == FaultEffect::kSlow && fault.clears != now_) {
    slow_faults_.push_back(index);
    if (fault.job.valid()) update_speed(fault.job);
    return;
  }
  const bool on_node = fault.node.slot.valid();
  // A lasting fault also fails the restarts of a job that moves to the node later on.
  const bool sickens = on_node && config.fails_restart && fault.clears != now_;
  if (config.effect == FaultEffect::kCrash && sickens) {
    fault.holds = true;
    ++touch(fault.node.slot).sick;
  }
  const bool hang = config.effect == FaultEffect::kHang && fault.clears != now_;
  if (!fault.job.valid()) {
    if (hang && sickens) {
      fault.holds = true;
      ++touch(fault.node.slot).sick;
    }
    return;
  }
  JobState& job = jobs_[fault.job.index()];
  const TrainingJob::Blame blame{.node = fault.node, .fault_class = fault.fault_class};
  switch (config.effect) {
    case FaultEffect::kCrash: {
      const Duration surfaces = drawn(job.model.config().crash_surfaces, fault, kSurfaces);
      // The other nodes of a rack are the same interruption.
      if (fault.primary || job.model.state() != TrainingJob::State::kDown) {
        stop_job(fault.job, StopKind::kCrash, blame, surfaces, fault.struck_as);
      }
      if (on_node) update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
      return;
    }
    case FaultEffect::kHang:
      if (hang) hang_job(index);
      return;
    case FaultEffect::kSilent:
      job.model.corrupt(now_, answers_);
      emit_answers(job, fault.struck_as);
      expect(layout_.fault(Expect::kFaultFound, index),
             now_ + drawn(*config.found_after, fault, kFound), Expect::kFaultFound);
      return;
    case FaultEffect::kPlanned:
      stop_job(fault.job, StopKind::kPlanned, blame, Duration::zero(), fault.struck_as);
      return;
    case FaultEffect::kNone:
    case FaultEffect::kSlow: return;
  }
}

void Simulation::hang_job(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
  JobState& job = jobs_[fault.job.index()];
  const TrainingConfig& training = job.model.config();
  const Duration watchdog = config.hang_ends_by == HangEnd::kWatchdog
                                ? training.nccl_timeout
                                : training.nccl_heartbeat_timeout;
  const TrainingJob::Blame blame{.node = fault.node, .fault_class = fault.fault_class};
  using State = TrainingJob::State;
  if (job.model.state() == State::kRunning || job.model.state() == State::kStalled) {
    fault.hangs = true;
    ++job.hanging;
    if (job.model.state() == State::kStalled) return;
    job.model.stall(now_, blame, watchdog, answers_);
    emit_answers(job, fault.struck_as);
    follow(fault.job);
    return;
  }
  // Nothing is under way that could hang. The fault fails a restart, if it is of that kind, and
  // counts if it would have outlasted the watchdog.
  const bool sickens = fault.node.slot.valid() && config.fails_restart;
  if (sickens) {
    fault.holds = true;
    ++touch(fault.node.slot).sick;
  }
  const bool counts = fault.primary && fault.clears > now_ + watchdog + training.nccl_dump;
  if (counts || (sickens && job.model.state() != State::kDown)) {
    stop_job(fault.job, StopKind::kWatchdog, blame, Duration::zero(), fault.struck_as);
  }
  if (sickens) update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
}

std::uint32_t Simulation::first_hang(JobId id) const {
  std::uint32_t first = kNoFault;
  for (std::uint32_t i = 0; i < faults_.capacity(); ++i) {
    if (!faults_[i].hangs || faults_[i].job != id) continue;
    if (first == kNoFault || faults_[i].id < faults_[first].id) first = i;
  }
  return first;
}

void Simulation::watchdog_fires(JobId id) {
  const std::uint32_t first = first_hang(id);
  FAULTLINE_CHECK_AT(now_, first != kNoFault, "a watchdog fired without a hang");
  stop_job(id, StopKind::kWatchdog,
           {.node = faults_[first].node, .fault_class = faults_[first].fault_class},
           Duration::zero(), jobs_[id.index()].last);
}

void Simulation::end_hangs(JobId id, std::uint32_t counted, SimTime watchdog) {
  JobState& job = jobs_[id.index()];
  job.hanging = 0;
  for (std::uint32_t i = 0; i < faults_.capacity(); ++i) {
    ActiveFault& fault = faults_[i];
    if (!fault.hangs || fault.job != id) continue;
    fault.hangs = false;
    if (i != counted && fault.primary && fault.clears > watchdog) {
      stop_job(id, StopKind::kWatchdog, {.node = fault.node, .fault_class = fault.fault_class},
               Duration::zero(), fault.struck_as);
    }
    if (!fault.node.slot.valid()) {
      drop(i);
      continue;
    }
    const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
    if (!config.fails_restart) continue;
    fault.holds = true;
    ++touch(fault.node.slot).sick;
    update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
  }
}

void Simulation::update_speed(JobId id) {
  std::int64_t speed = WorkClock::kFullSpeed;
  for (const std::uint32_t index : slow_faults_) {
    const ActiveFault& fault = faults_[index];
    const bool on_node = fault.node.slot.valid();
    const JobId slows = on_node ? job_on(fault.node.slot) : fault.job;
    if (slows != id || (on_node && slots_[fault.node.slot.index()].leaving)) continue;
    const double share = plan_.classes()[fault.fault_class.index()].config->speed;
    speed = std::min(
        speed, static_cast<std::int64_t>(share * static_cast<double>(WorkClock::kFullSpeed) + 0.5));
  }
  JobState& job = jobs_[id.index()];
  job.model.set_speed(now_, std::max<std::int64_t>(speed, 1), answers_);
  emit_answers(job, job.last);
}

void Simulation::fault_found(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const FaultClassConfig& config = *plan_.classes()[fault.fault_class.index()].config;
  const bool on_node = fault.node.slot.valid();
  stop_job(fault.job, StopKind::kSilent, {.node = fault.node, .fault_class = fault.fault_class},
           Duration::zero(), fault.struck_as);
  if (on_node && config.fails_restart && fault.present) {
    fault.holds = true;
    ++touch(fault.node.slot).sick;
    update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
  }
  if (on_node) {
    forget_if_over(index);
  } else {
    drop(index);  // over with the restart that it causes
  }
}

void Simulation::raise_signals(std::uint32_t index) {
  const std::vector<SimulationPlan::Signal>& signals = plan_.signals(faults_[index].fault_class);
  for (std::size_t s = 0; s < signals.size(); ++s) {
    ActiveFault& fault = faults_[index];
    if (signals[s].coverage < 1 &&
        detail(fault, signal_question(s, kCaught)) >= signals[s].coverage) {
      continue;
    }
    fault.signals[s] = SignalStage::kDelayed;
    const Duration delay = drawn(*signals[s].delay, fault, signal_question(s, kDelay));
    if (delay == Duration::zero()) {
      advance_signal(index, s);
    } else {
      expect(layout_.fault(Expect::kSignal, index, s), now_ + delay, Expect::kSignal);
    }
  }
}

void Simulation::advance_signal(std::uint32_t index, std::size_t signal) {
  ActiveFault& fault = faults_[index];
  const SimulationPlan::Signal& config = plan_.signals(fault.fault_class)[signal];
  const Calendar::Slot slot = layout_.fault(Expect::kSignal, index, signal);
  switch (fault.signals[signal]) {
    case SignalStage::kNone: return;
    case SignalStage::kDelayed: {
      if (!fault.present) {  // gone before it gave the signal
        fault.signals[signal] = SignalStage::kNone;
        break;
      }
      fault.raised_as[signal] =
          emit(SignalRaised{.fault = fault.id, .node = fault.node, .reason = config.reason},
               fault.struck_as);
      // The caught signals have u uniform below the coverage: what is left of it decides the delay.
      const double u =
          config.pushed ? detail(fault, signal_question(signal, kCaught)) / config.coverage : 0.5;
      const SimTime published = plan_.timing().published_at(config.reason, watched(fault.node.slot),
                                                            now_, fault.clears, u, *random_);
      fault.signals[signal] = published.is_never() ? SignalStage::kNone : SignalStage::kOnItsWay;
      expect(slot, published, Expect::kSignal);
      break;
    }
    case SignalStage::kOnItsWay: publish(fault, signal); break;
    case SignalStage::kPublished: break;
    case SignalStage::kClearing: {
      fault.signals[signal] = SignalStage::kNone;
      const Reason& reason = plan_.contract().reason(config.reason);
      std::uint8_t& alarms = touch(fault.node.slot).alarms[reason.condition.index()];
      if (--alarms == 0) {
        condition_changes(fault.node, reason.condition, ConditionStatus::kTrue, config.reason,
                          fault.fault_class, fault.struck, fault.raised_as[signal]);
      }
      break;
    }
  }
  forget_if_over(index);
}

void Simulation::publish(ActiveFault& fault, std::size_t signal) {
  const ReasonId reason_id = plan_.signals(fault.fault_class)[signal].reason;
  const Reason& reason = plan_.contract().reason(reason_id);
  fault.signals[signal] = SignalStage::kNone;
  const bool by_log = std::holds_alternative<LogChannel>(plan_.channel(reason).by);
  if (by_log && reason.occurrences > 1) {
    // Log lines count up per machine and reason, whatever their age, and start anew when reported.
    const std::pair seen{fault.node, reason_id};
    sightings_.push_back(seen);
    if (std::count(sightings_.begin(), sightings_.end(), seen) < reason.occurrences) return;
    std::erase(sightings_, seen);
  }
  if (reason.severity == Severity::kWarning) {
    emit(EventPosted{.node = fault.node,
                     .reason = reason_id,
                     .fault_class = fault.fault_class,
                     .since_fault = now_ - fault.struck},
         fault.raised_as[signal]);
    return;
  }
  fault.signals[signal] = SignalStage::kPublished;
  ++touch(fault.node.slot).alarms[reason.condition.index()];
  const bool by_lease = std::holds_alternative<LeaseChannel>(plan_.channel(reason).by);
  condition_changes(fault.node, reason.condition,
                    by_lease ? ConditionStatus::kUnknown : ConditionStatus::kFalse, reason_id,
                    fault.fault_class, fault.struck, fault.raised_as[signal]);
  if (!fault.present) {
    clear_signals(faults_.index_of(fault));
  }
}

void Simulation::clear_signals(std::uint32_t index) {
  ActiveFault& fault = faults_[index];
  const std::vector<SimulationPlan::Signal>& signals = plan_.signals(fault.fault_class);
  for (std::size_t s = 0; s < signals.size(); ++s) {
    if (fault.signals[s] != SignalStage::kPublished) continue;
    const Reason& reason = plan_.contract().reason(signals[s].reason);
    const bool by_lease = std::holds_alternative<LeaseChannel>(plan_.channel(reason).by);
    if (plan_.scenario().detectors.latching && !by_lease) continue;
    fault.signals[s] = SignalStage::kClearing;
    expect(layout_.fault(Expect::kSignal, index, s),
           plan_.timing().cleared_at(signals[s].reason, watched(fault.node.slot), now_,
                                     fault.clears, *random_),
           Expect::kSignal);
  }
}

void Simulation::undo_effect(ActiveFault& fault) {
  const std::uint32_t index = faults_.index_of(fault);
  if (std::erase(slow_faults_, index) > 0) {
    const JobId slowed = fault.node.slot.valid() ? job_on(fault.node.slot) : fault.job;
    if (slowed.valid()) update_speed(slowed);
  }
  if (fault.hangs) {
    fault.hangs = false;
    JobState& job = jobs_[fault.job.index()];
    if (--job.hanging == 0 && job.model.state() == TrainingJob::State::kStalled) {
      job.model.unstall(now_, answers_);
      emit_answers(job, fault.struck_as);
      follow(fault.job);
    }
  }
  if (fault.holds) {
    fault.holds = false;
    --touch(fault.node.slot).sick;
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
  undo_effect(fault);
  if (fault.node.slot.valid()) {
    touch(fault.node.slot).last = cleared;
    clear_signals(index);
    update_hold(fault.node.slot, TrainingJob::Fit::kInPlace);
  } else if (plan_.classes()[fault.fault_class.index()].config->effect == FaultEffect::kPlanned) {
    JobState& job = jobs_[fault.job.index()];
    job.model.release(now_, answers_, {}, TrainingJob::Fit::kAnew);
    emit_answers(job, cleared);
    follow(fault.job);
  }
  forget_if_over(index);
}

void Simulation::forget_if_over(std::uint32_t index) {
  const ActiveFault& fault = faults_[index];
  if (fault.present) return;
  if (!calendar_.at(layout_.fault(Expect::kFaultFound, index)).is_never()) return;
  const auto open = [](SignalStage stage) { return stage != SignalStage::kNone; };
  if (std::any_of(fault.signals.begin(), fault.signals.end(), open)) return;
  faults_.remove(index);
}

void Simulation::drop(std::uint32_t index) {
  calendar_.cancel(layout_.fault(Expect::kFaultClears, index));
  for (std::size_t s = 0; s < kMaxSignals; ++s) {
    calendar_.cancel(layout_.fault(Expect::kSignal, index, s));
  }
  undo_effect(faults_[index]);
  // What it has corrupted is still to be found.
  faults_[index].present = false;
  faults_[index].signals = {};
  forget_if_over(index);
}

void Simulation::end_faults_on(NodeSlot slot) {
  for (std::uint32_t index = faults_.first_on(slot); index != kNoFault;) {
    const std::uint32_t next = faults_[index].next_on_node;
    drop(index);
    index = next;
  }
}

}  // namespace faultline
